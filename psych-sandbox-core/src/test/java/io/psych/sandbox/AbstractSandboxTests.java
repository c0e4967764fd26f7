package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.cgroup.Cgroups;
import io.psych.sandbox.cgroup.CgroupsAbsentException;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import io.psych.sandbox.spawn.HostUser;
import io.psych.sandbox.tool.ToolCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The contract of a sandbox, whichever its backend.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractSandboxTests {

	/**
	 * What is to run at the same time does so whatever the number of processors: from
	 * Java 25 on the common pool has one thread on a host of two.
	 */
	private static final Executor THREADS = (task) -> new Thread(task, "test-execution").start();

	private static final Limits SHORT = Limits.defaults().withCpu(Duration.ofSeconds(1));

	/** As much time as a host may take that is busy with something else. */
	private static final Limits PATIENT = new Limits(Duration.ofSeconds(10), Duration.ofMinutes(5),
			Duration.ofMinutes(2), ByteSize.ofMebibytes(512), ByteSize.ofMebibytes(1), ByteSize.ofMebibytes(8), 64,
			ByteSize.ofKibibytes(64), ByteSize.ofKibibytes(64), ByteSize.ofKibibytes(64));

	/** Finds the channel by trying what every descriptor is. */
	private static final String CHANNEL = """
			import os, stat
			channel = max(n for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n)
			              and stat.S_ISSOCK(os.fstat(n).st_mode))
			""";

	@TempDir
	static Path folder;

	private final TestTools tools = new TestTools();

	private Sandbox sandbox;

	abstract String backend();

	abstract Level level();

	@BeforeAll
	void build() throws IOException {
		// A temporary folder is its owner's alone, and programs run as somebody else.
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.sandbox = builder().build();
		assertThat(this.sandbox.isolation().grade(Guarantee.CPU)).isEqualTo(Grade.ENFORCED);
	}

	@AfterAll
	void nothingIsLeft() throws IOException {
		if (this.sandbox != null) {
			this.sandbox.close();
		}
		try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, "psych-sandbox-*")) {
			assertThat(left).isEmpty();
		}
		assertThat(Leftovers.processesWith(folder.toString())).isEmpty();
	}

	private SandboxBuilder builder() {
		return Sandbox.builder()
			.backend(backend())
			.container(Containers.settings())
			.folder(folder)
			.tools(this.tools.catalog())
			.profile("batch", Limits.defaults().withWallTime(Duration.ofMinutes(5)))
			.teardownGrace(Duration.ofMillis(500));
	}

	private RunResult run(String program) {
		return this.sandbox.run(RunRequest.of(program));
	}

	private RunResult run(String program, Limits limits) {
		return this.sandbox.run(RunRequest.of(program).withLimits(limits));
	}

	private static FailureKind kind(RunResult result) {
		Failure failure = result.failure();
		assertThat(failure).as("failure of %s", result.toJson()).isNotNull();
		return failure.kind();
	}

	@Test
	void selectionTookTheBackendByRunningIt() {
		assertThat(this.sandbox.selection().chosen()).isEqualTo(backend());
		assertThat(this.sandbox.isolation().level()).isEqualTo(level());
	}

	@Test
	void runReturnsWhatWasPrintedAndTheValueApart() {
		RunResult result = run("import sys\nprint('out')\nprint('err', file=sys.stderr)\n{'a': [1, 2.5, None, 'ü']}");
		assertThat(result.failure()).isNull();
		assertThat(result.stdout().text()).isEqualTo("out\n");
		assertThat(result.stderr().text()).isEqualTo("err\n");
		assertThat(result.value()).isEqualTo(JsonValue.parse("{\"a\": [1, 2.5, null, \"ü\"]}"));
		assertThat(result.isolation().level()).isEqualTo(level());
	}

	@Test
	void everyExecutionIsAFreshProcessWithAFreshWorkspace() {
		assertThat(run("open('left', 'w').write('x')\nimport builtins\nbuiltins.left = 1").failure()).isNull();
		RunResult second = run("import os, builtins\n[os.listdir('.'), hasattr(builtins, 'left')]");
		assertThat(second.value()).isEqualTo(JsonValue.parse("[[], false]"));
	}

	@Test
	void everyExecutionIsGradedForItself() throws IOException {
		RunResult result = run("1");
		assertThat(result.isolation().findings()).hasSize(10)
			.allSatisfy((finding) -> assertThat(finding.evidence()).isNotBlank());
		for (Guarantee guarantee : List.of(Guarantee.NETWORK, Guarantee.PROCESS_TREE, Guarantee.IDENTITY, Guarantee.CPU,
				Guarantee.FILE_SIZE, Guarantee.PROCESS_COUNT, Guarantee.WALL_CLOCK, Guarantee.ENVIRONMENT)) {
			assertThat(result.isolation().finding(guarantee)).extracting("grade")
				.as(guarantee.id())
				.isEqualTo(Grade.ENFORCED);
		}
		assertThat(result.isolation().grade(Guarantee.MEMORY))
			.isEqualTo(hasControlGroups() ? Grade.ENFORCED : Grade.UNVERIFIED);
		assertThat(result.networkDenied()).isTrue();
	}

	@Test
	void callsReachTheToolsAndAreCounted() {
		RunResult result = run("r = await echo(value=[1, 'zwei'])\ns = await call_tool('weather.get')\n[r, s]");
		assertThat(result.value()).isEqualTo(JsonValue.parse("[[1, \"zwei\"], \"dotted\"]"));
		assertThat(result.calls()).extracting("name").containsExactly("echo", "weather.get");
		assertThat(result.calls()).extracting("state").containsOnly(CallState.DONE);
		assertThat(result.calls().get(0).argumentBytes()).isEqualTo("{\"value\":[1,\"zwei\"]}".length());
		assertThat(result.calls().get(0).resultBytes()).isEqualTo("[1,\"zwei\"]".length());
	}

	@Test
	void aHundredCallsAtOnceKeepTheirOrder() {
		RunResult result = run(
				"import asyncio\nawait asyncio.gather(*[echo(value=i) for i in range(100)]) == list(range(100))");
		assertThat(result.value()).isEqualTo(JsonValue.of(true));
		assertThat(result.calls()).hasSize(100);
	}

	@Test
	void ofVeryManyCallsAllAreAnsweredAndThoseThatAreNotListedCounted() {
		RunResult result = this.sandbox.run(RunRequest.of("""
				answers = 0
				for _ in range(10_003):
				    try:
				        await call_tool("nope")
				    except ToolError:
				        answers += 1
				answers
				""").withProfile("batch"));
		assertThat(result.value()).isEqualTo(JsonValue.of(10_003));
		assertThat(result.calls()).hasSize(10_000);
		assertThat(result.unlistedCalls()).isEqualTo(Map.of(CallState.REFUSED, 3L));
	}

	@Test
	void callsFromThreadsGetTheirOwnAnswers() {
		RunResult result = run("""
				from concurrent.futures import ThreadPoolExecutor
				import asyncio
				with ThreadPoolExecutor(8) as pool:
				    a = list(pool.map(lambda i: echo(value=i).result(), range(40)))
				    b = list(pool.map(lambda i: asyncio.run(echo(value=i)), range(40)))
				a == b == list(range(40))
				""");
		assertThat(result.value()).isEqualTo(JsonValue.of(true));
	}

	@Test
	void aFailedCallCanBeCaughtAndBranchedOn() {
		RunResult result = run("""
				kinds = []
				for name, arguments in (("boom", {"message": "x"}), ("nope", {}), ("echo", {"valu": 1})):
				    try:
				        await call_tool(name, arguments)
				    except ToolError as problem:
				        kinds.append([problem.kind, problem.tool])
				kinds
				""");
		assertThat(result.value()).isEqualTo(
				JsonValue.parse("[[\"tool_error\",\"boom\"],[\"not_offered\",\"nope\"],[\"bad_arguments\",\"echo\"]]"));
		assertThat(result.calls()).extracting("state")
			.containsExactly(CallState.FAILED, CallState.REFUSED, CallState.REFUSED);
	}

	@Test
	void aCallThatTakesTooLongTimesOutAndTheProgramGoesOn() {
		Limits limits = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofMillis(200),
				ByteSize.ofMebibytes(512), ByteSize.ofMebibytes(1), ByteSize.ofMebibytes(8), 64,
				ByteSize.ofKibibytes(64), ByteSize.ofKibibytes(64), ByteSize.ofKibibytes(64));
		RunResult result = run("""
				try:
				    await slow(ms=60000, tag="timed out")
				except ToolError as problem:
				    print(problem.kind)
				""", limits);
		assertThat(result.stdout().text()).isEqualTo("timed_out\n");
		assertThat(result.calls()).extracting("failure").containsExactly(ToolFailureKind.TIMED_OUT);
		assertThat(this.tools.finished).doesNotContain("timed out");
	}

	@Test
	void cpuLimitEndsAProgramThatHandlesEverySignal() {
		RunResult result = run("""
				import signal
				for number in range(1, 32):
				    try:
				        signal.signal(number, lambda *_: None)
				    except (OSError, ValueError):
				        pass
				print('go')
				while True: pass
				""", SHORT);
		assertThat(kind(result)).isEqualTo(FailureKind.TIMEOUT);
		assertThat(result.limitHit()).isEqualTo(LimitHit.CPU);
		assertThat(result.stdout().text()).isEqualTo("go\n");
	}

	@Test
	void waitingForAToolCostsNoCpuTime() {
		RunResult result = run("[await slow(ms=700, tag=i) for i in 'ab']", SHORT);
		assertThat(result.value()).isEqualTo(JsonValue.parse("[\"a\", \"b\"]"));
	}

	@Test
	void wallClockEndsAProgramThatIgnoresSigterm() {
		RunResult result = run("""
				import signal, time
				signal.signal(signal.SIGTERM, signal.SIG_IGN)
				print('before')
				time.sleep(600)
				""", Limits.defaults().withWallTime(Duration.ofSeconds(2)));
		assertThat(kind(result)).isEqualTo(FailureKind.TIMEOUT);
		assertThat(result.limitHit()).isEqualTo(LimitHit.WALL_CLOCK);
		assertThat(result.stdout().text()).isEqualTo("before\n");
	}

	@Test
	void memoryLimitIsAnOrdinaryMemoryError() {
		RunResult result = run("print('before')\nx = bytearray(1 << 30)");
		assertThat(kind(result)).isEqualTo(FailureKind.PROGRAM_EXCEPTION);
		assertThat(result.limitHit()).isEqualTo(LimitHit.MEMORY);
		assertThat(result.stdout().text()).isEqualTo("before\n");
		assertThat(run("import mmap\nmmap.mmap(-1, 1 << 30)").limitHit()).isEqualTo(LimitHit.MEMORY);
	}

	@Test
	void fileSizeLimitIsAnOrdinaryOsError() {
		RunResult result = run("open('big', 'wb').write(bytes(11 << 20))");
		assertThat(kind(result)).isEqualTo(FailureKind.PROGRAM_EXCEPTION);
		assertThat(result.limitHit()).isEqualTo(LimitHit.FILE_SIZE);
		assertThat(run("open('fits', 'wb').write(bytes(10 << 20))").value()).isEqualTo(JsonValue.of(10 << 20));
	}

	@Test
	void processLimitStopsAForkBombAndTheNextProgramIsUnharmed() {
		RunResult result = run("""
				import os, time
				while True:
				    if os.fork() == 0:
				        time.sleep(600)
				""");
		assertThat(kind(result)).isEqualTo(FailureKind.PROGRAM_EXCEPTION);
		assertThat(result.limitHit()).isEqualTo(LimitHit.PROCESSES);
		assertThat(run("1").value()).isEqualTo(JsonValue.of(1));
	}

	@Test
	void valueAtTheCapPassesAndOneByteMoreFailsWithItsSize() {
		Limits limits = Limits.defaults().withValue(ByteSize.ofBytes(1000));
		assertThat(run("'x' * 998", limits).value().toUtf8()).hasSize(1000);
		RunResult over = run("'x' * 999", limits);
		assertThat(kind(over)).isEqualTo(FailureKind.OUTPUT_LIMIT);
		assertThat(over.limitHit()).isEqualTo(LimitHit.VALUE);
		assertThat(over.failure().message()).contains("1,001");
	}

	@Test
	void endingsAreReportedAsWhatTheyAre() {
		assertThat(run("import os\nprint('x')\nos._exit(7)").failure()).extracting("kind", "exitStatus")
			.containsExactly(FailureKind.WORKER_EXIT, 7);
		assertThat(run("import os\nos.abort()").failure()).extracting("kind", "signal")
			.containsExactly(FailureKind.WORKER_EXIT, "SIGABRT");
		assertThat(run("import ctypes\nctypes.string_at(0)").failure()).extracting("kind", "signal")
			.containsExactly(FailureKind.WORKER_EXIT, "SIGSEGV");
		assertThat(run("import os\nos.kill(os.getpid(), 9)").failure()).extracting("kind", "signal")
			.containsExactly(FailureKind.WORKER_EXIT, "SIGKILL");
		assertThat(run("import sys\nsys.exit(3)").failure()).extracting("kind", "exitStatus")
			.containsExactly(FailureKind.WORKER_EXIT, 3);
		assertThat(run("import sys\nsys.exit(0)").failure()).isNull();
		assertThat(run("lambda: 1").failure()).extracting("kind").isEqualTo(FailureKind.INVALID_OUTPUT);
	}

	@Test
	void aPerfectResultFrameOnStdoutIsText() {
		String frame = "{\"type\":\"done\",\"value\":42,\"failure\":null,\"notes\":[]}";
		RunResult result = run("import os\nprint('" + frame + "')\nos._exit(0)");
		assertThat(kind(result)).isEqualTo(FailureKind.WORKER_EXIT);
		assertThat(result.stdout().text()).isEqualTo(frame + "\n");
		assertThat(result.value()).isEqualTo(JsonValue.NULL);
	}

	@Test
	void framesForgedOnTheChannelAreAClaimOrAViolation() {
		assertThat(forged("{\"type\":\"done\",\"value\":42,\"failure\":null,\"notes\":[],\"isolation\":\"x\"}").value())
			.isEqualTo(JsonValue.of(42));
		for (String frame : List.of("{\"type\":\"ready\",\"protocol\":1,\"report\":{}}", "{\"type\":\"run\"}", "[1]",
				"{", "{\"type\":\"call\",\"id\":5,\"name\":\"echo\",\"arguments\":{}}",
				"{\"type\":\"call\",\"id\":0.0,\"name\":\"echo\",\"arguments\":{}}",
				"{\"type\":\"done\",\"value\":1e999999,\"failure\":null,\"notes\":[]}",
				"{\"type\":\"done\",\"value\":1,\"value\":2,\"failure\":null,\"notes\":[]}")) {
			assertThat(kind(forged(frame))).as(frame).isEqualTo(FailureKind.ABORTED);
		}
		assertThat(run("1").value()).isEqualTo(JsonValue.of(1));
	}

	@Test
	void whatFollowsTheResultIsNotReadButTold() {
		String done = "{\"type\":\"done\",\"value\":%d,\"failure\":null,\"notes\":[]}";
		String note = "The program sent more to its host after its result, which alone counts.";
		RunResult result = forged(done.formatted(1) + "\n" + done.formatted(2));
		assertThat(result.value()).isEqualTo(JsonValue.of(1));
		assertThat(result.notes()).contains(note);
		assertThat(forged(done.formatted(1)).notes()).doesNotContain(note);
		assertThat(run("1").notes()).isEmpty();
	}

	private RunResult forged(String frame) {
		return run(CHANNEL + "os.write(channel, b'''" + frame + "''' + bytes([10]))\nimport time\ntime.sleep(600)");
	}

	@Test
	void aLineThatNeverEndsIsCutOffBeforeItIsHeld() {
		RunResult result = run(CHANNEL + "while True: os.write(channel, bytes(65536).replace(bytes(1), b'x'))");
		assertThat(kind(result)).isEqualTo(FailureKind.ABORTED);
	}

	@Test
	void aClosedChannelIsNotAnEnd() {
		RunResult result = run(CHANNEL + """
				for n in (0, 1, 2, channel): os.close(n)
				import time
				time.sleep(600)
				""", Limits.defaults().withWallTime(Duration.ofSeconds(1)));
		assertThat(result.limitHit()).isEqualTo(LimitHit.WALL_CLOCK);
	}

	@Test
	void halfAFrameThenSleepEndsAtTheDeadline() {
		RunResult result = run(CHANNEL + "os.write(channel, b'{\"type\":')\nimport time\ntime.sleep(600)",
				Limits.defaults().withWallTime(Duration.ofSeconds(1)));
		assertThat(result.limitHit()).isEqualTo(LimitHit.WALL_CLOCK);
	}

	@Test
	void descendantsThatDetachedAreGoneWhenTheResultIsThere() {
		String marker = "leftover-" + UUID.randomUUID();
		RunResult result = run("""
				import os, sys, time
				if os.fork() == 0:
				    os.setsid()
				    if os.fork() == 0:
				        os.execvp("sh", ["sh", "-c", "trap '' TERM HUP INT; while :; do sleep 1; done", "%s"])
				    os._exit(0)
				os.wait()
				print('detached')
				""".formatted(marker));
		assertThat(result.stdout().text()).isEqualTo("detached\n");
		assertThat(result.failure()).isNull();
		// The shell has a child of its own most of the time
		assertThat(result.notes()).singleElement()
			.asString()
			.matches(
					"(1 process|2 processes) that the program started (was|were) still running at its end and .* ended\\.");
		assertThat(Leftovers.processesWith(marker)).isEmpty();
	}

	@Test
	void processesThatEndedBeforeTheProgramAreNotNoted() {
		RunResult result = run("""
				import os, subprocess
				waited = subprocess.run(["true"]).returncode
				if os.fork() == 0:
				    os._exit(0)
				os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
				waited
				""");
		assertThat(result.value()).isEqualTo(JsonValue.of(0));
		assertThat(result.notes()).isEmpty();
	}

	@Test
	void aProgramSeesOnlyTheEnvironmentThatIsAllowed() {
		try (Sandbox allowing = builder().environment(List.of("PATH", "HOME")).build()) {
			RunResult result = allowing.run(RunRequest.of("import os\nsorted(os.environ)"));
			assertThat(result.isolation().grade(Guarantee.ENVIRONMENT)).isEqualTo(Grade.ENFORCED);
			assertThat(result.value().toJava()).asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
				.contains("HOME", "PATH", "LANG", "TMPDIR")
				.isSubsetOf("HOME", "PATH", "LANG", "TMPDIR", "PWD", "PYTHONDONTWRITEBYTECODE", "MALLOC_ARENA_MAX",
						"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS",
						"MPLBACKEND", "MPLCONFIGDIR", "MATPLOTLIBRC");
		}
	}

	@Test
	void aRequirementThatIsNotMetSendsNoProgram() {
		int before = this.tools.received.size();
		try (Sandbox weaker = builder().backendDecorator(FaultInjectionTests::withoutSeccomp).build()) {
			assertThat(weaker.run(RunRequest.of("1")).failure()).isNull();
			RunResult result = weaker.run(RunRequest.of("await echo(value=1)")
				.withRequire(new Requirement(Level.PROCESS, Set.of(Guarantee.IDENTITY))));
			assertThat(kind(result)).isEqualTo(FailureKind.ISOLATION_UNAVAILABLE);
			assertThat(result.failure().message()).contains("identity", "unverified", backend());
			assertThat(result.calls()).isEmpty();
		}
		assertThat(this.tools.received).hasSize(before);
	}

	@Test
	void networkIsRefusedAsDataUnlessTheDeploymentGrantsIt() {
		assertThat(kind(this.sandbox.run(RunRequest.of("1").withNetwork(true))))
			.isEqualTo(FailureKind.NETWORK_NOT_ALLOWED);
		try (Sandbox granting = builder().networkAllowed(true).build()) {
			RunResult granted = granting.run(RunRequest.of("1").withNetwork(true));
			assertThat(granted.value()).isEqualTo(JsonValue.of(1));
			assertThat(granted.networkDenied()).isFalse();
			assertThat(granted.isolation().grade(Guarantee.NETWORK)).isEqualTo(Grade.UNAVAILABLE);
			assertThat(granting.run(RunRequest.of("1")).networkDenied()).isTrue();
		}
	}

	@Test
	void aProgramThatIsTooLongIsRefusedAsData() {
		RunResult result = run("#".repeat((1 << 20) + 1));
		assertThat(kind(result)).isEqualTo(FailureKind.POLICY_REFUSED);
		assertThat(run("1" + " ".repeat((1 << 20) - 1)).value()).isEqualTo(JsonValue.of(1));
	}

	@Test
	void profilesHaveTheirLimitsAndAnUnknownOneIsTheDeploymentsMistake() {
		assertThat(this.sandbox.run(RunRequest.of("1").withProfile("batch")).value()).isEqualTo(JsonValue.of(1));
		assertThatExceptionOfType(UnknownProfileException.class)
			.isThrownBy(() -> this.sandbox.run(RunRequest.of("1").withProfile("bach")))
			.withMessageContaining("bach")
			.withMessageContaining("batch");
	}

	@Test
	void cancellingBeforeTheStartStartsNothing() {
		Cancellation cancellation = new Cancellation();
		cancellation.cancel();
		RunResult result = this.sandbox.run(RunRequest.of("await echo(value='never')"), cancellation);
		assertThat(kind(result)).isEqualTo(FailureKind.CANCELLED);
		assertThat(result.isolation().level()).isEqualTo(Level.NONE);
		assertThat(this.tools.received).doesNotContain("echo {\"value\":\"never\"}");
	}

	@Test
	void cancellingWhileTheProgramRunsEndsIt() throws Exception {
		Cancellation cancellation = new Cancellation();
		CompletableFuture<RunResult> running = CompletableFuture.supplyAsync(() -> this.sandbox
			.run(RunRequest.of("print('on')\nawait echo(value='on')\nimport time\ntime.sleep(600)"), cancellation));
		this.tools.await("echo {\"value\":\"on\"}");
		cancellation.cancel();
		RunResult result = running.get(60, TimeUnit.SECONDS);
		assertThat(kind(result)).isEqualTo(FailureKind.CANCELLED);
		assertThat(result.stdout().text()).isEqualTo("on\n");
		assertThat(result.calls()).extracting("state").containsExactly(CallState.DONE);
	}

	@Test
	void cancellingInTheMiddleOfACallCutsTheCallOff() throws Exception {
		Cancellation cancellation = new Cancellation();
		CompletableFuture<RunResult> running = CompletableFuture
			.supplyAsync(() -> this.sandbox.run(RunRequest.of("await slow(ms=600000, tag='cut')"), cancellation));
		this.tools.await("slow {\"ms\":600000,\"tag\":\"cut\"}");
		cancellation.cancel();
		RunResult result = running.get(60, TimeUnit.SECONDS);
		assertThat(kind(result)).isEqualTo(FailureKind.CANCELLED);
		assertThat(result.calls()).extracting("state").containsExactly(CallState.UNKNOWN);
		assertThat(result.notes()).anySatisfy((note) -> assertThat(note).contains("slow"));
		assertThat(this.tools.finished).doesNotContain("cut");
	}

	@Test
	void interruptingTheCallerCancelsAndKeepsTheInterrupt() throws Exception {
		CountDownLatch done = new CountDownLatch(1);
		List<Object> seen = new ArrayList<>();
		Thread caller = new Thread(() -> {
			seen.add(kind(run("await slow(ms=600001, tag='interrupted')")));
			seen.add(Thread.currentThread().isInterrupted());
			done.countDown();
		});
		caller.start();
		this.tools.await("slow {\"ms\":600001,\"tag\":\"interrupted\"}");
		caller.interrupt();
		assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(seen).containsExactly(FailureKind.CANCELLED, true);
	}

	@Test
	void closingEndsWhatRunsAndRefusesWhatComesAfter() throws Exception {
		Sandbox closing = builder().build();
		CompletableFuture<RunResult> running = CompletableFuture
			.supplyAsync(() -> closing.run(RunRequest.of("await slow(ms=600002, tag='closed')")));
		this.tools.await("slow {\"ms\":600002,\"tag\":\"closed\"}");
		closing.close();
		assertThat(kind(running.get(60, TimeUnit.SECONDS))).isEqualTo(FailureKind.CANCELLED);
		assertThatIllegalStateException().isThrownBy(() -> closing.run(RunRequest.of("1")));
	}

	@Test
	void manyExecutionsAtOnceDoNotMix() throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(12);
		try {
			List<Future<RunResult>> results = new ArrayList<>();
			for (int i = 0; i < 36; i++) {
				String program = "import os\nopen('mine', 'w').write('%d')\n[await echo(value=%d), open('mine').read()]"
					.formatted(i, i);
				results.add(callers.submit(() -> run(program)));
			}
			for (int i = 0; i < results.size(); i++) {
				assertThat(results.get(i).get(60, TimeUnit.SECONDS).value())
					.isEqualTo(JsonValue.of(List.of(i, Integer.toString(i))));
			}
		}
		finally {
			callers.shutdownNow();
		}
	}

	@Test
	@EnabledIf("isRoot")
	void aRangeOfUsersGivesEachExecutionAtATimeOneOfItsOwn() throws Exception {
		Meeting meeting = Meeting.of(2);
		try (Sandbox ranged = builder().limits(PATIENT).tools(ToolCatalog.of(meeting)).runAs("60000-60001").build()) {
			String program = "import os\nawait meet()\n[os.getuid(), os.getgid()]";
			ranged.isolation();
			List<CompletableFuture<RunResult>> both = List.of(
					CompletableFuture.supplyAsync(() -> ranged.run(RunRequest.of(program)), THREADS),
					CompletableFuture.supplyAsync(() -> ranged.run(RunRequest.of(program)), THREADS));
			meeting.awaitArrival();
			meeting.go().countDown();
			assertThat(List.of(both.get(0).get(60, TimeUnit.SECONDS).value().toJson(),
					both.get(1).get(60, TimeUnit.SECONDS).value().toJson()))
				.containsExactlyInAnyOrder("[60000,60000]", "[60001,60001]");
			assertThat(ranged.run(RunRequest.of("1")).failure()).isNull();
		}
	}

	@Test
	@EnabledIf("isRoot")
	void moreExecutionsThanUsersAreRefusedAsData() throws Exception {
		Meeting meeting = Meeting.of(1);
		try (Sandbox ranged = builder().limits(PATIENT).tools(ToolCatalog.of(meeting)).runAs("60000-60000").build()) {
			ranged.isolation();
			CompletableFuture<RunResult> first = CompletableFuture
				.supplyAsync(() -> ranged.run(RunRequest.of("await meet()")));
			meeting.awaitArrival();
			assertThat(kind(ranged.run(RunRequest.of("1")))).isEqualTo(FailureKind.BACKEND_NOT_READY);
			meeting.go().countDown();
			assertThat(first.get(60, TimeUnit.SECONDS).failure()).isNull();
			assertThat(ranged.run(RunRequest.of("1")).failure()).isNull();
		}
	}

	@Test
	@EnabledIf("hasControlGroups")
	void memoryOfAllProcessesTogetherIsBounded() {
		RunResult result = run("""
				import os
				alive = set()
				for _ in range(10):
				    read, write = os.pipe()
				    child = os.fork()
				    if child == 0:
				        block = bytearray(100 << 20)
				        os.write(write, b"1")
				        os.read(os.pipe()[0], 1)
				    os.close(write)
				    if os.read(read, 1):
				        alive.add(child)
				    while ended := os.waitpid(-1, os.WNOHANG)[0] if alive else 0:
				        alive.discard(ended)
				    print(len(alive))
				""");
		assertThat(kind(result)).isEqualTo(FailureKind.WORKER_EXIT);
		assertThat(result.failure().message()).contains("more memory");
		assertThat(result.limitHit()).isEqualTo(LimitHit.MEMORY);
		assertThat(result.notes()).anySatisfy((note) -> assertThat(note).contains("more memory"));
		assertThat(Collections.max(result.stdout().text().lines().map(Integer::valueOf).toList())).isBetween(4, 6);
	}

	@Test
	@EnabledIf("hasControlGroups")
	void filesInTheWorkspaceAreMemoryOfTheTreeAsWell() {
		assertThat(run("open('fits', 'wb').write(bytes(10 << 20))").failure()).isNull();
		assertThat(this.sandbox.isolation().finding(Guarantee.MEMORY).evidence()).contains("control group");
	}

	static boolean hasControlGroups() throws IOException {
		try (Cgroups cgroups = Cgroups.find()) {
			return cgroups.version() != null;
		}
		catch (CgroupsAbsentException ex) {
			return false;
		}
	}

	static boolean isRoot() {
		return HostUser.current().isRoot();
	}

	@Test
	void aProgramThatReadsNoRepliesStopsNobodysDeadline() throws Exception {
		Limits limits = new Limits(Duration.ofSeconds(10), Duration.ofSeconds(3), Duration.ofMillis(300),
				ByteSize.ofMebibytes(512), ByteSize.ofMebibytes(1), ByteSize.ofMebibytes(8), 64,
				ByteSize.ofKibibytes(64), ByteSize.ofKibibytes(64), ByteSize.ofKibibytes(64));
		String jam = CHANNEL + """
				call = '{"type":"call","id":%d,"name":"echo","arguments":{"value":"' + "x" * 1000000 + '"}}\\n'
				for i in range(3):
				    os.write(channel, (call % i).encode())
				os.write(channel, b'{"type":"call","id":3,"name":"slow","arguments":{"ms":60000,"tag":"jam"}}\\n')
				import time
				time.sleep(600)
				""";
		CompletableFuture<RunResult> jammed = CompletableFuture.supplyAsync(() -> run(jam, limits), THREADS);
		CompletableFuture<RunResult> innocent = CompletableFuture
			.supplyAsync(() -> run("import time\ntime.sleep(600)", limits), THREADS);
		assertThat(innocent.get(60, TimeUnit.SECONDS).limitHit()).isEqualTo(LimitHit.WALL_CLOCK);
		assertThat(jammed.get(60, TimeUnit.SECONDS).limitHit()).isEqualTo(LimitHit.WALL_CLOCK);
	}

	@Test
	void noSocketOfAProgramLeadsOutOfItsPair() {
		RunResult result = run("""
				import socket
				outcome = []
				for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET, socket.SOCK_DGRAM, socket.SOCK_RAW):
				    try:
				        socket.socketpair(socket.AF_UNIX, kind)[0].close()
				        outcome.append("pair")
				    except OSError as problem:
				        outcome.append(problem.errno)
				for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_VSOCK):
				    try:
				        socket.socket(family, socket.SOCK_STREAM)
				        outcome.append("socket")
				    except OSError as problem:
				        outcome.append(problem.errno)
				outcome
				""");
		assertThat(result.value().toJson()).isEqualTo("[\"pair\",\"pair\",1,1,1,1,1,1,1]");
	}

	@Test
	void aTreeOfAnyDepthIsRemoved() {
		RunResult result = run("""
				import os
				for i in range(5000):
				    os.mkdir("d")
				    os.chdir("d")
				""");
		assertThat(result.failure()).isNull();
		assertThat(run("1").failure()).isNull();
	}

	@Test
	void followingTheGuidanceOfAFailureWorks() {
		Map<String, String> followed = Map.of("1 / 0", "1 / 1", "while True: pass", "sum(range(1000))",
				"import sys\nsys.exit(2)", "2", "object()", "str(type(object()))", "'x' * 100000", "len('x' * 100000)");
		followed.forEach((failing, fixed) -> {
			RunResult failed = run(failing, SHORT);
			assertThat(failed.failure()).as(failing).isNotNull();
			assertThat(failed.toJson().member("failure").string("guidance")).isNotBlank();
			assertThat(run(fixed, SHORT).failure()).as(fixed).isNull();
		});
	}

}
