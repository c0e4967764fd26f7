package io.psych.sandbox.contract;

import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Finding;
import io.psych.sandbox.limits.IsolationReport;
import org.jspecify.annotations.Nullable;

/**
 * What came of one execution: one shape for success and for failure.
 *
 * @param execution the name of the execution in the log of its run
 * @param stdout what the program printed
 * @param stderr what it wrote to stderr
 * @param value what it evaluated to; JSON's null when there is nothing
 * @param failure why it did not succeed, or {@code null} when it did
 * @param duration from the request to this result
 * @param limitHit the limit that ended it, or {@code null}
 * @param networkDenied whether this very execution proved that it has no route
 * @param isolation the isolation of this very execution
 * @param calls the calls the program made, in the order the host received them; of very
 * many the first ten thousand
 * @param unlistedCalls how many calls there were beyond those, by what became of them;
 * what is not there is zero
 * @param attachments what can be read by handle
 * @param uncollected files of the workspace that can't, with the reason; of very many the
 * first hundred
 * @param notes what the model should know beside the outcome, such as a value that was
 * assigned and not returned
 * @since 0.1.0
 */
public record RunResult(String execution, CapturedStream stdout, CapturedStream stderr, JsonValue value,
		@Nullable Failure failure, Duration duration, @Nullable LimitHit limitHit, boolean networkDenied,
		IsolationReport isolation, List<CallRecord> calls, Map<CallState, Long> unlistedCalls,
		List<Attachment> attachments, List<Uncollected> uncollected, List<String> notes) {

	public RunResult {
		calls = List.copyOf(calls);
		unlistedCalls = Map.copyOf(unlistedCalls);
		attachments = List.copyOf(attachments);
		uncollected = List.copyOf(uncollected);
		notes = List.copyOf(notes);
	}

	/**
	 * Return the result of an execution for which no process was started.
	 * @param execution the name of the execution
	 * @param failure why
	 * @param duration from the request to this result
	 * @param isolation the report, saying that nothing was started
	 * @return the result
	 */
	public static RunResult refused(String execution, Failure failure, Duration duration, IsolationReport isolation) {
		return new RunResult(execution, CapturedStream.EMPTY, CapturedStream.EMPTY, JsonValue.NULL, failure, duration,
				null, false, isolation, List.of(), Map.of(), List.of(), List.of(), List.of());
	}

	/**
	 * Return whether the program ran to its end without a failure.
	 * @return whether it did
	 */
	public boolean succeeded() {
		return this.failure == null;
	}

	/**
	 * Return this result with no more than so many calls one by one.
	 * @param most how many; those beyond are counted
	 * @return the result
	 */
	public RunResult withCallsListed(int most) {
		if (this.calls.size() <= most) {
			return this;
		}
		Map<CallState, Long> counted = new EnumMap<>(CallState.class);
		counted.putAll(this.unlistedCalls);
		this.calls.subList(most, this.calls.size()).forEach((call) -> counted.merge(call.state(), 1L, Long::sum));
		return new RunResult(this.execution, this.stdout, this.stderr, this.value, this.failure, this.duration,
				this.limitHit, this.networkDenied, this.isolation, this.calls.subList(0, most), counted,
				this.attachments, this.uncollected, this.notes);
	}

	/**
	 * Return this result with other attachments.
	 * @param attachments what is told of them
	 * @return the result
	 */
	public RunResult withAttachments(List<Attachment> attachments) {
		return new RunResult(this.execution, this.stdout, this.stderr, this.value, this.failure, this.duration,
				this.limitHit, this.networkDenied, this.isolation, this.calls, this.unlistedCalls, attachments,
				this.uncollected, this.notes);
	}

	/**
	 * Return this record as JSON, in the shape that {@code docs/protocol/result.md}
	 * describes.
	 * @return the JSON object
	 */
	public JsonValue toJson() {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("execution", this.execution);
		json.put("stdout", json(this.stdout));
		json.put("stderr", json(this.stderr));
		json.put("value", this.value);
		json.put("failure", (this.failure != null) ? json(this.failure) : null);
		json.put("durationMillis", this.duration.toMillis());
		json.put("limitHit", (this.limitHit != null) ? this.limitHit.id() : null);
		json.put("networkDenied", this.networkDenied);
		json.put("isolation", json(this.isolation));
		json.put("calls", this.calls.stream().map(RunResult::json).toList());
		json.put("unlistedCalls", json(this.unlistedCalls));
		json.put("attachments", this.attachments.stream().map(RunResult::json).toList());
		json.put("uncollected",
				this.uncollected.stream().map((file) -> Map.of("name", file.name(), "reason", file.reason())).toList());
		json.put("notes", this.notes);
		return JsonValue.of(json);
	}

	private static Map<String, Object> json(CapturedStream stream) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("text", stream.text());
		json.put("truncated", stream.truncated());
		json.put("bytes", stream.bytes());
		json.put("omittedBytes", stream.omittedBytes());
		return json;
	}

	private static Map<String, @Nullable Object> json(Failure failure) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("kind", failure.kind().id());
		json.put("message", failure.message());
		json.put("guidance", failure.kind().guidance());
		json.put("traceback", failure.traceback());
		json.put("exitStatus", failure.exitStatus());
		json.put("signal", failure.signal());
		return json;
	}

	private static Map<String, Object> json(IsolationReport report) {
		Map<String, Object> guarantees = new LinkedHashMap<>();
		for (Finding finding : report.findings()) {
			guarantees.put(finding.guarantee().id(),
					Map.of("grade", finding.grade().id(), "evidence", finding.evidence()));
		}
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("backend", report.backend());
		json.put("level", report.level().id());
		json.put("guarantees", guarantees);
		return json;
	}

	private static Map<String, @Nullable Object> json(CallRecord call) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("id", call.id());
		json.put("name", call.name());
		json.put("state", call.state().id());
		json.put("millis", call.duration().toMillis());
		json.put("argumentBytes", call.argumentBytes());
		json.put("resultBytes", call.resultBytes());
		json.put("failure", (call.failure() != null) ? call.failure().id() : null);
		return json;
	}

	private static Map<String, Object> json(Map<CallState, Long> numbers) {
		Map<String, Object> json = new LinkedHashMap<>();
		// In one order, whatever became of the calls.
		numbers.keySet().stream().sorted().forEach((state) -> json.put(state.id(), numbers.get(state)));
		return json;
	}

	private static Map<String, Object> json(Attachment attachment) {
		return Map.of("name", attachment.name(), "handle", attachment.handle(), "mediaType", attachment.mediaType(),
				"bytes", attachment.bytes(), "whole", attachment.whole());
	}

}
