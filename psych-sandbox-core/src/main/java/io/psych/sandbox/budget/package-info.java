/**
 * A limit being spent: the running accounts of one execution.
 */
@NullMarked
package io.psych.sandbox.budget;

import org.jspecify.annotations.NullMarked;
