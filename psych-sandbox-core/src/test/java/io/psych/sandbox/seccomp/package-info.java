/**
 * What the filter answers: by an interpreter for each architecture, by the kernel for
 * that of this machine, and that both agree.
 */
@NullMarked
package io.psych.sandbox.seccomp;

import org.jspecify.annotations.NullMarked;
