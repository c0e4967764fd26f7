package io.psych.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What programs print that have printed so much that it is gathered: whatever they do
 * then, all of it is there, once and in its order.
 */
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatheredOutputTests {

	private static final List<String> BACKENDS = List.of("bubblewrap", "process");

	/** Prints a line with its number at a time, until what is printed is gathered. */
	private static final String GATHER = """
			import os, sys
			told = 0
			def tell(times=1):
			    global told
			    for told in range(told, told + times):
			        print("%07d" % told)
			    told += 1
			while "flush" not in vars(sys.stdout.buffer):
			    assert told < 200_000, "nothing is gathered"
			    tell()
			""";

	private static final Limits LIMITS = Limits.defaults()
		.withCapture(ByteSize.ofMebibytes(4))
		.withStream(ByteSize.ofMebibytes(4));

	/** Prints lines of 64 bytes with their numbers for ever. */
	private static final String FOR_EVER = """
			i = 0
			while True:
			    print("%063d" % i)
			    i += 1
			""";

	/** A name, what a program does when its prints are gathered, what it prints then. */
	private static final List<String[]> CASES = List.of(new String[][] {
			{ "leaves at once", "tell(20_000)\nprint('last', end='')\nos._exit(0)", "last" },
			{ "is killed", "tell(20_000)\nprint('last')\nos.kill(os.getpid(), 9)", "last\n" },
			{ "crashes", "print('last')\n__import__('cty' 'pes').string_at(0)", "last\n" },
			{ "raises", "tell(20_000)\nprint('last')\n1 / 0", "last\n" },
			{ "leaves", "print('last')\nsys.exit(3)", "last\n" }, { "ends", "tell(20_000)\nprint('last')", "last\n" },
			{ "has no memory", "print('last')\nbytearray(1 << 40)", "last\n" },
			{ "writes parts of a line", "sys.stdout.write('a')\nsys.stdout.write('b')\nos._exit(0)", "ab" },
			{ "prints nothing", "print()\nprint('')\nprint(end='')\nprint('a')\nos._exit(0)", "\n\na\n" },
			{ "flushes", "print('a', flush=True)\nprint('b')\nsys.stdout.flush()\nos._exit(0)", "a\nb\n" },
			{ "flushes and goes on", "print('a', flush=True)\nprint('b')\ntell(100)\nos._exit(0)", null },
			{ "writes to the descriptor", "print('a')\nos.write(1, b'b\\n')\nprint('c')\nos._exit(0)", "a\nb\nc\n" },
			{ "writes to the descriptor it asks for",
					"print('a')\nos.write(sys.stdout.fileno(), b'b\\n')\nprint('c')\nos._exit(0)", "a\nb\nc\n" },
			{ "writes to another descriptor", "print('a')\nos.write(2, b'b')\nprint('c')\nos._exit(0)", "a\nc\n" },
			{ "leads the descriptor elsewhere and back", """
					print('a')
					kept = os.dup(1)
					os.dup2(os.open('log', os.O_CREAT | os.O_WRONLY), 1)
					print('b')
					os.dup2(kept, 1)
					print(open('log').read() * 2, end='')
					os._exit(0)
					""", "a\nb\nb\n" }, { "closes the descriptor", "print('a')\nos.close(1)\nos._exit(0)", "a\n" },
			{ "starts a process", """
					import subprocess
					print('a')
					subprocess.run(['echo', 'b'])
					print('c')
					subprocess.run('echo d', shell=True)
					os._exit(0)
					""", "a\nb\nc\nd\n" },
			{ "has a shell do it", "print('a')\nos.system('echo b')\nprint('c')\nos._exit(0)", "a\nb\nc\n" },
			{ "spawns a process", """
					print('a')
					os.waitpid(os.posix_spawn('/bin/sh', ['sh', '-c', 'echo b'], os.environ), 0)
					print('c')
					os._exit(0)
					""", "a\nb\nc\n" },
			{ "becomes another program", "print('a')\nos.execv('/bin/sh', ['sh', '-c', 'echo b'])", "a\nb\n" },
			{ "forks", """
					print('a')
					child = os.fork()
					if child == 0:
					    print('b')
					    os._exit(0)
					os.waitpid(child, 0)
					print('c')
					os._exit(0)
					""", "a\nb\nc\n" }, { "forks and both go on to the end", """
					print('a')
					child = os.fork()
					if child:
					    os.waitpid(child, 0)
					print('parent' if child else 'child')
					""", "a\nchild\nparent\n" }, { "redirects", """
					import contextlib, io
					print('a')
					with contextlib.redirect_stdout(io.StringIO()) as text:
					    print('b')
					sys.__stdout__.write(text.getvalue() * 2)
					os._exit(0)
					""", "a\nb\nb\n" }, { "replaces stdout", """
					import io
					print('a')
					sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='latin-1', write_through=True)
					print('\\xff', end='')
					os._exit(0)
					""", "a\n\uFFFD" }, { "opens the descriptor anew", """
					print('a')
					sys.stdout = os.fdopen(os.dup(1), 'w')
					print('b')
					""", "a\nb\n" },
			{ "reconfigures", "print('a')\nsys.stdout.reconfigure(encoding='latin-1')\nprint('\\xff')\nos._exit(0)",
					"a\n\uFFFD\n" },
			{ "detaches", "print('a')\nraw = sys.stdout.detach()\nraw.write(b'b\\n')\nos._exit(0)", "a\nb\n" },
			{ "closes stdout", "print('a')\nsys.stdout.close()\nos._exit(0)", "a\n" }, { "writes bytes", """
					sys.stdout.buffer.write(b'\\xff\\xff')
					sys.stdout.buffer.write(memoryview(b'b'))
					sys.stdout.buffer.writelines([b'', bytearray(b'c\\xff')])
					os._exit(0)
					""", "\uFFFD\uFFFDbc\uFFFD" },
			{ "writes much at once", "print('x' * 200_000)\nprint('y' * 65_520)\nprint('a')\nos._exit(0)",
					"x".repeat(200_000) + "\n" + "y".repeat(65_520) + "\na\n" },
			{ "removes all it can", """
					import shutil
					for folder, folders, files in os.walk(os.path.dirname(os.getcwd())):
					    for name in files:
					        os.remove(os.path.join(folder, name))
					print('a')
					os._exit(0)
					""", "a\n" }, { "handles a signal", """
					import signal
					def handle(number, frame):
					    print('handled')
					    os._exit(0)
					tell(20_000)
					signal.signal(signal.SIGALRM, handle)
					os.kill(os.getpid(), signal.SIGALRM)
					""", "handled\n" }, { "has finalizers that print", """
					class Thing:
					    def __del__(self):
					        print('', end='')
					for _ in range(20_000):
					    thing = Thing()
					    thing.thing = thing
					    tell()
					print('last')
					os._exit(0)
					""", "last\n" }, { "logs", """
					import logging
					logging.basicConfig(stream=sys.stdout, format='%(message)s', level=logging.INFO)
					for _ in range(2_000):
					    logging.info('%07d', told)
					    told += 1
					print('last')
					os._exit(0)
					""", "last\n" } });

	@TempDir
	static Path folder;

	private volatile CountDownLatch arrived = new CountDownLatch(1);

	private final Map<String, Sandbox> sandboxes = new HashMap<>();

	@BeforeAll
	void build() throws Exception {
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		for (String backend : BACKENDS) {
			this.sandboxes.put(backend,
					Sandbox.builder()
						.backend(backend)
						.folder(folder)
						.limits(LIMITS)
						.tools(ToolCatalog.of(new Arrive()))
						.teardownGrace(Duration.ofMillis(500))
						.build());
		}
	}

	@AfterAll
	void close() {
		this.sandboxes.values().forEach(Sandbox::close);
	}

	static Stream<Arguments> cases() {
		return BACKENDS.stream()
			.flatMap((backend) -> CASES.stream()
				.map((each) -> Arguments.argumentSet(each[0] + ", " + backend, backend, each[1], each[2])));
	}

	@ParameterizedTest
	@MethodSource("cases")
	void allOfItIsThereOnceAndInItsOrder(String backend, String program, String last) {
		RunResult result = run(backend, GATHER + program, LIMITS);
		assertThat(result.stdout().truncated()).isFalse();
		String text = result.stdout().text();
		List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
		if (last == null) {
			lines.removeAll(List.of("a", "b"));
			assertThat(lines.size()).isEqualTo(text.split("\n", -1).length - 2);
			text = String.join("\n", lines);
		}
		int told = 0;
		while (told < lines.size() && lines.get(told).equals("%07d".formatted(told))) {
			told++;
		}
		assertThat(told).as(result.toJson().toJson()).isGreaterThan(500);
		assertThat(text.substring(8 * told)).as("after %d lines", told).isEqualTo((last != null) ? last : "");
		assertThat(result.attachments()).extracting(Attachment::name).isSubsetOf("stdout", "stderr", "log");
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void whoPrintsUntilItsProcessorTimeIsUsedHasPrintedAllOfIt(String backend) {
		RunResult result = run(backend, FOR_EVER, LIMITS.withCpu(Duration.ofSeconds(1)));
		assertThat(result.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
		assertWholeLines(result);
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void whoPrintsUntilTheDeadlineHasPrintedAllOfIt(String backend) {
		for (int i = 0; i < 3; i++) {
			RunResult result = run(backend, FOR_EVER, LIMITS.withWallTime(Duration.ofMillis(1000 + 7 * i)));
			assertThat(result.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
			assertWholeLines(result);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void whoPrintsUntilItIsCancelledHasPrintedAllOfIt(String backend) throws Exception {
		this.arrived = new CountDownLatch(1);
		Cancellation cancellation = new Cancellation();
		String program = FOR_EVER + "    if i == 20_000: await arrive()\n";
		CompletableFuture<RunResult> running = CompletableFuture.supplyAsync(
				() -> this.sandboxes.get(backend).run(RunRequest.of(program).withLimits(LIMITS), cancellation),
				(task) -> new Thread(task, "test-execution").start());
		assertThat(this.arrived.await(30, TimeUnit.SECONDS)).isTrue();
		cancellation.cancel();
		RunResult result = running.get(30, TimeUnit.SECONDS);
		assertThat(result.failure().kind()).isEqualTo(FailureKind.CANCELLED);
		assertWholeLines(result);
	}

	/** What there is ends with a whole line, or before its end, and counts them all. */
	private static void assertWholeLines(RunResult result) {
		String text = result.stdout().text();
		if (text.isEmpty()) {
			return;
		}
		long whole = result.stdout().bytes() / 64;
		assertThat(result.stdout().bytes() % 64).isIn(0L, 63L);
		String last = text.substring(text.lastIndexOf('\n', text.length() - 2) + 1).strip();
		assertThat(Long.parseLong(last)).isEqualTo((result.stdout().bytes() % 64 == 0) ? whole - 1 : whole);
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void linesOfThreadsThatPrintAtOnceAreAllThere(String backend) {
		RunResult result = run(backend, GATHER + """
				import threading
				def work(name):
				    for i in range(10_000):
				        sys.stdout.write("%s %d\\n" % (name, i))
				threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
				for thread in threads: thread.start()
				for thread in threads: thread.join()
				os._exit(0)
				""", LIMITS);
		List<String> lines = result.stdout().text().lines().toList();
		for (String name : List.of("a", "b", "c", "d")) {
			List<String> own = lines.stream().filter((line) -> line.startsWith(name)).toList();
			assertThat(own).hasSize(10_000);
			for (int i = 0; i < own.size(); i++) {
				assertThat(own.get(i)).isEqualTo(name + " " + i);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void whatIsInTheWayOfTheFileKeepsPrintsFromBeingGatheredAndLosesNone(String backend) {
		for (String obstacle : List.of("open(path, 'w').write('x')", "os.mkfifo(path)", "os.mkdir(path)",
				"os.symlink('/etc/passwd', path)")) {
			RunResult result = run(backend, """
					import os, sys
					path = os.path.join(os.path.dirname(os.getcwd()), ".psych-prints")
					%s
					for i in range(5_000):
					    print("%%07d" %% i)
					gathered = "flush" in vars(sys.stdout.buffer)
					os.lstat(path)
					sys.stderr.write(str(gathered))
					os._exit(0)
					""".formatted(obstacle), LIMITS);
			assertThat(result.stderr().text()).isEqualTo("False");
			assertThat(result.stdout().bytes()).isEqualTo(5_000 * 8);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void whatAProgramWritesOverTheGatheredIsItsOwnOutputAndBounded(String backend) {
		String memory = GATHER + "memory = vars(sys.stdout.buffer)['flush'].__self__.memory\n";
		RunResult full = run(backend, memory + "memory[:] = b'\\1' * 65536\nos._exit(told // 2)", LIMITS);
		assertThat(full.stdout().text()).startsWith("0000000\n0000001\n");
		RunResult longer = run(backend, memory + """
				for descriptor in range(3, 64):
				    try:
				        if os.fstat(descriptor).st_size == 65536:
				            os.ftruncate(descriptor, 1 << 20)
				    except OSError:
				        pass
				memory[:16] = b'\\0' * 8 + b'\\xff' * 8
				memory[16:] = b'x' * 65520
				os._exit(0)
				""", LIMITS);
		assertThat(longer.stdout().text()).endsWith("x".repeat(65520)).doesNotEndWith("x".repeat(65521));
		RunResult cut = run(backend, memory + """
				for descriptor in range(3, 64):
				    try:
				        if os.fstat(descriptor).st_size == 65536:
				            os.ftruncate(descriptor, 0)
				    except OSError:
				        pass
				os._exit(0)
				""", LIMITS);
		assertThat(cut.stdout().text()).startsWith("0000000\n0000001\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void whoHasOtherProcessesOrReachesTheDescriptorByAnotherNameWritesEachPrint(String backend) {
		for (String program : List.of("import os\nchild = os.fork()\nif child == 0:\n    os._exit(0)\n",
				"import subprocess\nsubprocess.run(['true'])\n", "from os import write\n", "import ctypes\n",
				"import signal\nsignal.signal(signal.SIGALRM, print)\n")) {
			RunResult result = run(backend, program + """
					import sys
					for i in range(5_000):
					    print("%07d" % i)
					"flush" in vars(sys.stdout.buffer)
					""", LIMITS);
			assertThat(result.value()).as(program).isEqualTo(JsonValue.of(false));
			assertThat(result.stdout().bytes()).isEqualTo(5_000 * 8);
		}
	}

	private RunResult run(String backend, String program, Limits limits) {
		return this.sandboxes.get(backend).run(RunRequest.of(program).withLimits(limits));
	}

	/**
	 * Tells the test that a program has come so far.
	 */
	private final class Arrive implements HostTool {

		@Override
		public String name() {
			return "arrive";
		}

		@Override
		public String description() {
			return "Tells that the program has come so far.";
		}

		@Override
		public JsonValue inputSchema() {
			return JsonValue.of(Map.of("type", "object", "required", List.of()));
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) {
			GatheredOutputTests.this.arrived.countDown();
			return JsonValue.NULL;
		}

	}

}
