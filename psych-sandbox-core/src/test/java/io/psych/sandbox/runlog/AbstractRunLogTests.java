package io.psych.sandbox.runlog;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.limits.CallLimits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every log of runs keeps to. The starter's logs are held to it as well.
 */
public abstract class AbstractRunLogTests {

	private static final RunKey RUN = new RunKey("acme", "run:1");

	/**
	 * Quotes, what a database or JSON escapes, beyond the basic plane, what is no text.
	 */
	private static final String ODD = "a'b\"c\\d\0e\u001b[2J\r\n\t%s_?;-- \u2028\u202e\ufffe\uffff caf\u00e9 \ud83d\ude00";

	/**
	 * Return an empty log.
	 * @return the log
	 */
	protected abstract RunLog log();

	/**
	 * Return what another host has of a log.
	 * @param log the log
	 * @return a log with the same storage, or the same log where that can't be shared
	 */
	protected RunLog onAnotherHost(RunLog log) {
		return log;
	}

	@Test
	void eventsAreReadInTheOrderTheyWereAddedWithEveryFieldAsItWas() {
		RunLog log = log();
		List<RunEvent> events = new ArrayList<>();
		for (FailureKind failure : withNull(FailureKind.values())) {
			for (LimitHit limit : withNull(LimitHit.values())) {
				events.add(new RunEvent.ExecutionEnded("execution-1", "bubblewrap", failure, limit,
						Duration.ofSeconds(3, 141_592_653), Long.MAX_VALUE, 0));
			}
		}
		for (ToolFailureKind failure : withNull(ToolFailureKind.values())) {
			for (CallState state : CallState.values()) {
				events.add(new RunEvent.CallEnded("call-1", state, failure, Duration.ofNanos(1), 77));
			}
		}
		for (CallOrigin origin : CallOrigin.values()) {
			events.add(new RunEvent.CallAccepted("", "call-2", "search", origin, 0));
		}
		events.add(new RunEvent.ExecutionStarted("execution-1", "0".repeat(64), null, 1));
		events.add(new RunEvent.ExecutionStarted("execution-1", "", "", Long.MAX_VALUE));
		events.add(kept("execution-1", "stdout-1", "c3Rkb3V0", true));
		events.add(kept("execution-1", "stdout-2", "", false));
		events.add(kept("execution-1", "stdout-3", null, true));
		events.forEach((event) -> log.append(RUN, event));
		assertThat(log.read(RUN, 0, 1_000)).extracting(RunLog.Entry::event).isEqualTo(events);
		assertThat(numbers(log)).isEqualTo(upTo(events.size()));
	}

	@Test
	void oddCharactersComeBackAsTheyWere() {
		RunLog log = log();
		List<RunEvent> events = List.of(new RunEvent.ExecutionStarted(ODD, ODD, ODD, 1),
				new RunEvent.ExecutionEnded(ODD, ODD, null, null, Duration.ZERO, 0, 0),
				new RunEvent.AttachmentKept(ODD, new Attachment(ODD, "artifact-1", ODD, 3, true), null),
				new RunEvent.CallAccepted(ODD, ODD, ODD, CallOrigin.MODEL, 1),
				new RunEvent.CallEnded(ODD, CallState.DONE, null, Duration.ZERO, 1));
		events.forEach((event) -> log.append(RUN, event));
		assertThat(log.read(RUN, 0, 10)).extracting(RunLog.Entry::event).isEqualTo(events);
	}

	@Test
	void contentOf64KibibytesComesBackWhole() {
		RunLog log = log();
		byte[] content = new byte[64 * 1024];
		for (int i = 0; i < content.length; i++) {
			content[i] = (byte) (i * 31);
		}
		RunEvent.AttachmentKept event = kept("execution-1", "artifact-1", Base64.getEncoder().encodeToString(content),
				true);
		log.append(RUN, event);
		assertThat(log.attachment(RUN, "artifact-1")).isEqualTo(event);
		assertThat(log.read(RUN, 0, 1)).extracting(RunLog.Entry::event).containsExactly(event);
	}

	@Test
	void eventsSayWhenTheyWereRecorded() {
		RunLog log = log();
		Instant before = Instant.now().truncatedTo(ChronoUnit.MICROS);
		log.append(RUN, accepted("a", CallOrigin.PROGRAM));
		Instant after = Instant.now();
		List<RunLog.Entry> read = log.read(RUN, 0, 10);
		assertThat(read.get(0).at()).isBetween(before, after);
		assertThat(onAnotherHost(log).read(RUN, 0, 10)).isEqualTo(read);
	}

	@Test
	void attachmentIsFoundByTheRunThatKeptItAlone() {
		RunLog log = log();
		RunKey sameRunOfAnother = new RunKey("other", RUN.run());
		RunEvent.AttachmentKept event = kept("execution-1", "stdout-1", "b3V0", true);
		log.append(RUN, accepted("a", CallOrigin.PROGRAM));
		log.append(RUN, event);
		log.append(RUN, kept("execution-1", "stdout-2", null, false));
		log.append(sameRunOfAnother, accepted("a", CallOrigin.PROGRAM));
		assertThat(log.attachment(RUN, "stdout-1")).isEqualTo(event);
		assertThat(onAnotherHost(log).attachment(RUN, "stdout-1")).isEqualTo(event);
		assertThat(log.attachment(sameRunOfAnother, "stdout-1")).isNull();
		assertThat(log.attachment(new RunKey("acme", "run:2"), "stdout-1")).isNull();
		assertThat(log.attachment(new RunKey("acme", "execution:1"), "stdout-1")).isNull();
	}

	@Test
	void whatIsNoHandleOfARunFindsNothing() {
		RunLog log = log();
		log.append(RUN, kept("execution-1", "stdout-1", "b3V0", true));
		for (String fabricated : List.of("stdout-3", "STDOUT-1", "stdout-1 ", " stdout-1", "stdout-", "%", "stdout_1",
				"", "stdout-1\0", "\ud83d", ODD, "x".repeat(100_000))) {
			assertThat(log.attachment(RUN, fabricated)).as(fabricated).isNull();
		}
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
		assertThat(read).isEqualTo(log.read(RUN, 0, Integer.MAX_VALUE)).hasSize(25);
		assertThat(log.read(RUN, 24, 10)).hasSize(1);
		assertThat(log.read(RUN, 25, 10)).isEmpty();
		assertThat(log.read(RUN, 0, 1)).hasSize(1);
		assertThat(log.read(RUN, 0, 0)).isEmpty();
	}

	@Test
	void runsAreApartByTenantAndName() {
		RunLog log = log();
		log.append(RUN, accepted("a", CallOrigin.PROGRAM));
		assertThat(log.accept(RUN, accepted("one-more", CallOrigin.PROGRAM), 1)).isEmpty();
		String longest = "\ud83d\ude00".repeat(Scope.MOST_CHARACTERS / 2);
		for (RunKey other : List.of(new RunKey("other", "run:1"), new RunKey("acme", "run:2"),
				new RunKey("acme", "execution:1"), new RunKey("", "run:1"), new RunKey("ACME", "run:1"),
				new RunKey("acme ", "run:1"), new RunKey("acme", "run:1 "), new RunKey("acm\u00e9", "run:1"),
				new RunKey("acme\u0301", "run:1"), new RunKey("a'; --", "run:%"),
				RunKey.of(new Scope(longest, longest, null), "execution-1"))) {
			assertThat(log.read(other, 0, 10)).as("%s", other).isEmpty();
			assertThat(log.accept(other, accepted("b", CallOrigin.PROGRAM), 1)).as("%s", other).hasValue(1);
			assertThat(log.accept(other, accepted("c", CallOrigin.PROGRAM), 1)).as("%s", other).isEmpty();
		}
		assertThat(log.read(RUN, 0, 10)).hasSize(1);
	}

	@Test
	void asManyCallsAsMayAreAcceptedAndOneMoreIsNot() {
		RunLog log = log();
		assertThat(log.accept(RUN, accepted("none", CallOrigin.PROGRAM), 0)).isEmpty();
		assertThat(log.read(RUN, 0, 100)).isEmpty();
		// Direct calls of the model are recorded and not counted.
		log.append(RUN, accepted("direct", CallOrigin.MODEL));
		for (int i = 0; i < 3; i++) {
			assertThat(log.accept(RUN, accepted("call-" + i, CallOrigin.PROGRAM), 3)).hasValue(i + 2);
		}
		assertThat(log.accept(RUN, accepted("one-more", CallOrigin.PROGRAM), 3)).isEmpty();
		assertThat(log.read(RUN, 0, 100)).hasSize(4);
		assertThat(onAnotherHost(log).accept(RUN, accepted("one-more", CallOrigin.PROGRAM), 3)).isEmpty();
		assertThat(log.accept(RUN, accepted("allowed-more", CallOrigin.PROGRAM), 4)).hasValue(5);
	}

	@Test
	void whoeverAddsAtTheSameTimeTheAllowanceIsOneAndNumbersAreConsecutive() throws Exception {
		addAtTheSameTime();
	}

	/**
	 * Add and accept with many threads of two hosts, and check every number.
	 * @throws Exception if one of them fails
	 */
	protected final void addAtTheSameTime() throws Exception {
		RunLog log = log();
		List<RunLog> hosts = List.of(log, onAnotherHost(log));
		ExecutorService threads = Executors.newFixedThreadPool(8);
		List<Long> given = new ArrayList<>();
		try {
			List<Callable<OptionalLong>> tasks = new ArrayList<>();
			for (int i = 0; i < 120; i++) {
				String call = "call-" + i;
				RunLog host = hosts.get(i % 2);
				tasks.add(() -> host.accept(RUN, accepted(call, CallOrigin.PROGRAM), 50));
				tasks.add(() -> OptionalLong
					.of(host.append(RUN, new RunEvent.CallEnded(call, CallState.DONE, null, Duration.ZERO, 1))));
			}
			for (Future<OptionalLong> answer : threads.invokeAll(tasks)) {
				answer.get().ifPresent(given::add);
			}
		}
		finally {
			threads.shutdownNow();
		}
		List<RunLog.Entry> read = log.read(RUN, 0, 1_000);
		assertThat(read).extracting(RunLog.Entry::number).isEqualTo(upTo(170));
		assertThat(given).containsExactlyInAnyOrderElementsOf(upTo(170));
		assertThat(read).filteredOn((entry) -> entry.event() instanceof RunEvent.CallAccepted).hasSize(50);
		assertThat(read).extracting(RunLog.Entry::event).doesNotHaveDuplicates();
		assertThat(log.accept(RUN, accepted("one-more", CallOrigin.PROGRAM), 50)).isEmpty();
		assertThat(RunRecord.of(log, RUN).callsLeft(limits(51))).isEqualTo(1);
	}

	@Test
	void manyRunsThatBeginAtTheSameTimeEachBeginWithOne() throws Exception {
		RunLog log = log();
		List<RunLog> hosts = List.of(log, onAnotherHost(log));
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			for (int i = 0; i < 20; i++) {
				RunKey run = new RunKey("", "run:" + i);
				List<Callable<Long>> tasks = new ArrayList<>();
				for (int task = 0; task < 8; task++) {
					RunLog host = hosts.get(task % 2);
					RunEvent event = accepted("call-" + task, CallOrigin.MODEL);
					tasks.add(() -> host.append(run, event));
				}
				List<Long> given = new ArrayList<>();
				for (Future<Long> answer : threads.invokeAll(tasks)) {
					given.add(answer.get());
				}
				assertThat(given).containsExactlyInAnyOrderElementsOf(upTo(8));
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void recordFoldsWhatIsReadInPages() {
		RunLog log = log();
		int calls = RunRecord.PAGE + 1;
		log.append(RUN, new RunEvent.ExecutionStarted("execution-1", "digest", null, 1));
		for (int i = 0; i < calls; i++) {
			log.accept(RUN, accepted("call-" + i, CallOrigin.PROGRAM), calls);
		}
		RunRecord folded = RunRecord.of(log, RUN);
		assertThat(folded.acceptedCalls()).isEqualTo(calls);
		assertThat(folded.lastNumber()).isEqualTo(calls + 1);
		assertThat(folded.complete()).isTrue();
		assertThat(RunRecord.of(onAnotherHost(log), RUN)).isEqualTo(folded);
	}

	@Test
	void logSaysInAFewWordsWhereItKeepsThem() {
		assertThat(log().description()).isNotBlank().hasSizeLessThan(60).doesNotContain("@", ";");
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

	static RunEvent.AttachmentKept kept(String execution, String handle, String inline, boolean whole) {
		return new RunEvent.AttachmentKept(execution, new Attachment("stdout", handle, "text/plain", 6, whole), inline);
	}

	static CallLimits limits(int perRun) {
		CallLimits defaults = CallLimits.defaults();
		return new CallLimits(1, perRun, defaults.arguments(), defaults.result(), defaults.total(), defaults.kept());
	}

	private static List<Long> numbers(RunLog log) {
		return log.read(RUN, 0, 1_000).stream().map(RunLog.Entry::number).toList();
	}

	private static List<Long> upTo(long last) {
		return LongStream.rangeClosed(1, last).boxed().toList();
	}

	private static <T> List<T> withNull(T[] values) {
		List<T> all = new ArrayList<>(Stream.of(values).toList());
		all.add(null);
		return all;
	}

}
