package io.psych.sandbox.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Finding;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunResultTests {

	private static final String ISOLATION = """
			  "isolation": {
			    "backend": "fake",
			    "level": "%s",
			    "guarantees": {
			      "filesystem": {"grade": "%2$s", "evidence": "%3$s"},
			      "network": {"grade": "%2$s", "evidence": "%3$s"},
			      "process-tree": {"grade": "%2$s", "evidence": "%3$s"},
			      "identity": {"grade": "%2$s", "evidence": "%3$s"},
			      "cpu": {"grade": "%2$s", "evidence": "%3$s"},
			      "memory": {"grade": "%2$s", "evidence": "%3$s"},
			      "file-size": {"grade": "%2$s", "evidence": "%3$s"},
			      "process-count": {"grade": "%2$s", "evidence": "%3$s"},
			      "wall-clock": {"grade": "%2$s", "evidence": "%3$s"},
			      "environment": {"grade": "%2$s", "evidence": "%3$s"}
			    }
			  },
			""";

	@Test
	void toJsonOfASuccessHasTheWholeShape() {
		RunResult result = new RunResult("x1", new CapturedStream("out\n", false, 4, 0),
				new CapturedStream("err", true, 3_000, 2_997), JsonValue.parse("{\"a\":[1,2.5,null]}"), null,
				Duration.ofMillis(1234), null, true, report(Grade.ENFORCED, "held"),
				List.of(new CallRecord(0, "orders.list", CallState.DONE, Duration.ofMillis(7), 12, 345, null),
						new CallRecord(1, "orders.delete", CallState.REFUSED, Duration.ZERO, 2, 0,
								ToolFailureKind.NOT_OFFERED)),
				Map.of(CallState.REFUSED, 90_000L, CallState.DONE, 1L),
				List.of(new Attachment("report.csv", "h1", "text/csv", 99, true)),
				List.of(new Uncollected("a/link", "it is a link")), List.of("`x` was assigned, not returned."));
		assertThat(result.succeeded()).isTrue();
		assertThat(result.toJson()).isEqualTo(JsonValue.parse("""
				{
				  "execution": "x1",
				  "stdout": {"text": "out\\n", "truncated": false, "bytes": 4, "omittedBytes": 0},
				  "stderr": {"text": "err", "truncated": true, "bytes": 3000, "omittedBytes": 2997},
				  "value": {"a": [1, 2.5, null]},
				  "failure": null,
				  "durationMillis": 1234,
				  "limitHit": null,
				  "networkDenied": true,
				""" + ISOLATION.formatted("isolated", "enforced", "held") + """
				  "calls": [
				    {"id": 0, "name": "orders.list", "state": "done", "millis": 7, "argumentBytes": 12,
				     "resultBytes": 345, "failure": null},
				    {"id": 1, "name": "orders.delete", "state": "refused", "millis": 0, "argumentBytes": 2,
				     "resultBytes": 0, "failure": "not_offered"}
				  ],
				  "unlistedCalls": {"done": 1, "refused": 90000},
				  "attachments": [{"name": "report.csv", "handle": "h1", "mediaType": "text/csv", "bytes": 99,
				                   "whole": true}],
				  "uncollected": [{"name": "a/link", "reason": "it is a link"}],
				  "notes": ["`x` was assigned, not returned."]
				}"""));
	}

	@Test
	void toJsonOfAFailureHasTheSameShape() {
		RunResult result = new RunResult("x1", CapturedStream.EMPTY, CapturedStream.EMPTY, JsonValue.NULL,
				new Failure(FailureKind.WORKER_EXIT, "The process was ended by SIGSEGV.", "Traceback", 139, "SIGSEGV"),
				Duration.ofNanos(1_999_999), LimitHit.WALL_CLOCK, false, report(Grade.UNAVAILABLE, "nothing"),
				List.of(), Map.of(), List.of(), List.of(), List.of());
		assertThat(result.succeeded()).isFalse();
		assertThat(result.toJson()).isEqualTo(JsonValue.parse("""
				{
				  "execution": "x1",
				  "stdout": {"text": "", "truncated": false, "bytes": 0, "omittedBytes": 0},
				  "stderr": {"text": "", "truncated": false, "bytes": 0, "omittedBytes": 0},
				  "value": null,
				  "failure": {"kind": "worker_exit", "message": "The process was ended by SIGSEGV.",
				    "guidance": "%s", "traceback": "Traceback", "exitStatus": 139, "signal": "SIGSEGV"},
				  "durationMillis": 1,
				  "limitHit": "wall_clock",
				  "networkDenied": false,
				""".formatted(FailureKind.WORKER_EXIT.guidance())
				+ ISOLATION.formatted("none", "unavailable", "nothing") + """
						  "calls": [], "unlistedCalls": {}, "attachments": [], "uncollected": [], "notes": []
						}"""));
	}

	@Test
	void toJsonNamesItsMembersInOneOrderWhateverHappened() {
		RunResult refused = RunResult.refused("x1", Failure.of(FailureKind.POLICY_REFUSED, "Too much."), Duration.ZERO,
				IsolationReport.nothingStarted("none", "refused"));
		assertThat(refused.toJson().members().keySet()).containsExactly("execution", "stdout", "stderr", "value",
				"failure", "durationMillis", "limitHit", "networkDenied", "isolation", "calls", "unlistedCalls",
				"attachments", "uncollected", "notes");
		assertThat(refused.toJson().member("failure").members().keySet()).containsExactly("kind", "message", "guidance",
				"traceback", "exitStatus", "signal");
	}

	@Test
	void refusedIsAFailureOfWhichNothingRan() {
		Failure failure = Failure.of(FailureKind.CANCELLED, "It was cancelled.");
		RunResult refused = RunResult.refused("x1", failure, Duration.ofMillis(3),
				IsolationReport.nothingStarted("fake", "cancelled before"));
		assertThat(refused.succeeded()).isFalse();
		assertThat(refused.failure()).isEqualTo(failure);
		assertThat(refused.value()).isEqualTo(JsonValue.NULL);
		assertThat(refused.networkDenied()).isFalse();
		assertThat(refused.stdout()).isEqualTo(CapturedStream.EMPTY);
		assertThat(refused.calls()).isEmpty();
	}

	@Test
	void listsCannotBeChangedFromOutside() {
		List<String> notes = new ArrayList<>(List.of("a note"));
		RunResult result = new RunResult("x1", CapturedStream.EMPTY, CapturedStream.EMPTY, JsonValue.NULL, null,
				Duration.ZERO, null, false, report(Grade.ENFORCED, "held"), new ArrayList<>(), new HashMap<>(),
				new ArrayList<>(), new ArrayList<>(), notes);
		notes.add("another");
		assertThat(result.notes()).containsExactly("a note").isUnmodifiable();
		assertThat(result.calls()).isUnmodifiable();
		assertThat(result.unlistedCalls()).isUnmodifiable();
		assertThat(result.attachments()).isUnmodifiable();
	}

	private static IsolationReport report(Grade grade, String evidence) {
		List<Finding> findings = new ArrayList<>();
		for (Guarantee guarantee : Guarantee.values()) {
			findings.add(new Finding(guarantee, grade, evidence));
		}
		return new IsolationReport("fake", findings);
	}

	@Test
	void callsBeyondThoseListedAreCounted() {
		List<CallRecord> calls = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			calls.add(new CallRecord(i, "echo", (i != 3) ? CallState.DONE : CallState.UNKNOWN, Duration.ZERO, 0, 0,
					null));
		}
		RunResult result = new RunResult("x1", CapturedStream.EMPTY, CapturedStream.EMPTY, JsonValue.NULL, null,
				Duration.ZERO, null, false, IsolationReport.nothingStarted("process", "a test"), calls,
				Map.of(CallState.DONE, 7L), List.of(), List.of(), List.of());
		assertThat(result.withCallsListed(5)).isSameAs(result);
		RunResult two = result.withCallsListed(2);
		assertThat(two.calls()).isEqualTo(calls.subList(0, 2));
		assertThat(two.unlistedCalls()).isEqualTo(Map.of(CallState.DONE, 9L, CallState.UNKNOWN, 1L));
	}

}
