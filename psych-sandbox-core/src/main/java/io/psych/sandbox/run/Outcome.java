package io.psych.sandbox.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ExitStatus;
import io.psych.sandbox.wire.Frame;
import org.jspecify.annotations.Nullable;

/**
 * What a verdict amounts to for whoever asked for the execution.
 *
 * @param value the value
 * @param failure the failure, or {@code null}
 * @param limitHit the limit that was hit, or {@code null}
 * @param notes what the program's author should know
 */
record Outcome(JsonValue value, @Nullable Failure failure, @Nullable LimitHit limitHit, List<String> notes) {

	private static final int MOST_LOST = 10;

	static Outcome of(Verdict verdict, Limits limits, int exitStatus, long oomKills, Duration elapsed) {
		if (verdict instanceof Verdict.Done done) {
			return done(done.frame(), limits).withMemory(oomKills);
		}
		if (verdict instanceof Verdict.Exited) {
			return exited(new ExitStatus(exitStatus), limits, oomKills, elapsed).withMemory(oomKills);
		}
		if (verdict instanceof Verdict.TimedOut) {
			return failed(FailureKind.TIMEOUT,
					"The program ran past its wall clock of " + seconds(limits.wallTime()) + " and was ended.",
					LimitHit.WALL_CLOCK);
		}
		if (verdict instanceof Verdict.Cancelled) {
			return failed(FailureKind.CANCELLED, "The execution was cancelled by its caller.", null);
		}
		if (verdict instanceof Verdict.Violated violated) {
			return failed(FailureKind.ABORTED,
					"The program was ended because it sent its host " + violated.rule() + ".", null);
		}
		if (verdict instanceof Verdict.Refused refused) {
			return failed(FailureKind.ISOLATION_UNAVAILABLE,
					"The program was not sent: " + String.join("; ", refused.unmet()) + ".", null);
		}
		if (verdict instanceof Verdict.NotReady notReady) {
			return failed(FailureKind.BACKEND_NOT_READY,
					"The child's process did not become ready: " + notReady.problem() + ".", null);
		}
		Verdict.Broken broken = (Verdict.Broken) verdict;
		return failed(FailureKind.PROVIDER_ERROR, "The sandbox failed while the program ran: " + broken.problem() + ".",
				null);
	}

	private static Outcome done(Frame.Done frame, Limits limits) {
		Frame.ProgramFailure claimed = frame.failure();
		if (claimed != null) {
			LimitHit hit = (claimed.limit() != null) ? LimitHit.valueOf(claimed.limit().toUpperCase(Locale.ROOT))
					: null;
			FailureKind kind = FailureKind.valueOf(claimed.kind().toUpperCase(Locale.ROOT));
			return new Outcome(JsonValue.NULL,
					new Failure(kind, claimed.message(), claimed.traceback(), claimed.exitStatus(), null), hit,
					frame.notes());
		}
		long bytes = frame.value().utf8Length();
		if (bytes > limits.value().bytes()) {
			return failed(FailureKind.OUTPUT_LIMIT,
					"The value is " + bytes + " bytes as JSON; the most is " + limits.value().bytes() + ".",
					LimitHit.VALUE);
		}
		return new Outcome(frame.value(), null, null, frame.notes());
	}

	private static Outcome exited(ExitStatus status, Limits limits, long oomKills, Duration elapsed) {
		String signal = status.signal();
		if (oomKills > 0 && "SIGKILL".equals(signal)) {
			return new Outcome(JsonValue.NULL, new Failure(FailureKind.WORKER_EXIT,
					"The process was ended because all processes of the program together took more memory than they may.",
					null, status.code(), signal), LimitHit.MEMORY, List.of());
		}
		// The hard limit's SIGKILL can't be told from another one but by the time that
		// has passed.
		if ("SIGXCPU".equals(signal) || ("SIGKILL".equals(signal) && elapsed.compareTo(limits.cpu()) >= 0)) {
			return failed(FailureKind.TIMEOUT,
					"The program used up its CPU time of " + seconds(limits.cpu()) + " and was ended.", LimitHit.CPU);
		}
		String message = (signal != null)
				? "The process was ended by " + signal + " before the program was done"
						+ ("SIGKILL".equals(signal) ? ": it sent the signal itself, or something on the host ended it."
								: ".")
				: "The process ended itself with status " + status.code() + " before the program was done.";
		return new Outcome(JsonValue.NULL, new Failure(FailureKind.WORKER_EXIT, message, null, status.code(), signal),
				null, List.of());
	}

	/**
	 * Return what this amounts to where the kernel has ended processes for want of
	 * memory. Which of them is its choice, and where it ends all of a group together
	 * there is no value at all: a program that went on without one did not succeed.
	 */
	private Outcome withMemory(long oomKills) {
		if (oomKills == 0) {
			return this;
		}
		if (this.failure != null) {
			return new Outcome(this.value, this.failure, (this.limitHit != null) ? this.limitHit : LimitHit.MEMORY,
					this.notes);
		}
		return new Outcome(JsonValue.NULL,
				Failure.of(FailureKind.WORKER_EXIT,
						"A process of the program was ended because all together took more memory than they may,"
								+ " so that its value can't be relied on."),
				LimitHit.MEMORY, this.notes);
	}

	/**
	 * Return what this amounts to where losing something of what the program left is a
	 * failure.
	 */
	Outcome withLost(List<String> lost) {
		if (lost.isEmpty()) {
			return this;
		}
		List<String> told = lost.subList(0, Math.min(lost.size(), MOST_LOST));
		String message = "Not all that the program left is kept, which its terms require: " + String.join("; ", told)
				+ ((told.size() < lost.size()) ? "; and " + (lost.size() - told.size()) + " more." : ".");
		if (this.failure != null) {
			List<String> notes = new ArrayList<>(this.notes);
			notes.add(message);
			return new Outcome(this.value, this.failure, this.limitHit, notes);
		}
		return failed(FailureKind.ARTIFACTS_UNAVAILABLE, message, null);
	}

	private static Outcome failed(FailureKind kind, String message, @Nullable LimitHit hit) {
		return new Outcome(JsonValue.NULL, Failure.of(kind, message), hit, List.of());
	}

	private static String seconds(Duration duration) {
		return (duration.toMillisPart() == 0) ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
	}

}
