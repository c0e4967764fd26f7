package io.psych.sandbox.contract;

import org.jspecify.annotations.Nullable;

/**
 * Why an execution did not succeed, as data.
 *
 * @param kind the kind, which carries the guidance
 * @param message what happened, for the model; one or a few sentences
 * @param traceback the program's traceback without a frame that is not its own, or
 * {@code null} when no exception was raised
 * @param exitStatus the status the process ended with, or {@code null} when it did not
 * end by itself
 * @param signal the name of the signal that ended the process, such as {@code SIGSEGV},
 * or {@code null}
 * @since 0.1.0
 */
public record Failure(FailureKind kind, String message, @Nullable String traceback, @Nullable Integer exitStatus,
		@Nullable String signal) {

	/**
	 * Return a failure that is told by its message alone.
	 * @param kind the kind
	 * @param message the message
	 * @return the failure
	 */
	public static Failure of(FailureKind kind, String message) {
		return new Failure(kind, message, null, null, null);
	}

}
