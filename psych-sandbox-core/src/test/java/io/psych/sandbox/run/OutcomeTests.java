package io.psych.sandbox.run;

import java.time.Duration;
import java.util.List;

import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.wire.Frame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class OutcomeTests {

	private static final List<String> NOTES = List.of("a note");

	@Test
	void doneWithoutAFailureIsItsValue() {
		Outcome outcome = of(new Verdict.Done(new Frame.Done(JsonValue.of(7), null, NOTES)), 0, 0);
		assertThat(outcome).isEqualTo(new Outcome(JsonValue.of(7), null, null, NOTES));
	}

	@Test
	void doneWhenAProcessWasEndedForWantOfMemoryIsNoSuccess() {
		Outcome outcome = of(new Verdict.Done(new Frame.Done(JsonValue.of(7), null, NOTES)), 0, 1);
		assertThat(outcome.value()).isEqualTo(JsonValue.NULL);
		assertThat(outcome.failure()).extracting(Failure::kind).isEqualTo(FailureKind.WORKER_EXIT);
		assertThat(outcome.failure().message()).contains("more memory than they may");
		assertThat(outcome.limitHit()).isEqualTo(LimitHit.MEMORY);
		assertThat(outcome.notes()).isEqualTo(NOTES);
	}

	@Test
	void failureOfAProgramKeepsItsWordsAndSaysMemoryUnlessItSpeaksOfALimitItself() {
		assertThat(failed(null, 0).limitHit()).isNull();
		assertThat(failed(null, 2).limitHit()).isEqualTo(LimitHit.MEMORY);
		assertThat(failed("processes", 2).limitHit()).isEqualTo(LimitHit.PROCESSES);
		assertThat(failed(null, 2).failure()).isEqualTo(failed(null, 0).failure());
	}

	private static Outcome failed(String limit, long oomKills) {
		return of(
				new Verdict.Done(new Frame.Done(JsonValue.NULL,
						new Frame.ProgramFailure("program_exception", "BrokenProcessPool", null, null, limit), NOTES)),
				0, oomKills);
	}

	@ParameterizedTest
	@CsvSource({ "137, 0,", "137, 1, MEMORY", "1, 0,", "1, 1, MEMORY", "152, 1, CPU" })
	void exitSaysMemoryWhereProcessesWereEndedForWantOfItAndNothingElseIsKnown(int status, long oomKills,
			LimitHit hit) {
		assertThat(of(new Verdict.Exited(), status, oomKills).limitHit()).isEqualTo(hit);
	}

	@Test
	void deadlineStaysTheLimitThatEndedItWhateverHappenedBefore() {
		assertThat(of(new Verdict.TimedOut(), 137, 3).limitHit()).isEqualTo(LimitHit.WALL_CLOCK);
	}

	private static Outcome of(Verdict verdict, int exitStatus, long oomKills) {
		return Outcome.of(verdict, Limits.defaults(), exitStatus, oomKills, Duration.ofMillis(5));
	}

}
