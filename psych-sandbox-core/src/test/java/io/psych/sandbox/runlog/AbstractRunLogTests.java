package io.psych.sandbox.runlog;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ToolFailureKind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every log of runs keeps to.
 */
public abstract class AbstractRunLogTests {

	private static final RunKey RUN = new RunKey("acme", "run:1");

	/**
	 * Return an empty log.
	 * @return the log
	 */
	protected abstract RunLog log();

	@Test
	void eventsAreReadInTheOrderTheyWereAddedAsTheyWere() {
		RunLog log = log();
		List<RunEvent> events = List.of(accepted("a", CallOrigin.PROGRAM),
				new RunEvent.CallEnded("a", CallState.FAILED, ToolFailureKind.TOOL_ERROR, Duration.ofMillis(12), 0),
				accepted("b", CallOrigin.MODEL),
				new RunEvent.CallEnded("b", CallState.DONE, null, Duration.ofMillis(3), 77));
		events.forEach((event) -> log.append(RUN, event));
		assertThat(log.read(RUN, 0, 100)).extracting(RunLog.Entry::event).isEqualTo(events);
		assertThat(log.read(RUN, 0, 100)).extracting(RunLog.Entry::number).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void readingGoesOnWhereItEnded() {
		RunLog log = log();
		for (int i = 0; i < 25; i++) {
			log.append(RUN, accepted("call-" + i, CallOrigin.PROGRAM));
		}
		List<RunLog.Entry> read = new ArrayList<>();
		List<RunLog.Entry> page;
		long last = 0;
		do {
			page = log.read(RUN, last, 10);
			read.addAll(page);
			last = page.isEmpty() ? last : page.get(page.size() - 1).number();
		}
		while (!page.isEmpty());
		assertThat(read).isEqualTo(log.read(RUN, 0, 100)).hasSize(25);
	}

	@Test
	void runsAreApartByTenantAndName() {
		RunLog log = log();
		log.append(RUN, accepted("a", CallOrigin.PROGRAM));
		assertThat(log.read(new RunKey("other", "run:1"), 0, 10)).isEmpty();
		assertThat(log.read(new RunKey("acme", "run:2"), 0, 10)).isEmpty();
		assertThat(log.accept(new RunKey("other", "run:1"), accepted("b", CallOrigin.PROGRAM), 1)).isPresent();
	}

	@Test
	void asManyCallsAsMayAreAcceptedAndOneMoreIsNot() {
		RunLog log = log();
		// Direct calls of the model are recorded and not counted.
		log.append(RUN, accepted("direct", CallOrigin.MODEL));
		for (int i = 0; i < 3; i++) {
			assertThat(log.accept(RUN, accepted("call-" + i, CallOrigin.PROGRAM), 3)).isPresent();
		}
		assertThat(log.accept(RUN, accepted("one-more", CallOrigin.PROGRAM), 3)).isEmpty();
		assertThat(log.read(RUN, 0, 100)).hasSize(4);
		assertThat(log.accept(RUN, accepted("allowed-more", CallOrigin.PROGRAM), 4)).isPresent();
	}

	@Test
	void whoeverAddsAtTheSameTimeTheAllowanceIsOneAndNumbersAreUnique() throws Exception {
		RunLog log = log();
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			List<Callable<OptionalLong>> tasks = new ArrayList<>();
			for (int i = 0; i < 120; i++) {
				String call = "call-" + i;
				tasks.add(() -> log.accept(RUN, accepted(call, CallOrigin.PROGRAM), 50));
			}
			int accepted = 0;
			for (Future<OptionalLong> answer : threads.invokeAll(tasks)) {
				accepted += answer.get().isPresent() ? 1 : 0;
			}
			assertThat(accepted).isEqualTo(50);
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(log.read(RUN, 0, 1_000)).extracting(RunLog.Entry::number).hasSize(50).doesNotHaveDuplicates();
	}

	/**
	 * Return the acceptance of a call.
	 * @param call its name
	 * @param origin who called
	 * @return the event
	 */
	protected static RunEvent.CallAccepted accepted(String call, CallOrigin origin) {
		return new RunEvent.CallAccepted("execution-1", call, "search", origin, 12);
	}

}
