package io.psych.sandbox.runlog;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunRecordTests {

	private static final RunKey RUN = new RunKey("acme", "run:1");

	private final RunLog log = new InMemoryRunLog(Clock.fixed(Instant.parse("2026-11-30T12:00:00Z"), ZoneOffset.UTC));

	@Test
	void runNobodyKnowsIsEmpty() {
		RunRecord folded = RunRecord.of(this.log, RUN);
		assertThat(folded.executions()).isEmpty();
		assertThat(folded.calls()).isEmpty();
		assertThat(folded.lastNumber()).isZero();
		assertThat(folded.callsLeft(AbstractRunLogTests.limits(7))).isEqualTo(7);
	}

	@Test
	void whatHasNoEndIsUnknown() {
		add(new RunEvent.ExecutionStarted("e1", "digest", "batch", 10),
				new RunEvent.CallAccepted("e1", "c1", "search", CallOrigin.PROGRAM, 3));
		RunRecord folded = RunRecord.of(this.log, RUN);
		assertThat(folded.executions()).singleElement().satisfies((execution) -> {
			assertThat(execution.ended()).isNull();
			assertThat(execution.endedAt()).isNull();
		});
		assertThat(folded.calls()).extracting(RunRecord.Call::state).containsExactly(CallState.UNKNOWN);
		assertThat(folded.refusals()).isZero();
	}

	@Test
	void callsOfProgramsAreSpentWhateverBecameOfThemAndThoseOfTheModelAreNot() {
		add(new RunEvent.CallAccepted("e1", "c1", "search", CallOrigin.PROGRAM, 3),
				new RunEvent.CallAccepted("e1", "c2", "search", CallOrigin.PROGRAM, 3),
				new RunEvent.CallAccepted("e1", "c3", "search", CallOrigin.PROGRAM, 3),
				new RunEvent.CallAccepted("", "c4", "search", CallOrigin.MODEL, 3),
				new RunEvent.CallEnded("c3", CallState.REFUSED, ToolFailureKind.DENIED, Duration.ZERO, 0),
				new RunEvent.CallEnded("c2", CallState.FAILED, ToolFailureKind.TOOL_ERROR, Duration.ZERO, 0),
				new RunEvent.CallEnded("c4", CallState.REFUSED, ToolFailureKind.DENIED, Duration.ZERO, 0));
		RunRecord folded = RunRecord.of(this.log, RUN);
		assertThat(folded.acceptedCalls()).isEqualTo(3);
		assertThat(folded.refusals()).isEqualTo(2);
		assertThat(folded.callsLeft(AbstractRunLogTests.limits(4))).isEqualTo(1);
		assertThat(folded.callsLeft(AbstractRunLogTests.limits(2))).isZero();
		assertThat(folded.calls()).extracting(RunRecord.Call::state)
			.containsExactly(CallState.UNKNOWN, CallState.FAILED, CallState.REFUSED, CallState.REFUSED);
	}

	@Test
	void endWithoutABeginningIsNothing() {
		add(new RunEvent.CallEnded("c1", CallState.DONE, null, Duration.ZERO, 0),
				new RunEvent.ExecutionEnded("e1", "process", null, null, Duration.ZERO, 0, 0));
		RunRecord folded = RunRecord.of(this.log, RUN);
		assertThat(folded.calls()).isEmpty();
		assertThat(folded.executions()).isEmpty();
		assertThat(folded.lastNumber()).isEqualTo(2);
	}

	@Test
	void jsonTellsAllOfIt() {
		add(new RunEvent.ExecutionStarted("e1", "digest", null, 10),
				new RunEvent.CallAccepted("e1", "c1", "search", CallOrigin.PROGRAM, 3),
				new RunEvent.CallEnded("c1", CallState.DONE, null, Duration.ofMillis(12), 44),
				new RunEvent.CallAccepted("", "c2", "pay", CallOrigin.MODEL, 4),
				AbstractRunLogTests.kept("e1", "stdout-1", "b3V0", true), new RunEvent.ExecutionEnded("e1", "process",
						FailureKind.TIMEOUT, LimitHit.WALL_CLOCK, Duration.ofSeconds(30), 5, 6),
				new RunEvent.ExecutionStarted("e2", "digest", "batch", 11));
		assertThat(RunRecord.of(this.log, RUN).toJson()).isEqualTo(JsonValue
			.parse("""
					{
					  "tenant": "acme", "run": "run:1", "complete": true, "lastNumber": 7, "acceptedCalls": 1, "refusals": 0,
					  "executions": [
					    {"execution": "e1", "state": "ended", "spec": "digest", "profile": null, "programBytes": 10,
					     "startedAt": "2026-11-30T12:00:00Z", "endedAt": "2026-11-30T12:00:00Z", "backend": "process",
					     "failure": "timeout", "limitHit": "wall_clock", "milliseconds": 30000, "stdoutBytes": 5,
					     "stderrBytes": 6},
					    {"execution": "e2", "state": "unknown", "spec": "digest", "profile": "batch", "programBytes": 11,
					     "startedAt": "2026-11-30T12:00:00Z"}],
					  "calls": [
					    {"call": "c1", "execution": "e1", "tool": "search", "origin": "program", "state": "done",
					     "acceptedAt": "2026-11-30T12:00:00Z", "argumentBytes": 3, "failure": null, "milliseconds": 12,
					     "resultBytes": 44},
					    {"call": "c2", "execution": null, "tool": "pay", "origin": "model", "state": "unknown",
					     "acceptedAt": "2026-11-30T12:00:00Z", "argumentBytes": 4}],
					  "attachments": [
					    {"execution": "e1", "name": "stdout", "handle": "stdout-1", "mediaType": "text/plain", "bytes": 6,
					     "whole": true}]
					}"""));
	}

	private void add(RunEvent... events) {
		for (RunEvent event : events) {
			this.log.append(RUN, event);
		}
	}

}
