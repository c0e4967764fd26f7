package io.psych.sandbox.contract;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link SandboxListener} is told of a call that is over.
 *
 * @param tool the name of the tool, or {@link #OTHER}
 * @param origin who called
 * @param outcome {@link #SUCCESS}, the id of a {@link ToolFailureKind}, or
 * {@link #EXCEPTION}
 * @param duration from its beginning to its end
 * @since 0.1.0
 */
public record CallFacts(String tool, CallOrigin origin, String outcome, Duration duration) {

	/** Stands for every name that no tool has. Callers may invent any number of them. */
	public static final String OTHER = "other";

	/** The outcome of a call that has a result. */
	public static final String SUCCESS = "success";

	/** The outcome of a call that the host itself failed to make. */
	public static final String EXCEPTION = "exception";

	/**
	 * Create the facts of a call.
	 * @param tool the name of the tool
	 * @param origin who called
	 * @param outcome what it came to, or {@code null} when it came to nothing
	 * @param duration from its beginning to its end
	 * @return the facts
	 */
	public static CallFacts of(String tool, CallOrigin origin, @Nullable CallOutcome outcome, Duration duration) {
		if (outcome == null) {
			return new CallFacts(tool, origin, EXCEPTION, duration);
		}
		return new CallFacts(tool, origin,
				(outcome instanceof CallOutcome.Failed failed) ? failed.kind().id() : SUCCESS, duration);
	}

}
