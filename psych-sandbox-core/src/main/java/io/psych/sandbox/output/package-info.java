/**
 * What a program prints: always drained, kept under a cap. Takes a pipe, hands on a
 * {@link io.psych.sandbox.output.Captured}.
 */
@NullMarked
package io.psych.sandbox.output;

import org.jspecify.annotations.NullMarked;
