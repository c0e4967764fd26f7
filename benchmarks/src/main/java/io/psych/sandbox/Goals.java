package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.run.PoolStatus;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCatalog;

/**
 * Measures the goals of docs/performance.md, each as a ratio to its floor taken in turns
 * in the same run, and prints them as one table. Every mechanism is on.
 *
 * @since 0.1.0
 */
public final class Goals {

	private static final Duration LONG = Duration.ofHours(1);

	private static final RunRequest JOB = RunRequest.of("print(1)\n1");

	private final Path interpreter;

	private final int rounds;

	private final Floor floor;

	private final List<Goal> goals = new ArrayList<>();

	/** The median of the floor of this run, in nanoseconds. */
	private double cold;

	private Goals(Path interpreter, int rounds) {
		this.interpreter = interpreter;
		this.rounds = rounds;
		this.floor = new Floor(interpreter);
	}

	/**
	 * Measure and print.
	 * @param arguments the interpreter, the number of rounds, and the numbers of the
	 * goals to measure (all when there are none)
	 */
	public static void main(String[] arguments) throws Exception {
		Goals goals = new Goals(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
		Set<String> chosen = Set.of(Arrays.copyOfRange(arguments, 2, arguments.length));
		System.out.printf("Linux %s, %s, %d processors, Java %s, %d rounds%n", System.getProperty("os.version"),
				System.getProperty("os.arch"), java.lang.Runtime.getRuntime().availableProcessors(),
				System.getProperty("java.version"), goals.rounds);
		goals.measure("1", chosen, goals::coldAndFirst);
		goals.measure("2", chosen, goals::warm);
		goals.measure("3", chosen, goals::openLoop);
		goals.measure("4", chosen, goals::callbacks);
		goals.measure("6", chosen, goals::throughput);
		goals.measure("8", chosen, goals::waiting);
		goals.measure("10", chosen, goals::output);
		goals.measure("12", chosen, goals::kill);
		goals.measure("15", chosen, goals::virtualThreads);
		System.out.println(Goal.table(goals.goals));
	}

	private void measure(String number, Set<String> chosen, Measurement measurement) throws Exception {
		if (chosen.isEmpty() || chosen.contains(number)) {
			if (this.cold == 0) {
				List<Long> floors = new ArrayList<>();
				for (int i = 0; i < 10; i++) {
					floors.add(this.floor.run());
				}
				this.cold = at(floors, 0.5);
			}
			measurement.run();
			System.err.println("measured " + number);
		}
	}

	/** Goals 1 and 16. */
	private void coldAndFirst() throws Exception {
		List<Long> floors = new ArrayList<>();
		List<Long> ours = new ArrayList<>();
		long first;
		try (Sandbox sandbox = builder().build()) {
			sandbox.isolation();
			first = time(sandbox, JOB);
			warmUp(sandbox);
			for (int i = 0; i < this.rounds; i++) {
				floors.add(this.floor.run());
				ours.add(time(sandbox, JOB));
			}
		}
		this.cold = at(floors, 0.5);
		this.goals.add(Goal.atMost("1", "cold run ÷ bare bubblewrap and python", at(ours, 0.5) / this.cold, 1.25, 1.10,
				spread(ours) + " ÷ " + spread(floors)));
		this.goals.add(Goal.atMost("16", "first run after start ÷ later cold runs", first / at(ours, 0.5), 5, 5,
				millis(first)));
	}

	/**
	 * Run programs until the JVM has compiled what they take; what the first ones take is
	 * goal 16. Return what {@link #saturate} does.
	 */
	private static double[] warmUp(Sandbox sandbox) throws Exception {
		saturate(2, 15, () -> time(sandbox, JOB));
		return saturate(2, 5, () -> time(sandbox, JOB));
	}

	/** Goal 2. */
	private void warm() throws Exception {
		List<Long> floors = new ArrayList<>();
		List<Long> ours = new ArrayList<>();
		try (Sandbox sandbox = builder().pool(4, LONG).build()) {
			sandbox.isolation();
			warmUp(sandbox);
			for (int i = 0; i < this.rounds; i++) {
				floors.add(this.floor.run());
				awaitPool(sandbox);
				ours.add(time(sandbox, JOB));
			}
		}
		this.goals.add(Goal.atMost("2", "warm run, tree measured empty ÷ the same", at(ours, 0.5) / at(floors, 0.5),
				0.20, 0.12, spread(ours) + " ÷ " + spread(floors)));
	}

	/** Goal 3: arrivals as they come, at a third of what saturates. */
	private void openLoop() throws Exception {
		Random random = new Random(3);
		List<Future<Long>> runs = new ArrayList<>();
		List<Long> floors = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			floors.add(this.floor.run());
		}
		ExecutorService callers = Executors.newCachedThreadPool();
		try (Sandbox sandbox = builder().pool(4, LONG).build()) {
			sandbox.isolation();
			// What saturates is what two callers get done, who take whatever they find.
			double pause = 3e9 / warmUp(sandbox)[0];
			awaitPool(sandbox);
			PoolStatus before = sandbox.pool();
			for (int i = 0; i < 5 * this.rounds; i++) {
				runs.add(callers.submit(() -> time(sandbox, JOB)));
				LockSupport.parkNanos((long) (-Math.log(1 - random.nextDouble()) * pause));
			}
			List<Long> ours = new ArrayList<>();
			for (Future<Long> run : runs) {
				ours.add(run.get());
			}
			for (int i = 0; i < 10; i++) {
				floors.add(this.floor.run());
			}
			this.goals.add(Goal.atMost("3", "warm p95 at a third of saturation, pool of 4 ÷ the same",
					at(ours, 0.95) / at(floors, 0.5), 0.5, 0.35,
					"p50 %s, p95 %s, one each %s, %d of %d found none waiting".formatted(millis(at(ours, 0.5)),
							millis(at(ours, 0.95)), millis(pause), sandbox.pool().missed() - before.missed(),
							ours.size())));
		}
		finally {
			callers.shutdown();
		}
	}

	/** Goals 4 and 5. */
	private void callbacks() {
		List<Double> ratios = new ArrayList<>();
		List<Double> tails = new ArrayList<>();
		List<Long> echoes = new ArrayList<>();
		List<Long> calls = new ArrayList<>();
		CallLimits many = new CallLimits(1_000_000, 1_000_000, ByteSize.ofMebibytes(1), ByteSize.ofMebibytes(1),
				ByteSize.ofMebibytes(2048), ByteSize.ofBytes(0));
		Limits limits = Limits.defaults()
			.withCalls(many)
			.withCpu(Duration.ofMinutes(1))
			.withWallTime(Duration.ofMinutes(1))
			.withValue(ByteSize.ofMebibytes(1));
		RunRequest program = RunRequest.of("""
				import time
				text = "x" * 1000
				taken = []
				for i in range(5000):
				    began = time.perf_counter_ns()
				    await echo(text=text)
				    taken.append(time.perf_counter_ns() - began)
				taken[2000:]
				""").withLimits(limits);
		try (Sandbox sandbox = builder().limits(limits).tools(ToolCatalog.of(new Echo())).build()) {
			sandbox.isolation();
			for (int i = 0; i < 3; i++) {
				sandbox.run(program);
			}
			for (int i = 0; i < Math.max(5, this.rounds / 5); i++) {
				List<Long> bare = this.floor.echo(3000).subList(1000, 3000);
				RunResult result = sandbox.run(program);
				if (!(result.value().toJava() instanceof List<?> list)) {
					throw new IllegalStateException(result.toJson().toJson());
				}
				List<Long> taken = list.stream().map((nanos) -> ((Number) nanos).longValue()).toList();
				ratios.add(at(taken, 0.5) / at(bare, 0.5));
				tails.add(at(taken, 0.99) / at(bare, 0.99));
				echoes.addAll(bare);
				calls.addAll(taken);
			}
		}
		String detail = "p50 %.0f µs ÷ %.0f µs, p99 %.0f µs ÷ %.0f µs".formatted(at(calls, 0.5) / 1e3,
				at(echoes, 0.5) / 1e3, at(calls, 0.99) / 1e3, at(echoes, 0.99) / 1e3);
		this.goals.add(Goal.atMost("4", "tool call of 1 KB p50 ÷ raw echo over pipes", median(ratios), 6, 4, detail));
		this.goals.add(Goal.atMost("5", "the same, p99", median(tails), 8, 4, detail));
	}

	/** Goals 6 and 7. */
	private void throughput() throws Exception {
		for (int concurrency : new int[] { 2, 8 }) {
			List<Double> ratios = new ArrayList<>();
			List<Double> processors = new ArrayList<>();
			try (Sandbox sandbox = builder().build()) {
				sandbox.isolation();
				warmUp(sandbox);
				for (int i = 0; i < 3; i++) {
					double[] bare = saturate(concurrency, 4, this.floor::run);
					double[] ours = saturate(concurrency, 4, () -> time(sandbox, JOB));
					ratios.add(ours[0] / bare[0]);
					processors.add(ours[1] / bare[1]);
					System.err.printf("  %d at once: %.1f runs/s of %.1f ms CPU, bare %.1f of %.1f%n", concurrency,
							ours[0], ours[1], bare[0], bare[1]);
				}
			}
			this.goals.add(Goal.atLeast("6", "runs each second, saturated by " + concurrency + " ÷ bare",
					median(ratios), 0.80, 0.90, "3 times 4 s each"));
			this.goals.add(Goal.atMost("7", "CPU of a run, saturated by " + concurrency + " ÷ bare", median(processors),
					1.30, 1.15, "of the whole host"));
		}
	}

	/** Return runs for each second, and milliseconds of processor time for each run. */
	private static double[] saturate(int concurrency, int seconds, Runnable job) throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(concurrency);
		AtomicLong runs = new AtomicLong();
		long processor = Floor.processorTime();
		long began = System.nanoTime();
		for (int i = 0; i < concurrency; i++) {
			callers.execute(() -> {
				while (System.nanoTime() - began < TimeUnit.SECONDS.toNanos(seconds)) {
					job.run();
					runs.incrementAndGet();
				}
			});
		}
		callers.shutdown();
		callers.awaitTermination(1, TimeUnit.MINUTES);
		double taken = (System.nanoTime() - began) / 1e9;
		return new double[] { runs.get() / taken, (Floor.processorTime() - processor) / 1e6 / runs.get() };
	}

	/** Goals 8 and 9. */
	private void waiting() throws Exception {
		try (Sandbox sandbox = builder().pool(8, LONG).build()) {
			sandbox.isolation();
			awaitPool(sandbox);
			List<Long> pids = ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
			long share = 0;
			for (long pid : pids) {
				share += share(pid);
			}
			// Each imports once what programs commonly do.
			LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(3));
			long before = used(pids);
			LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(15));
			long after = used(pids);
			this.goals.add(Goal.atMost("8", "MB of a waiting child, shared pages by their share",
					share / 8.0 / (1 << 20), 6, 5, pids.size() + " processes of 8 children"));
			this.goals.add(Goal.atMost("9", "% of a processor that 8 waiting children use",
					(after - before) / 15e9 * 100, 0.1, 0.01, ((after - before) / 1e6) + " ms in 15 s"));
		}
	}

	private static long share(long pid) throws IOException {
		try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "smaps_rollup"))) {
			return lines.filter((line) -> line.startsWith("Pss:"))
				.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
				.sum();
		}
	}

	private static long used(List<Long> pids) throws IOException {
		long ticks = 0;
		for (long pid : pids) {
			String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
			String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
			ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
		}
		return ticks * 10_000_000L;
	}

	/** Goals 10 and 11. */
	private void output() {
		String lines = "line = 'x' * 63\nfor _ in range(%d): print(line)\n".formatted(800_000);
		String bulk = "import os\ndata = b'x' * 65536\nfor _ in range(%d): os.write(1, data)\n".formatted(8_000);
		String text = "import sys\ntext = 'x' * 65536\nfor _ in range(%d): sys.stdout.write(text)\n".formatted(8_000);
		List<Double> printed = new ArrayList<>();
		List<Double> written = new ArrayList<>();
		StringBuilder detail = new StringBuilder();
		Limits limits = Limits.defaults().withWallTime(Duration.ofMinutes(2)).withCpu(Duration.ofMinutes(2));
		try (Sandbox sandbox = builder().limits(limits).build()) {
			sandbox.isolation();
			for (int i = 0; i < 5; i++) {
				double bare = this.floor.drain(lines);
				double ours = captured(sandbox, lines);
				printed.add(ours / bare);
				double raw = this.floor.drain(bulk);
				double bulked = captured(sandbox, text);
				written.add(bulked / raw);
				detail.setLength(0);
				detail.append("%.0f ÷ %.0f MB/s, %.0f ÷ %.0f MB/s".formatted(ours / 1e6, bare / 1e6, bulked / 1e6,
						raw / 1e6));
			}
		}
		this.goals.add(Goal.atLeast("10", "print of 64-byte lines ÷ the same into a bare pipe", median(printed), 0.35,
				0.6, detail.toString()));
		this.goals.add(Goal.atLeast("11", "text in bulk ÷ raw writes of 64 KB into a pipe", median(written), 0.06, 0.10,
				detail.toString()));
	}

	/** The time of the program itself, told by the program. */
	private static double captured(Sandbox sandbox, String program) {
		RunResult result = sandbox.run(RunRequest.of("import time\nbegan = time.perf_counter()\n" + program
				+ "import sys\nsys.stdout.flush()\ntime.perf_counter() - began\n"));
		if (!(result.value().toJava() instanceof Number seconds)) {
			throw new IllegalStateException(result.toJson().toJson());
		}
		return result.stdout().bytes() / seconds.doubleValue();
	}

	/** Goal 12. */
	private void kill() {
		List<Long> small = new ArrayList<>();
		List<Long> large = new ArrayList<>();
		Duration wall = Duration.ofMillis(500);
		Limits limits = Limits.defaults().withWallTime(wall);
		Limits roomy = limits.withAddressSpace(ByteSize.ofMebibytes(1024)).withWallTime(Duration.ofSeconds(3));
		try (Sandbox sandbox = builder().limits(roomy.withWallTime(Duration.ofSeconds(30))).pool(1, LONG).build()) {
			sandbox.isolation();
			for (int i = 0; i < Math.max(10, this.rounds / 4); i++) {
				awaitPool(sandbox);
				small.add(over(sandbox, "import time\ntime.sleep(60)", limits));
			}
			for (int i = 0; i < 5; i++) {
				awaitPool(sandbox);
				large.add(over(sandbox, "x = bytearray(500 << 20)\nimport time\ntime.sleep(60)", roomy));
			}
		}
		this.goals.add(Goal.atMost("12", "ms from deadline to result, empty heap", at(small, 0.5) / 1e6, 15, 5,
				spread(small)));
		this.goals.add(Goal.atMost("12", "ms from deadline to result, 500 MB touched", at(large, 0.5) / 1e6, 100, 60,
				spread(large)));
	}

	private static long over(Sandbox sandbox, String program, Limits limits) {
		long began = System.nanoTime();
		sandbox.run(RunRequest.of(program).withLimits(limits));
		return System.nanoTime() - began - limits.wallTime().toNanos();
	}

	/** Goal 15. */
	private void virtualThreads() throws Exception {
		ExecutorService virtual;
		try {
			virtual = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
		}
		catch (NoSuchMethodException ex) {
			System.err.println("Goal 15 is not measured: this JVM has no virtual threads");
			return;
		}
		int children = 300;
		Limits limits = Limits.defaults().withWallTime(Duration.ofMinutes(3)).withProcesses(2_000);
		List<Future<RunResult>> runs = new ArrayList<>();
		AtomicLong begun = new AtomicLong();
		HostTool gate = new Gate(begun, children);
		try (Sandbox sandbox = builder().limits(limits)
			.tools(ToolCatalog.of(gate))
			.concurrentExecutions(children, children, LONG)
			.build()) {
			sandbox.isolation();
			for (int i = 0; i < children; i++) {
				runs.add(virtual.submit(() -> sandbox.run(RunRequest.of("await gate()\nprint(1)"))));
			}
			while (begun.get() < children) {
				LockSupport.parkNanos(1_000_000);
			}
			List<Long> taken = new ArrayList<>();
			for (int i = 0; i < 1_000; i++) {
				long began = System.nanoTime();
				virtual.submit(() -> taken.add(System.nanoTime() - began)).get();
			}
			synchronized (gate) {
				begun.set(Long.MAX_VALUE);
				gate.notifyAll();
			}
			for (Future<RunResult> run : runs) {
				if (!run.get().succeeded()) {
					throw new IllegalStateException(run.get().toJson().toJson());
				}
			}
			this.goals.add(Goal.atMost("15", "ms until another virtual thread starts, p99, 300 children in use",
					at(taken, 0.99) / 1e6, 10, 1, spread(taken)));
		}
		virtual.shutdown();
	}

	private SandboxBuilder builder() {
		return Sandbox.builder().backend("bubblewrap").interpreter(this.interpreter);
	}

	static void awaitPool(Sandbox sandbox) {
		while (sandbox.pool().waiting() < sandbox.pool().size()) {
			LockSupport.parkNanos(200_000);
		}
		// What was just started shares the processors with what is measured next.
		LockSupport.parkNanos(5_000_000);
	}

	static long time(Sandbox sandbox, RunRequest request) {
		long began = System.nanoTime();
		RunResult result = sandbox.run(request);
		long taken = System.nanoTime() - began;
		if (!result.succeeded()) {
			throw new IllegalStateException(result.toJson().toJson());
		}
		return taken;
	}

	static double at(List<Long> values, double part) {
		List<Long> sorted = values.stream().sorted().toList();
		return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size())));
	}

	private static double median(List<Double> values) {
		List<Double> sorted = values.stream().sorted().toList();
		return sorted.get(sorted.size() / 2);
	}

	private static String millis(double nanos) {
		return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
	}

	static String spread(List<Long> values) {
		return String.format(Locale.ROOT, "%.2f (%.2f–%.2f) ms", at(values, 0.5) / 1e6, at(values, 0) / 1e6,
				at(values, 1) / 1e6);
	}

	/**
	 * What measures a goal.
	 */
	@FunctionalInterface
	private interface Measurement {

		void run() throws Exception;

	}

	/**
	 * Answers with what it is given.
	 */
	private record Echo() implements HostTool {

		@Override
		public String name() {
			return "echo";
		}

		@Override
		public String description() {
			return "Answers with what it is given.";
		}

		@Override
		public JsonValue inputSchema() {
			return JsonValue.parse("{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}");
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) {
			return JsonValue.of(arguments.string("text"));
		}

	}

	/**
	 * Keeps every caller until it is opened.
	 *
	 * @param begun how many have come
	 * @param most how many are waited for
	 */
	private record Gate(AtomicLong begun, int most) implements HostTool {

		@Override
		public String name() {
			return "gate";
		}

		@Override
		public String description() {
			return "Answers when it is opened.";
		}

		@Override
		public JsonValue inputSchema() {
			return JsonValue.parse("{\"type\":\"object\"}");
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) throws InterruptedException {
			this.begun.incrementAndGet();
			synchronized (this) {
				while (this.begun.get() <= this.most) {
					wait();
				}
			}
			return JsonValue.NULL;
		}

	}

}
