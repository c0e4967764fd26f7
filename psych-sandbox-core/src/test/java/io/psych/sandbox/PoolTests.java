package io.psych.sandbox;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.psych.sandbox.backend.Backend;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Finding;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.run.PoolStatus;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Children that were started ahead are as fresh, as confined and as short-lived as those
 * that were not.
 */
class PoolTests {

	private static final Duration LONG = Duration.ofMinutes(10);

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void everyExecutionHasAProcessOfItsOwnAndNothingIsKept(String backend) {
		try (Sandbox sandbox = builder(backend).pool(2, LONG).build()) {
			for (int i = 0; i < 6; i++) {
				await(sandbox, (status) -> status.waiting() == 2);
				RunResult result = sandbox.run(RunRequest
					.of("""
							import builtins, os
							seen = [getattr(builtins, "mark", None), os.listdir("."), os.path.exists("/tmp/mark"), os.path.exists("/dev/shm/mark")]
							builtins.mark = 1
							for path in ("/tmp/mark", "mark", "/dev/shm/mark"):
							    try:
							        open(path, "w").write("x")
							    except OSError:
							        pass
							seen
							"""));
				assertThat(result.value()).as(result.toJson().toJson())
					.isEqualTo(JsonValue.parse("[null, [], false, false]"));
			}
			PoolStatus status = sandbox.pool();
			assertThat(status.taken()).isEqualTo(6);
			assertThat(status.missed()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void mountsAreHeldAsLongAsTheirChildIsThere(String backend) throws Exception {
		List<String> before = Descriptors.mountNamespaces();
		try (Sandbox sandbox = builder(backend).pool(2, LONG).build()) {
			sandbox.isolation();
			for (int i = 0; i < 4; i++) {
				await(sandbox, (status) -> status.waiting() == 2);
				awaitHeldMounts(before.size() + 2);
				assertThat(sandbox.run(RunRequest.of("1")).succeeded()).isTrue();
			}
		}
		assertThat(Descriptors.mountNamespaces()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void childThatWaitedIsGradedLikeAnyOther(String backend) {
		IsolationReport cold;
		try (Sandbox sandbox = builder(backend).build()) {
			sandbox.isolation();
			cold = sandbox.run(RunRequest.of("1")).isolation();
			assertThat(sandbox.pool()).isEqualTo(PoolStatus.NONE);
		}
		try (Sandbox sandbox = builder(backend).pool(1, LONG).build()) {
			sandbox.isolation();
			await(sandbox, (status) -> status.waiting() == 1);
			IsolationReport warm = sandbox.run(RunRequest.of("1")).isolation();
			assertThat(sandbox.pool().taken()).isOne();
			assertThat(warm.findings()).extracting(Finding::guarantee, Finding::grade)
				.isEqualTo(cold.findings()
					.stream()
					.map((finding) -> Tuple.tuple(finding.guarantee(), finding.grade()))
					.toList());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void limitsArriveWithTheProgram(String backend) {
		Limits narrow = Limits.defaults()
			.withAddressSpace(ByteSize.ofMebibytes(64))
			.withCpu(Duration.ofSeconds(1))
			.withProcesses(3)
			.withStream(ByteSize.ofBytes(100))
			.withCapture(ByteSize.ofBytes(200));
		try (Sandbox sandbox = builder(backend).pool(1, LONG).build()) {
			await(sandbox, (status) -> status.waiting() == 1);
			RunResult memory = sandbox.run(RunRequest.of("x = bytearray(200 << 20)").withLimits(narrow));
			assertThat(memory.limitHit()).as(memory.toJson().toJson()).isEqualTo(LimitHit.MEMORY);
			await(sandbox, (status) -> status.waiting() == 1);
			RunResult output = sandbox.run(RunRequest.of("print('x' * 1000)").withLimits(narrow));
			assertThat(output.stdout().omittedBytes()).isEqualTo(901);
			assertThat(
					sandbox.attachments().find(Scope.NONE, output.attachments().get(0).handle()).attachment().bytes())
				.isBetween(200L, 250L);
			await(sandbox, (status) -> status.waiting() == 1);
			RunResult busy = sandbox.run(RunRequest.of("while True: pass").withLimits(narrow));
			assertThat(busy.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
			assertThat(busy.limitHit()).isEqualTo(LimitHit.CPU);
			assertThat(sandbox.pool().taken()).isEqualTo(3);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void workspaceOfAnotherSizeIsStartedAnew(String backend) {
		Limits small = Limits.defaults().intersect(smallWorkspace());
		try (Sandbox sandbox = builder(backend).pool(1, LONG).build()) {
			await(sandbox, (status) -> status.waiting() == 1);
			RunResult result = sandbox.run(RunRequest.of("""
					try:
					    open("a", "wb").write(bytes(2 << 20))
					except OSError as problem:
					    seen = problem.errno
					seen
					""").withLimits(small));
			assertThat(result.value()).as(result.toJson().toJson()).isEqualTo(JsonValue.of(28));
			assertThat(sandbox.pool()).extracting(PoolStatus::taken, PoolStatus::missed).containsExactly(0L, 1L);
		}
		try (Sandbox sandbox = builder(backend).profile("small", small).pool(1, LONG).build()) {
			await(sandbox, (status) -> status.waiting() == 2);
			assertThat(sandbox.run(RunRequest.of("1").withProfile("small")).succeeded()).isTrue();
			assertThat(sandbox.pool().taken()).isOne();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void childThatDiedWhileItWaitedIsNotUsed(String backend) {
		try (Sandbox sandbox = builder(backend).pool(1, LONG).build()) {
			await(sandbox, (status) -> status.waiting() == 1);
			List<ProcessHandle> children = children();
			children.forEach(ProcessHandle::destroyForcibly);
			children.forEach((child) -> child.onExit().join());
			RunResult result = sandbox.run(RunRequest.of("7"));
			assertThat(result.value()).as(result.toJson().toJson()).isEqualTo(JsonValue.of(7));
			assertThat(sandbox.pool().expired()).isOne();
		}
	}

	@Test
	void childThatWaitedTooLongIsReplaced() {
		try (Sandbox sandbox = builder("auto").pool(1, Duration.ofMillis(200)).build()) {
			await(sandbox, (status) -> status.expired() >= 3);
			assertThat(sandbox.run(RunRequest.of("7")).value()).isEqualTo(JsonValue.of(7));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void closeLeavesNoneOfThoseThatWait(String backend) {
		Set<Long> before = new HashSet<>(children().stream().map(ProcessHandle::pid).toList());
		try (Sandbox sandbox = builder(backend).pool(3, LONG).build()) {
			await(sandbox, (status) -> status.waiting() >= 1);
		}
		assertThat(children().stream().map(ProcessHandle::pid).filter((pid) -> !before.contains(pid))).isEmpty();
	}

	@Test
	void emptyPoolStartsColdAndSaysSo() throws Exception {
		try (Sandbox sandbox = builder("auto").pool(1, LONG).build()) {
			await(sandbox, (status) -> status.waiting() == 1);
			ExecutorService callers = Executors.newCachedThreadPool();
			List<Future<RunResult>> all = new ArrayList<>();
			for (int i = 0; i < 6; i++) {
				all.add(callers.submit(() -> sandbox.run(RunRequest.of("1"))));
			}
			for (Future<RunResult> one : all) {
				assertThat(one.get().succeeded()).isTrue();
			}
			callers.shutdown();
			PoolStatus status = sandbox.pool();
			assertThat(status.taken() + status.missed()).isEqualTo(6);
			assertThat(status.missed()).isPositive();
			await(sandbox, (now) -> now.waiting() == 1);
		}
	}

	@Test
	void poolTakesNoMoreThanHalfOfTheUsersOfARange() {
		Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "only root has ranges of users");
		try (Sandbox sandbox = builder("process").runAs("60000-60002").pool(3, LONG).build()) {
			await(sandbox, (status) -> status.waiting() == 1);
			assertThat(sandbox.pool().size()).isOne();
			assertThat(sandbox.run(RunRequest.of("7")).value()).isEqualTo(JsonValue.of(7));
		}
	}

	@Test
	void executionsBeyondTheBoundAreRefusedAtOnceAsData() throws Exception {
		try (Sandbox sandbox = builder("auto").concurrentExecutions(1, 0, LONG).build()) {
			Cancellation cancellation = new Cancellation();
			ExecutorService caller = Executors.newSingleThreadExecutor();
			Future<RunResult> first = caller.submit(() -> sandbox.run(RunRequest.of("while True: pass"), cancellation));
			while (sandbox.admission().running() == 0) {
				Thread.onSpinWait();
			}
			RunResult refused = sandbox.run(RunRequest.of("1"));
			assertThat(refused.failure().kind()).isEqualTo(FailureKind.BACKEND_NOT_READY);
			assertThat(refused.failure().message()).contains("1 executions are running");
			cancellation.cancel();
			assertThat(first.get().failure().kind()).isEqualTo(FailureKind.CANCELLED);
			assertThat(sandbox.run(RunRequest.of("7")).value()).isEqualTo(JsonValue.of(7));
			caller.shutdown();
		}
	}

	@Test
	void numbersThatCantWorkAreRefused() {
		for (SandboxBuilder builder : List.of(builder("auto").pool(-1, LONG), builder("auto").pool(65, LONG),
				builder("auto").pool(1, Duration.ZERO), builder("auto").concurrentExecutions(0, 1, LONG),
				builder("auto").concurrentExecutions(1, -1, LONG),
				builder("auto").concurrentExecutions(1, 1, Duration.ZERO))) {
			assertThatExceptionOfType(SandboxConfigurationException.class).isThrownBy(builder::build);
		}
	}

	@Test
	void executionThatFindsNoneTakesTheOneThatIsBeingStarted() throws Exception {
		HeldStarts held = new HeldStarts();
		try (Sandbox sandbox = builder("bubblewrap").pool(1, LONG).backendDecorator(held::of).build()) {
			sandbox.isolation();
			held.awaitHeld();
			int before = held.others();
			FutureTask<RunResult> first = new FutureTask<>(() -> sandbox.run(RunRequest.of("1")));
			Thread caller = new Thread(first);
			caller.start();
			awaitWaiting(caller);
			assertThat(held.others()).isEqualTo(before);
			// Only one can have it: the next one starts its own.
			assertThat(sandbox.run(RunRequest.of("2")).succeeded()).isTrue();
			assertThat(held.others()).isEqualTo(before + 1);
			assertThat(first).isNotDone();
			held.release();
			assertThat(first.get().value()).isEqualTo(JsonValue.of(1));
			assertThat(held.others()).isEqualTo(before + 1);
			await(sandbox, (status) -> status.waiting() == 1);
			assertThat(sandbox.pool()).extracting(PoolStatus::taken, PoolStatus::missed).containsExactly(0L, 2L);
		}
	}

	@Test
	void whoeverStopsWaitingLeavesTheChildToTheNext() throws Exception {
		HeldStarts held = new HeldStarts();
		try (Sandbox sandbox = builder("bubblewrap").pool(1, LONG).backendDecorator(held::of).build()) {
			held.awaitHeld();
			Cancellation cancellation = new Cancellation();
			FutureTask<RunResult> cancelled = new FutureTask<>(() -> sandbox.run(RunRequest.of("1"), cancellation));
			Thread caller = new Thread(cancelled);
			caller.start();
			awaitWaiting(caller);
			cancellation.cancel();
			assertThat(cancelled.get().failure().kind()).isEqualTo(FailureKind.CANCELLED);
			held.release();
			await(sandbox, (status) -> status.waiting() == 1);
			assertThat(sandbox.run(RunRequest.of("2")).succeeded()).isTrue();
			assertThat(sandbox.pool().taken()).isOne();
		}
	}

	@Test
	void interruptEndsTheWaitForAChildThatIsBeingStarted() throws Exception {
		HeldStarts held = new HeldStarts();
		try (Sandbox sandbox = builder("bubblewrap").pool(1, LONG).backendDecorator(held::of).build()) {
			held.awaitHeld();
			FutureTask<RunResult> interrupted = new FutureTask<>(() -> sandbox.run(RunRequest.of("1")));
			Thread caller = new Thread(interrupted);
			caller.start();
			awaitWaiting(caller);
			caller.interrupt();
			assertThat(interrupted.get().failure().kind()).isEqualTo(FailureKind.CANCELLED);
			held.release();
			await(sandbox, (status) -> status.waiting() == 1);
		}
	}

	@Test
	void whoeverWaitsForAChildThatCanNotBeStartedStartsItsOwn() throws Exception {
		HeldStarts held = new HeldStarts();
		try (Sandbox sandbox = builder("bubblewrap").pool(1, LONG).backendDecorator(held::of).build()) {
			held.awaitHeld();
			FutureTask<RunResult> run = new FutureTask<>(() -> sandbox.run(RunRequest.of("1")));
			Thread caller = new Thread(run);
			caller.start();
			awaitWaiting(caller);
			held.fail();
			assertThat(run.get().succeeded()).isTrue();
			await(sandbox, (status) -> status.waiting() == 1);
			assertThat(sandbox.pool().failed()).isOne();
		}
	}

	@Test
	void whoeverFindsNoneHasThePoolFilled() throws Exception {
		HeldStarts held = new HeldStarts();
		try (Sandbox sandbox = builder("bubblewrap").pool(1, LONG).backendDecorator(held::of).build()) {
			held.fail();
			await(sandbox, (status) -> status.failed() == 1);
			Cancellation cancellation = new Cancellation();
			FutureTask<RunResult> run = new FutureTask<>(
					() -> sandbox.run(RunRequest.of("import time\ntime.sleep(600)"), cancellation));
			new Thread(run).start();
			await(sandbox, (status) -> status.waiting() == 1);
			assertThat(run).isNotDone();
			cancellation.cancel();
			assertThat(run.get().failure().kind()).isEqualTo(FailureKind.CANCELLED);
		}
	}

	private static void awaitHeldMounts(int expected) throws IOException {
		long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
		List<String> held = Descriptors.mountNamespaces();
		while (held.size() != expected) {
			// Those of the last program are taken apart after its answer.
			assertThat(System.nanoTime() - deadline).as(held.toString()).isNegative();
			Thread.onSpinWait();
			held = Descriptors.mountNamespaces();
		}
	}

	private static void awaitWaiting(Thread thread) {
		long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
		while (thread.getState() != Thread.State.WAITING) {
			assertThat(System.nanoTime() - deadline).as(thread.getState().toString()).isNegative();
			Thread.onSpinWait();
		}
	}

	private static Limits smallWorkspace() {
		Limits rest = Limits.defaults();
		return new Limits(rest.cpu(), rest.wallTime(), rest.toolTimeout(), rest.addressSpace(), ByteSize.ofMebibytes(1),
				ByteSize.ofMebibytes(1), rest.processes(), rest.stream(), rest.value(), rest.program());
	}

	private static List<ProcessHandle> children() {
		return ProcessHandle.current().descendants().toList();
	}

	private static void await(Sandbox sandbox, Predicate<PoolStatus> condition) {
		long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
		while (!condition.test(sandbox.pool())) {
			assertThat(System.nanoTime() - deadline).as(sandbox.pool().toString()).isNegative();
			Thread.onSpinWait();
		}
	}

	private static SandboxBuilder builder(String backend) {
		return Sandbox.builder()
			.backend(backend)
			.interpreter(Path.of(System.getProperty("psych.python", "/usr/bin/python3")));
	}

	/**
	 * Holds the first start of a pool until it is told what to do with it. Those that
	 * follow are sound.
	 */
	private static final class HeldStarts {

		private final CountDownLatch reached = new CountDownLatch(1);

		private final CompletableFuture<Boolean> released = new CompletableFuture<>();

		private final AtomicBoolean first = new AtomicBoolean(true);

		private final AtomicInteger others = new AtomicInteger();

		Backend of(Backend sound) {
			return (Backend) Proxy.newProxyInstance(Backend.class.getClassLoader(), new Class<?>[] { Backend.class },
					(proxy, method, arguments) -> {
						if (method.getName().equals("command")) {
							hold();
						}
						try {
							return method.invoke(sound, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

		private void hold() throws Exception {
			if (!Thread.currentThread().getName().equals("psych-sandbox-pool")) {
				this.others.incrementAndGet();
				return;
			}
			this.reached.countDown();
			if (!this.released.get() && this.first.getAndSet(false)) {
				throw new IOException("as told");
			}
		}

		void awaitHeld() throws InterruptedException {
			this.reached.await();
		}

		/** Return how many children were started by others than the pool. */
		int others() {
			return this.others.get();
		}

		void release() {
			this.released.complete(true);
		}

		void fail() {
			this.released.complete(false);
		}

	}

}
