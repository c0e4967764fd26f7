/**
 * Whole executions on real backends.
 */
@NullMarked
package io.psych.sandbox;

import org.jspecify.annotations.NullMarked;
