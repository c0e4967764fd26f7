package io.psych.sandbox.run;

import java.io.ByteArrayOutputStream;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.contract.Bindings;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.wire.Frame;
import io.psych.sandbox.wire.FrameWriter;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class CallsTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	private static final Duration SHORT = Duration.ofMillis(20);

	private static final JsonValue NOTHING = JsonValue.parse("{}");

	private static final Executor DIRECT = Runnable::run;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Answers answers = new Answers();

	private final Threads ours = new Threads();

	private ScheduledThreadPoolExecutor timer;

	@BeforeEach
	void startTimer() {
		this.timer = this.ours.timer();
	}

	@AfterEach
	void endThreads() {
		this.threads.shutdownNow();
		this.ours.close();
	}

	@Test
	void acceptWhenTheNumberIsNotTheSuccessorRefusesAndKeepsNothing() throws Exception {
		Calls calls = calls(echo(), DIRECT, LONG, 4);
		assertThat(calls.accept(call(0))).isTrue();
		assertThat(calls.accept(call(0))).isFalse();
		assertThat(calls.accept(call(2))).isFalse();
		assertThat(calls.accept(call(1))).isTrue();
		assertThat(calls.settle(LONG)).extracting(CallRecord::id).containsExactly(0, 1);
	}

	@Test
	void settleListsCallsInTheOrderTheyCameHoweverTheyEnded() throws Exception {
		CountDownLatch second = new CountDownLatch(1);
		Calls calls = calls((name, arguments) -> {
			if (name.equals("first")) {
				second.await();
			}
			else {
				second.countDown();
			}
			return new CallOutcome.Value(JsonValue.of(name));
		}, this.threads, LONG, 4);
		calls.accept(new Frame.Call(0, "first", NOTHING));
		calls.accept(new Frame.Call(1, "second", NOTHING));
		this.answers.await(2);
		calls.stop();
		assertThat(calls.settle(LONG)).extracting(CallRecord::name).containsExactly("first", "second");
		assertThat(calls.unlisted()).isEmpty();
		assertThat(this.answers.lines()).containsExactlyInAnyOrder("{\"type\":\"reply\",\"id\":0,\"value\":\"first\"}",
				"{\"type\":\"reply\",\"id\":1,\"value\":\"second\"}");
	}

	@Test
	void settleWhenThereWereMoreThanAreListedCountsTheOthersByWhatBecameOfThem() throws Exception {
		Calls calls = calls((name, arguments) -> name.equals("refused")
				? new CallOutcome.Failed(ToolFailureKind.NOT_OFFERED, "No.") : new CallOutcome.Value(arguments), DIRECT,
				LONG, 4);
		for (int i = 0; i < 10_000; i++) {
			calls.accept(call(i));
		}
		assertThat(calls.settle(LONG)).hasSize(10_000);
		assertThat(calls.unlisted()).isEmpty();
		calls.accept(call(10_000));
		calls.accept(new Frame.Call(10_001, "refused", NOTHING));
		calls.accept(call(10_002));
		assertThat(calls.settle(LONG)).hasSize(10_000).last().extracting(CallRecord::id).isEqualTo(9_999);
		assertThat(calls.unlisted()).isEqualTo(Map.of(CallState.DONE, 2L, CallState.REFUSED, 1L));
	}

	@Test
	void callsThatHaveEndedLeaveOneAlarmWithTheTimerAndNoneOnceSettled() throws Exception {
		Calls calls = calls(echo(), DIRECT, LONG, 4);
		for (int i = 0; i < 100; i++) {
			calls.accept(call(i));
		}
		assertThat(this.timer.getQueue()).hasSize(1);
		calls.settle(LONG);
		assertThat(this.timer.getQueue()).isEmpty();
	}

	@Test
	void eachCallTimesOutAtItsOwnTimeAlsoWhenThoseBeforeItHaveEnded() throws Exception {
		Duration patience = Duration.ofSeconds(1);
		CountDownLatch never = new CountDownLatch(1);
		Calls calls = calls((name, arguments) -> {
			if (name.equals("echo")) {
				return new CallOutcome.Value(arguments);
			}
			never.await();
			throw new AssertionError();
		}, this.threads, patience, 4);
		calls.accept(call(0));
		this.answers.await(1);
		calls.accept(new Frame.Call(1, "first", NOTHING));
		calls.accept(call(2));
		calls.accept(new Frame.Call(3, "second", NOTHING));
		this.answers.await(3);
		assertThat(this.timer.getQueue()).isEmpty();
		List<CallRecord> ledger = calls.settle(LONG);
		assertThat(ledger).extracting(CallRecord::failure)
			.containsExactly(null, ToolFailureKind.TIMED_OUT, null, ToolFailureKind.TIMED_OUT);
		assertThat(ledger).element(3)
			.extracting(CallRecord::duration, InstanceOfAssertFactories.DURATION)
			.isGreaterThanOrEqualTo(patience);
	}

	@Test
	void callThatHasEndedHoldsNeitherItsArgumentsNorItsResult() throws Exception {
		ReferenceQueue<JsonValue> gone = new ReferenceQueue<>();
		List<WeakReference<JsonValue>> held = new ArrayList<>();
		Calls calls = calls((name, arguments) -> {
			JsonValue result = JsonValue.of(List.of(name));
			held.add(new WeakReference<>(result, gone));
			return new CallOutcome.Value(result);
		}, DIRECT, LONG, 4);
		for (int i = 0; i < 3; i++) {
			JsonValue arguments = JsonValue.of(Map.of("i", i));
			held.add(new WeakReference<>(arguments, gone));
			calls.accept(new Frame.Call(i, "tool", arguments));
		}
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
		int count = 0;
		while (count < 6 && System.nanoTime() - deadline < 0) {
			System.gc();
			Reference<?> one = gone.remove(50);
			count += (one != null) ? 1 : 0;
		}
		assertThat(count).as("arguments and results that nothing holds").isEqualTo(held.size());
		assertThat(calls.settle(LONG)).hasSize(3);
	}

	@Test
	void stopCutsOffWhatIsOpenAndOnlyThat() throws Exception {
		CountDownLatch reached = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		Calls calls = calls((name, arguments) -> {
			if (name.equals("open")) {
				reached.countDown();
				try {
					new CountDownLatch(1).await();
				}
				catch (InterruptedException ex) {
					interrupted.countDown();
					throw ex;
				}
			}
			return new CallOutcome.Value(arguments);
		}, this.threads, LONG, 4);
		calls.accept(call(0));
		this.answers.await(1);
		calls.accept(new Frame.Call(1, "open", NOTHING));
		assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(calls.stop()).containsExactly("open");
		assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
		calls.accept(new Frame.Call(2, "late", NOTHING));
		assertThat(calls.settle(LONG)).extracting(CallRecord::state)
			.containsExactly(CallState.DONE, CallState.UNKNOWN, CallState.REFUSED);
		assertThat(this.answers.lines()).hasSize(1);
		assertThat(this.timer.getQueue()).isEmpty();
	}

	@Test
	void settleGivesUpAToolThatHeedsNoInterrupt() throws Exception {
		CountDownLatch reached = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		Calls calls = calls((name, arguments) -> {
			reached.countDown();
			awaitHeedless(release);
			return new CallOutcome.Value(arguments);
		}, this.threads, LONG, 4);
		calls.accept(call(0));
		assertThat(reached.await(20, TimeUnit.SECONDS)).isTrue();
		calls.stop();
		assertThat(calls.settle(SHORT)).extracting(CallRecord::state).containsExactly(CallState.UNKNOWN);
		release.countDown();
		this.threads.shutdown();
		assertThat(this.threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
		assertThat(calls.settle(SHORT)).extracting(CallRecord::state).containsExactly(CallState.UNKNOWN);
	}

	@Test
	void acceptWhenACallTimedOutBeforeAThreadCameToItTakesTheNext() throws Exception {
		List<Runnable> waiting = new ArrayList<>();
		List<String> made = new ArrayList<>();
		Calls calls = calls((name, arguments) -> {
			made.add(name);
			return new CallOutcome.Value(arguments);
		}, (task) -> {
			if (waiting.isEmpty()) {
				waiting.add(task);
			}
			else {
				task.run();
			}
		}, Duration.ofSeconds(2), 1);
		calls.accept(new Frame.Call(0, "never", NOTHING));
		calls.accept(new Frame.Call(1, "next", NOTHING));
		waiting.get(0).run();
		assertThat(made).containsExactly("next");
		assertThat(calls.settle(LONG)).extracting(CallRecord::failure).containsExactly(ToolFailureKind.TIMED_OUT, null);
	}

	@Test
	void acceptWhenAnswersAreNotReadTakesNoMoreCallsThanMayRun() throws Exception {
		Semaphore writes = new Semaphore(0);
		CountDownLatch writing = new CountDownLatch(1);
		CountDownLatch third = new CountDownLatch(1);
		Calls calls = new Calls(bindings((name, arguments) -> {
			if (name.equals("third")) {
				third.countDown();
				return new CallOutcome.Value(arguments);
			}
			new CountDownLatch(1).await();
			throw new AssertionError();
		}), new FrameWriter(new GatedChannel(writing, writes)), this.threads, this.timer, Duration.ofSeconds(2), 2,
				new Pace());
		calls.accept(call(0));
		calls.accept(call(1));
		CompletableFuture<Boolean> accepted = CompletableFuture.supplyAsync(() -> {
			try {
				return calls.accept(new Frame.Call(2, "third", NOTHING));
			}
			catch (InterruptedException ex) {
				return false;
			}
		}, this.threads);
		assertThat(writing.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(third.await(300, TimeUnit.MILLISECONDS)).isFalse();
		assertThat(accepted).isNotDone();
		writes.release(1_000);
		assertThat(accepted.get(20, TimeUnit.SECONDS)).isTrue();
		assertThat(third.await(20, TimeUnit.SECONDS)).isTrue();
		this.threads.shutdown();
		assertThat(this.threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
		assertThat(calls.settle(LONG)).extracting(CallRecord::failure)
			.containsExactly(ToolFailureKind.TIMED_OUT, ToolFailureKind.TIMED_OUT, null);
	}

	@Test
	void acceptWhenTheExecutorTakesNothingEndsTheCallAndHoldsNoPlace() throws Exception {
		ExecutorService closed = Executors.newSingleThreadExecutor();
		closed.shutdown();
		Calls calls = calls(echo(), closed, LONG, 1);
		assertThat(calls.accept(call(0))).isTrue();
		assertThat(calls.accept(call(1))).isTrue();
		assertThat(calls.settle(LONG)).extracting(CallRecord::failure)
			.containsExactly(ToolFailureKind.CANCELLED, ToolFailureKind.CANCELLED);
		assertThat(this.timer.getQueue()).isEmpty();
	}

	private Calls calls(Tool tool, Executor executor, Duration patience, int most) {
		return new Calls(bindings(tool), new FrameWriter(this.answers), executor, this.timer, patience, most,
				new Pace());
	}

	private static Frame.Call call(long id) {
		return new Frame.Call(id, "echo", NOTHING);
	}

	private static Tool echo() {
		return (name, arguments) -> new CallOutcome.Value(arguments);
	}

	private static void awaitHeedless(CountDownLatch release) {
		boolean waiting = true;
		while (waiting) {
			try {
				release.await();
				waiting = false;
			}
			catch (InterruptedException ex) {
				// As a tool may.
			}
		}
	}

	/**
	 * What is behind the bindings.
	 */
	@FunctionalInterface
	private interface Tool {

		CallOutcome call(String name, JsonValue arguments) throws InterruptedException;

	}

	private static Bindings bindings(Tool tool) {
		return new Bindings() {

			@Override
			public List<String> names() {
				return List.of();
			}

			@Override
			public CallOutcome call(String name, JsonValue arguments) {
				try {
					return tool.call(name, arguments);
				}
				catch (InterruptedException ex) {
					return new CallOutcome.Failed(ToolFailureKind.CANCELLED, "The call was cut off.");
				}
			}

		};
	}

	/**
	 * A channel whose other end reads everything.
	 */
	private static final class Answers implements WritableByteChannel {

		private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

		private final Semaphore count = new Semaphore(0);

		@Override
		public synchronized int write(ByteBuffer source) {
			int size = source.remaining();
			for (int i = 0; i < size; i++) {
				byte one = source.get();
				this.sent.write(one);
				if (one == '\n') {
					this.count.release();
				}
			}
			return size;
		}

		void await(int answers) throws InterruptedException {
			assertThat(this.count.tryAcquire(answers, 20, TimeUnit.SECONDS)).as("%d answers", answers).isTrue();
		}

		synchronized List<String> lines() {
			return this.sent.toString(StandardCharsets.UTF_8).lines().toList();
		}

		@Override
		public boolean isOpen() {
			return true;
		}

		@Override
		public void close() {
		}

	}

	/**
	 * A channel whose other end reads when it is let.
	 */
	private record GatedChannel(CountDownLatch writing, Semaphore writes) implements WritableByteChannel {

		@Override
		public int write(ByteBuffer source) {
			this.writing.countDown();
			this.writes.acquireUninterruptibly();
			int size = source.remaining();
			source.position(source.limit());
			return size;
		}

		@Override
		public boolean isOpen() {
			return true;
		}

		@Override
		public void close() {
		}

	}

}
