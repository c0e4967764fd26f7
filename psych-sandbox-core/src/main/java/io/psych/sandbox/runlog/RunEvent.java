package io.psych.sandbox.runlog;

import java.time.Duration;

import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.contract.ToolFailureKind;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a run. Never holds program text, arguments or results of
 * tools; what a program left behind is in here when it is small.
 *
 * @since 0.1.0
 */
public sealed interface RunEvent {

	/**
	 * An execution was accepted, before anything of it was started. One without an
	 * {@link ExecutionEnded} is running, or its host has died.
	 *
	 * @param execution the name of the execution
	 * @param spec the digest of the Spec it runs under
	 * @param profile the profile it names, or {@code null}
	 * @param programBytes bytes of the text of the program
	 */
	record ExecutionStarted(String execution, String spec, @Nullable String profile,
			long programBytes) implements RunEvent {

	}

	/**
	 * An execution has ended, in whatever way.
	 *
	 * @param execution the name of the execution
	 * @param backend what isolated it
	 * @param failure why it did not succeed, or {@code null} when it did
	 * @param limitHit the limit that ended it, or {@code null}
	 * @param duration from the request to the result
	 * @param stdoutBytes bytes it printed
	 * @param stderrBytes bytes it wrote to stderr
	 */
	record ExecutionEnded(String execution, String backend, @Nullable FailureKind failure, @Nullable LimitHit limitHit,
			Duration duration, long stdoutBytes, long stderrBytes) implements RunEvent {

	}

	/**
	 * An attachment was kept. What is kept without this event can't be read.
	 *
	 * @param execution the name of the execution that left it behind
	 * @param attachment what it is
	 * @param inline its content as Base64 ({@code RFC 4648}, section 4), or {@code null}
	 * when it is in the blob store
	 */
	record AttachmentKept(String execution, Attachment attachment, @Nullable String inline) implements RunEvent {

	}

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
