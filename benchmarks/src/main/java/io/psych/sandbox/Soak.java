package io.psych.sandbox;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.runlog.InMemoryRunLog;
import io.psych.sandbox.runlog.RunEvent;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolGateway;

/**
 * Lets programs arrive for long at half of what saturates this host, most of them well
 * behaved, some not, and prints for each minute how long they took, as a ratio to the
 * floor taken in the same minute, and what this process holds. Ends with status 1 when
 * memory or anything else grew, or something is left.
 *
 * @since 0.1.0
 */
public final class Soak {

	private static final Job JOB = new Job(RunRequest.of("print(1)\n1"), true);

	/** What else comes: each twentieth program is one of these. */
	private static final List<Job> OTHERS = List.of(
			new Job(RunRequest.of("import subprocess\nsubprocess.run(['/bin/true'])\nprint('x' * 100_000)"), true),
			new Job(RunRequest.of("[await double(number=i) for i in range(20)]"), true),
			new Job(RunRequest.of("import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)\n1"),
					true),
			new Job(RunRequest.of("x = bytearray(100 << 20)\nraise ValueError('no')"), false),
			new Job(RunRequest.of("with open('file', 'w') as file:\n    file.write('x' * 1_000_000)\n1"), true),
			new Job(RunRequest.of("import time\ntime.sleep(60)")
				.withLimits(Limits.defaults().withWallTime(Duration.ofMillis(500))), false));

	/** What the log in memory keeps at most. */
	private static final int FULL = 200_000;

	private final Floor floor;

	private final Random random = new Random(9);

	private final AtomicLong failed = new AtomicLong();

	private Soak(Path interpreter) {
		this.floor = new Floor(interpreter);
	}

	/**
	 * Measure and print.
	 * @param arguments the interpreter, an empty folder for the sandbox and the number of
	 * minutes
	 * @throws Exception if something can't be measured
	 */
	public static void main(String[] arguments) throws Exception {
		Path folder = Path.of(arguments[1]);
		List<Minute> minutes = new ArrayList<>();
		List<String> problems = new ArrayList<>();
		Soak soak = new Soak(Path.of(arguments[0]));
		try (Sandbox sandbox = Sandbox.builder()
			.backend("bubblewrap")
			.interpreter(Path.of(arguments[0]))
			.folder(folder)
			.tools(ToolGateway.builder(ToolCatalog.of(new Twice())).log(full()).build())
			.pool(4, Duration.ofMinutes(10))
			.build()) {
			sandbox.isolation();
			double rate = soak.saturation(sandbox) / 2;
			System.out.printf(Locale.ROOT, "half of saturation: %.1f programs a second%n%s%n", rate, Minute.HEAD);
			ExecutorService callers = Executors.newCachedThreadPool();
			// What the first minute loads and compiles stays.
			soak.minute(sandbox, callers, rate);
			for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
				minutes.add(soak.minute(sandbox, callers, rate));
				System.out.println(minutes.get(i));
			}
			callers.shutdown();
			System.out.println(sandbox.pool() + ", " + soak.failed + " without the result they should have");
		}
		if (soak.failed.get() > 0) {
			problems.add(soak.failed + " programs without the result they should have");
		}
		Minute.compare(minutes, problems);
		try (Stream<Path> left = Files.list(folder)) {
			left.forEach((path) -> problems.add("left: " + path));
		}
		Minute.processes().forEach((process) -> problems.add("left: process " + process));
		System.out.println(problems.isEmpty() ? "Nothing grew, nothing is left." : String.join("\n", problems));
		System.exit(problems.isEmpty() ? 0 : 1);
	}

	/**
	 * The log in memory grows up to a bound, which is no leak: it begins at the bound.
	 */
	private static RunLog full() {
		RunLog log = new InMemoryRunLog();
		for (int i = 0; i < FULL; i++) {
			log.append(new RunKey("", "run:" + i / 5),
					new RunEvent.CallAccepted("", UUID.randomUUID().toString(), "double", CallOrigin.PROGRAM, 12));
		}
		return log;
	}

	/** Return how many programs a second two callers get done. */
	private double saturation(Sandbox sandbox) throws InterruptedException {
		AtomicLong runs = new AtomicLong();
		ExecutorService callers = Executors.newFixedThreadPool(2);
		long began = System.nanoTime();
		for (int i = 0; i < 2; i++) {
			callers.execute(() -> {
				while (System.nanoTime() - began < TimeUnit.SECONDS.toNanos(20)) {
					sandbox.run(JOB.request);
					runs.incrementAndGet();
				}
			});
		}
		callers.shutdown();
		callers.awaitTermination(1, TimeUnit.MINUTES);
		return runs.get() * 1e9 / (System.nanoTime() - began);
	}

	private Minute minute(Sandbox sandbox, ExecutorService callers, double rate) throws Exception {
		List<Future<Long>> runs = new ArrayList<>();
		List<Future<Long>> others = new ArrayList<>();
		List<Future<Long>> floors = new ArrayList<>();
		long began = System.nanoTime();
		double next = 0;
		for (int i = 0; next < 60; i++) {
			if (i % 20 == 19) {
				Job other = OTHERS.get(i / 20 % OTHERS.size());
				others.add(callers.submit(() -> time(sandbox, other)));
			}
			else if (i % 20 == 9) {
				floors.add(callers.submit(() -> this.floor.run()));
			}
			else {
				runs.add(callers.submit(() -> time(sandbox, JOB)));
			}
			next -= Math.log(1 - this.random.nextDouble()) / rate;
			LockSupport.parkNanos((long) (next * 1e9) - (System.nanoTime() - began));
		}
		List<Long> taken = taken(runs);
		taken(others);
		return Minute.of(taken, taken(floors));
	}

	private static List<Long> taken(List<Future<Long>> runs) throws Exception {
		List<Long> taken = new ArrayList<>();
		for (Future<Long> run : runs) {
			taken.add(run.get());
		}
		return taken.stream().sorted().toList();
	}

	private long time(Sandbox sandbox, Job job) {
		long began = System.nanoTime();
		RunResult result = sandbox.run(job.request);
		long taken = System.nanoTime() - began;
		if (result.succeeded() != job.succeeds) {
			this.failed.incrementAndGet();
			System.out.println(result.toJson().toJson());
		}
		return taken;
	}

	/**
	 * A program.
	 *
	 * @param request the program
	 * @param succeeds whether it should
	 */
	private record Job(RunRequest request, boolean succeeds) {

	}

	/**
	 * What a minute was like.
	 *
	 * @param runs how many programs
	 * @param median their median, nanoseconds
	 * @param tail their 95th percentile, nanoseconds
	 * @param floor the median of the floor, nanoseconds
	 * @param heap bytes of live objects
	 * @param resident bytes of memory of this process
	 * @param threads its threads
	 * @param open its open descriptors
	 */
	private record Minute(int runs, long median, long tail, long floor, long heap, long resident, int threads,
			long open) {

		static final String HEAD = "runs,median ms,p95 ms,floor ms,median ÷ floor,p95 ÷ floor,heap MB,resident MB,"
				+ "threads,descriptors";

		static Minute of(List<Long> runs, List<Long> floors) throws IOException {
			System.gc();
			long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
			return new Minute(runs.size(), at(runs, 0.5), at(runs, 0.95), at(floors, 0.5), heap, residentBytes(),
					ManagementFactory.getThreadMXBean().getThreadCount(), descriptors());
		}

		/**
		 * Tell what is more in the last minutes than in the first, of each a twelfth and
		 * in the median, so that one disturbed minute does not decide. Memory is held
		 * against the minutes from the middle on: until then the log in memory exchanges
		 * what it was filled with for what real programs leave.
		 */
		static void compare(List<Minute> minutes, List<String> problems) {
			int part = Math.max(1, minutes.size() / 12);
			List<Minute> first = minutes.subList(0, part);
			List<Minute> middle = minutes.subList(minutes.size() / 2, minutes.size() / 2 + part);
			List<Minute> last = minutes.subList(minutes.size() - part, minutes.size());
			grown("bytes of live objects", Minute::heap, middle, last, 1 << 20, problems);
			grown("bytes of resident memory", Minute::resident, middle, last, 8 << 20, problems);
			grown("threads", Minute::threads, first, last, 8, problems);
			grown("descriptors", Minute::open, first, last, 16, problems);
			grown("thousandths of the floor that a program takes", (minute) -> 1000 * minute.median / minute.floor,
					first, last, 50, problems);
		}

		private static void grown(String what, ToLongFunction<Minute> value, List<Minute> first, List<Minute> last,
				long noise, List<String> problems) {
			long before = at(first.stream().mapToLong(value).sorted().boxed().toList(), 0.5);
			long after = at(last.stream().mapToLong(value).sorted().boxed().toList(), 0.5);
			System.out.printf("%s: %d, and %d at last%n", what, before, after);
			if (after > before * 1.05 + noise) {
				problems.add("%s grew from %d to %d".formatted(what, before, after));
			}
		}

		private double ratio(long nanos) {
			return (double) nanos / this.floor;
		}

		private static long at(List<Long> sorted, double part) {
			return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size())));
		}

		private static long residentBytes() throws IOException {
			String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ");
			return Long.parseLong(pages[1]) * 4096;
		}

		private static long descriptors() throws IOException {
			try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
				return open.count();
			}
		}

		static List<String> processes() {
			return ProcessHandle.current()
				.descendants()
				.map((process) -> process.pid() + " " + process.info())
				.toList();
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT, "%d,%.2f,%.2f,%.2f,%.3f,%.3f,%.1f,%.1f,%d,%d", this.runs,
					this.median / 1e6, this.tail / 1e6, this.floor / 1e6, ratio(this.median), ratio(this.tail),
					this.heap / 1048576.0, this.resident / 1048576.0, this.threads, this.open);
		}

	}

	/**
	 * Doubles a number.
	 */
	private record Twice() implements HostTool {

		@Override
		public String name() {
			return "double";
		}

		@Override
		public String description() {
			return "Doubles a number.";
		}

		@Override
		public JsonValue inputSchema() {
			return JsonValue.parse("{\"type\":\"object\",\"properties\":{\"number\":{\"type\":\"integer\"}}}");
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) {
			return JsonValue.of(2 * Objects.requireNonNull(arguments.integer("number")));
		}

	}

}
