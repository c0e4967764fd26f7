package io.psych.sandbox.runlog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.CallLimits;
import org.jspecify.annotations.Nullable;

/**
 * What the log of a run comes to. What has no end in the log may be under way on some
 * host, or its host has died: nobody can tell the two apart, so it is unknown.
 *
 * @param run the run
 * @param executions its executions, in the order they were accepted
 * @param calls its calls, of programs and of the model, in the order they were accepted
 * @param attachments what its executions left behind
 * @param acceptedCalls calls of programs that were accepted, whatever became of them
 * @param lastNumber the number of the last event, zero when there is none
 * @param complete whether the log still had every event; otherwise all of the above is
 * the least there was
 * @since 0.1.0
 */
public record RunRecord(RunKey run, List<Execution> executions, List<Call> calls, List<Kept> attachments,
		int acceptedCalls, long lastNumber, boolean complete) {

	/** Events that are read at once; one may have some ten kilobytes of an attachment. */
	static final int PAGE = 200;

	/**
	 * Read and fold the log of a run.
	 * @param log the log
	 * @param run the run
	 * @return the record; without anything in it when nothing is known of the run
	 * @throws RunLogException if it can't be read
	 */
	public static RunRecord of(RunLog log, RunKey run) {
		Fold fold = new Fold();
		List<RunLog.Entry> page;
		do {
			page = log.read(run, fold.last, PAGE);
			page.forEach(fold::add);
		}
		while (!page.isEmpty());
		return new RunRecord(run, List.copyOf(fold.executions.values()), List.copyOf(fold.calls.values()),
				List.copyOf(fold.attachments), fold.accepted, fold.last,
				fold.events == fold.last && log.isComplete(run));
	}

	/**
	 * Return how many more calls the programs of this run may make.
	 * @param limits the limits they are held to
	 * @return the number, zero when the allowance is spent
	 */
	public int callsLeft(CallLimits limits) {
		return Math.max(0, limits.perRun() - this.acceptedCalls);
	}

	/**
	 * Return how many calls were refused after they had been accepted.
	 * @return the number
	 */
	public int refusals() {
		return (int) this.calls.stream().filter((call) -> call.state() == CallState.REFUSED).count();
	}

	/**
	 * Return the record as JSON, for whoever looks into a run.
	 * @return an object
	 */
	public JsonValue toJson() {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("tenant", this.run.tenant());
		json.put("run", this.run.run());
		json.put("complete", this.complete);
		json.put("lastNumber", this.lastNumber);
		json.put("acceptedCalls", this.acceptedCalls);
		json.put("refusals", refusals());
		json.put("executions", this.executions.stream().map(Execution::toJson).toList());
		json.put("calls", this.calls.stream().map(Call::toJson).toList());
		json.put("attachments", this.attachments.stream().map(Kept::toJson).toList());
		return JsonValue.of(json);
	}

	/**
	 * One execution.
	 *
	 * @param started what was recorded when it was accepted
	 * @param startedAt when that was
	 * @param ended what was recorded of its end, or {@code null} when nothing was
	 * @param endedAt when that was, or {@code null}
	 */
	public record Execution(RunEvent.ExecutionStarted started, Instant startedAt,
			RunEvent.@Nullable ExecutionEnded ended, @Nullable Instant endedAt) {

		JsonValue toJson() {
			Map<String, @Nullable Object> json = new LinkedHashMap<>();
			json.put("execution", this.started.execution());
			json.put("state", (this.ended != null) ? "ended" : "unknown");
			json.put("spec", this.started.spec());
			json.put("profile", this.started.profile());
			json.put("programBytes", this.started.programBytes());
			json.put("startedAt", this.startedAt.toString());
			if (this.ended != null) {
				json.put("endedAt", String.valueOf(this.endedAt));
				json.put("backend", this.ended.backend());
				json.put("failure", (this.ended.failure() != null) ? this.ended.failure().id() : null);
				json.put("limitHit", (this.ended.limitHit() != null) ? this.ended.limitHit().id() : null);
				json.put("milliseconds", this.ended.duration().toMillis());
				json.put("stdoutBytes", this.ended.stdoutBytes());
				json.put("stderrBytes", this.ended.stderrBytes());
			}
			return JsonValue.of(json);
		}

	}

	/**
	 * One call.
	 *
	 * @param accepted what was recorded when it was accepted
	 * @param acceptedAt when that was
	 * @param ended what was recorded of its end, or {@code null} when nothing was
	 */
	public record Call(RunEvent.CallAccepted accepted, Instant acceptedAt, RunEvent.@Nullable CallEnded ended) {

		/**
		 * Return what became of the call.
		 * @return the state
		 */
		public CallState state() {
			return (this.ended != null) ? this.ended.state() : CallState.UNKNOWN;
		}

		JsonValue toJson() {
			Map<String, @Nullable Object> json = new LinkedHashMap<>();
			json.put("call", this.accepted.call());
			json.put("execution", this.accepted.execution().isEmpty() ? null : this.accepted.execution());
			json.put("tool", this.accepted.tool());
			json.put("origin", this.accepted.origin().id());
			json.put("state", state().id());
			json.put("acceptedAt", this.acceptedAt.toString());
			json.put("argumentBytes", this.accepted.argumentBytes());
			if (this.ended != null) {
				json.put("failure", (this.ended.failure() != null) ? this.ended.failure().id() : null);
				json.put("milliseconds", this.ended.duration().toMillis());
				json.put("resultBytes", this.ended.resultBytes());
			}
			return JsonValue.of(json);
		}

	}

	/**
	 * One attachment, without its content.
	 *
	 * @param execution the execution that left it behind
	 * @param attachment what it is
	 */
	public record Kept(String execution, Attachment attachment) {

		JsonValue toJson() {
			Map<String, @Nullable Object> json = new LinkedHashMap<>();
			json.put("execution", this.execution);
			json.put("name", this.attachment.name());
			json.put("handle", this.attachment.handle());
			json.put("mediaType", this.attachment.mediaType());
			json.put("bytes", this.attachment.bytes());
			json.put("whole", this.attachment.whole());
			return JsonValue.of(json);
		}

	}

	/**
	 * The record as far as it has been read.
	 */
	private static final class Fold {

		private final Map<String, Execution> executions = new LinkedHashMap<>();

		private final Map<String, Call> calls = new LinkedHashMap<>();

		private final List<Kept> attachments = new ArrayList<>();

		private int accepted;

		private long events;

		private long last;

		void add(RunLog.Entry entry) {
			this.events++;
			this.last = entry.number();
			RunEvent event = entry.event();
			if (event instanceof RunEvent.ExecutionStarted started) {
				this.executions.put(started.execution(), new Execution(started, entry.at(), null, null));
			}
			else if (event instanceof RunEvent.ExecutionEnded ended) {
				this.executions.computeIfPresent(ended.execution(),
						(execution, open) -> new Execution(open.started(), open.startedAt(), ended, entry.at()));
			}
			else if (event instanceof RunEvent.AttachmentKept kept) {
				this.attachments.add(new Kept(kept.execution(), kept.attachment()));
			}
			else if (event instanceof RunEvent.CallAccepted call) {
				this.calls.put(call.call(), new Call(call, entry.at(), null));
				this.accepted += (call.origin() == CallOrigin.PROGRAM) ? 1 : 0;
			}
			else if (event instanceof RunEvent.CallEnded ended) {
				this.calls.computeIfPresent(ended.call(),
						(call, open) -> new Call(open.accepted(), open.acceptedAt(), ended));
			}
		}

	}

}
