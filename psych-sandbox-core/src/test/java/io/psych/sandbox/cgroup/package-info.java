/**
 * Tests of control groups, on those of this host where it has them.
 */
@NullMarked
package io.psych.sandbox.cgroup;

import org.jspecify.annotations.NullMarked;
