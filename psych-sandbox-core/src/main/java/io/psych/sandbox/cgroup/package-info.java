/**
 * Limits of the kernel for a whole tree of processes, through control groups. Takes a
 * memory size and a number of processes, hands on a group to put processes into. Starts
 * and signals nothing; throws facts.
 */
@NullMarked
package io.psych.sandbox.cgroup;

import org.jspecify.annotations.NullMarked;
