package io.psych.sandbox.contract;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * One call that a program made, as the host saw it.
 *
 * @param id the number of the call within its execution, from zero
 * @param name the name of the tool
 * @param state what became of the call
 * @param duration from the call's arrival at the host to its end
 * @param argumentBytes bytes of the arguments, as JSON
 * @param resultBytes bytes of the result, as JSON; zero when there is none
 * @param failure why the call did not succeed, or {@code null} when it did
 * @since 0.1.0
 */
public record CallRecord(int id, String name, CallState state, Duration duration, long argumentBytes, long resultBytes,
		@Nullable ToolFailureKind failure) {

}
