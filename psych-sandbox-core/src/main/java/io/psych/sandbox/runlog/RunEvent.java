package io.psych.sandbox.runlog;

import java.time.Duration;

import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ToolFailureKind;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a run. Never holds program text, arguments or results.
 *
 * @since 0.1.0
 */
public sealed interface RunEvent {

	/**
	 * A call was accepted: from here on it is spent, whatever becomes of it.
	 *
	 * @param execution the execution it belongs to; empty for a direct call of the model
	 * @param call a name for the call that is unique
	 * @param tool the name of the tool, as the caller wrote it, cut to a sane length
	 * @param origin who called
	 * @param argumentBytes bytes of its arguments
	 */
	record CallAccepted(String execution, String call, String tool, CallOrigin origin,
			long argumentBytes) implements RunEvent {

	}

	/**
	 * A call has ended. A call without this event is unknown: its host may have died.
	 *
	 * @param call the name of the call
	 * @param state what became of it
	 * @param failure why it did not succeed, or {@code null} when it did
	 * @param duration how long it took
	 * @param resultBytes bytes of its result
	 */
	record CallEnded(String call, CallState state, @Nullable ToolFailureKind failure, Duration duration,
			long resultBytes) implements RunEvent {

	}

}
