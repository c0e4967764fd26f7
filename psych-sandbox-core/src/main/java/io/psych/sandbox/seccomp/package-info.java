/**
 * The filter of system calls that children of every local backend install. Takes an
 * architecture, hands on the bytes of a BPF program.
 */
@NullMarked
package io.psych.sandbox.seccomp;

import org.jspecify.annotations.NullMarked;
