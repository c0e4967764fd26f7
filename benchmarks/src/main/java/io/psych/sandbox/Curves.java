package io.psych.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.runlog.InMemoryRunLog;
import io.psych.sandbox.runlog.RunEvent;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunRecord;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolGateway;

/**
 * Measures how cost grows with load and size, and prints one line of comma-separated
 * values for each point: curve, x, y and their units.
 *
 * @since 0.1.0
 */
public final class Curves {

	private static final RunRequest JOB = RunRequest.of("print(1)\n1");

	private final Path interpreter;

	private Curves(Path interpreter) {
		this.interpreter = interpreter;
	}

	/**
	 * Measure and print.
	 * @param arguments the interpreter, and the names of the curves (all when there are
	 * none)
	 * @throws Exception if something can't be measured
	 */
	public static void main(String[] arguments) throws Exception {
		Curves curves = new Curves(Path.of(arguments[0]));
		Set<String> chosen = Set.of(Arrays.copyOfRange(arguments, 1, arguments.length));
		System.out.println("curve,x,y");
		for (Map.Entry<String, Curve> curve : List.of(Map.entry("load", (Curve) curves::load),
				Map.entry("calls", (Curve) curves::calls), Map.entry("output", (Curve) curves::output),
				Map.entry("tools", (Curve) curves::tools), Map.entry("log", (Curve) curves::log))) {
			if (chosen.isEmpty() || chosen.contains(curve.getKey())) {
				curve.getValue().measure();
			}
		}
	}

	private static void point(String curve, double x, double y) {
		System.out.printf(Locale.ROOT, "%s,%.0f,%.4g%n", curve, x, y);
	}

	private void load() throws Exception {
		for (boolean pooled : new boolean[] { false, true }) {
			for (int flight : new int[] { 1, 2, 8, 32, 128 }) {
				SandboxBuilder builder = builder().concurrentExecutions(256, 256, Duration.ofMinutes(5));
				try (Sandbox sandbox = (pooled ? builder.pool(4, Duration.ofHours(1)) : builder).build()) {
					sandbox.isolation();
					run(sandbox, JOB);
					AtomicLong runs = new AtomicLong();
					ExecutorService callers = Executors.newFixedThreadPool(flight);
					long processor = Floor.processorTime();
					long began = System.nanoTime();
					for (int i = 0; i < flight; i++) {
						callers.execute(() -> {
							while (System.nanoTime() - began < TimeUnit.SECONDS.toNanos(5)) {
								run(sandbox, JOB);
								runs.incrementAndGet();
							}
						});
					}
					callers.shutdown();
					callers.awaitTermination(5, TimeUnit.MINUTES);
					double seconds = (System.nanoTime() - began) / 1e9;
					String name = pooled ? "pool of 4" : "no pool";
					point("runs per second, " + name, flight, runs.get() / seconds);
					point("CPU ms per run, " + name, flight, (Floor.processorTime() - processor) / 1e6 / runs.get());
				}
			}
		}
	}

	private void calls() {
		CallLimits many = new CallLimits(1_000_000, 1_000_000, ByteSize.ofMebibytes(1), ByteSize.ofMebibytes(1),
				ByteSize.ofMebibytes(2048), ByteSize.ofBytes(0));
		Limits limits = Limits.defaults()
			.withCalls(many)
			.withCpu(Duration.ofMinutes(2))
			.withWallTime(Duration.ofMinutes(2));
		try (Sandbox sandbox = builder().limits(limits)
			.concurrentCalls(100)
			.tools(ToolCatalog.of(new Numbered(0)))
			.build()) {
			sandbox.isolation();
			for (int at : new int[] { 1, 10, 100 }) {
				RunResult result = run(sandbox, RunRequest.of("""
						import asyncio, time
						async def many(n):
						    for _ in range(n):
						        await tool_0(text="x" * 1000)
						async def main(at, each):
						    await asyncio.gather(*(many(each) for _ in range(at)))
						await main(%1$d, 200)
						began = time.perf_counter()
						await main(%1$d, %2$d)
						(time.perf_counter() - began) / (%1$d * %2$d) * 1e6
						""".formatted(at, 6_000 / at)));
				point("µs of a call, calls at once", at, number(result));
			}
		}
	}

	private void output() {
		Limits limits = Limits.defaults().withCpu(Duration.ofMinutes(2)).withWallTime(Duration.ofMinutes(2));
		try (Sandbox sandbox = builder().limits(limits).build()) {
			sandbox.isolation();
			for (long bytes : new long[] { 1L << 10, 1L << 14, 1L << 18, 1L << 20, 10L << 20, 100L << 20 }) {
				RunRequest program = RunRequest.of("""
						import sys
						left = %d
						text = "x" * 8192
						while left > 0:
						    left -= sys.stdout.write(text[:left])
						""".formatted(bytes));
				List<Long> taken = new ArrayList<>();
				for (int i = 0; i < 5; i++) {
					long began = System.nanoTime();
					run(sandbox, program);
					taken.add(System.nanoTime() - began);
				}
				point("ms of a run, bytes printed", bytes, taken.stream().sorted().toList().get(2) / 1e6);
			}
		}
	}

	private void tools() {
		for (int count : new int[] { 1, 10, 100, 500, 2_000 }) {
			List<HostTool> tools = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				tools.add(new Numbered(i));
			}
			try (Sandbox sandbox = builder().tools(ToolCatalog.of(tools.toArray(HostTool[]::new))).build()) {
				sandbox.isolation();
				List<Long> runs = new ArrayList<>();
				List<Long> descriptions = new ArrayList<>();
				for (int i = 0; i < 15; i++) {
					long began = System.nanoTime();
					run(sandbox, JOB);
					runs.add(System.nanoTime() - began);
					began = System.nanoTime();
					sandbox.describe();
					descriptions.add(System.nanoTime() - began);
				}
				point("ms of a run, tools", count, runs.stream().sorted().toList().get(7) / 1e6);
				point("ms of the description, tools", count, descriptions.stream().sorted().toList().get(7) / 1e6);
			}
		}
	}

	private void log() {
		for (int events : new int[] { 10, 100, 1_000, 10_000, 100_000 }) {
			InMemoryRunLog log = new InMemoryRunLog();
			RunKey run = RunKey.of(new Scope("a", "b", null), "");
			ToolGateway gateway = ToolGateway.builder(ToolCatalog.of(new Numbered(0))).log(log).build();
			for (int i = 0; i < events; i++) {
				log.append(run, new RunEvent.CallAccepted("x", "c" + i, "tool", CallOrigin.MODEL, 3));
			}
			try (Sandbox sandbox = builder().tools(gateway).build()) {
				sandbox.isolation();
				RunRequest job = JOB.withScope(new Scope("a", "b", null));
				List<Long> runs = new ArrayList<>();
				List<Long> folds = new ArrayList<>();
				for (int i = 0; i < 11; i++) {
					long began = System.nanoTime();
					run(sandbox, job);
					runs.add(System.nanoTime() - began);
					began = System.nanoTime();
					RunRecord.of(log, run);
					folds.add(System.nanoTime() - began);
				}
				point("ms of a run, events in its log", events, runs.stream().sorted().toList().get(5) / 1e6);
				point("ms to fold a run, events in its log", events, folds.stream().sorted().toList().get(5) / 1e6);
			}
		}
	}

	private SandboxBuilder builder() {
		return Sandbox.builder().backend("bubblewrap").interpreter(this.interpreter);
	}

	private static RunResult run(Sandbox sandbox, RunRequest request) {
		RunResult result = sandbox.run(request);
		if (!result.succeeded()) {
			throw new IllegalStateException(result.toJson().toJson());
		}
		return result;
	}

	private static double number(RunResult result) {
		if (result.value().toJava() instanceof Number number) {
			return number.doubleValue();
		}
		throw new IllegalStateException(result.toJson().toJson());
	}

	/**
	 * What measures a curve.
	 */
	@FunctionalInterface
	private interface Curve {

		void measure() throws Exception;

	}

	/**
	 * One of many tools.
	 *
	 * @param number tells it from the others
	 */
	private record Numbered(int number) implements HostTool {

		private static final JsonValue INPUT = JsonValue.parse("""
				{"type": "object", "properties": {"text": {"type": "string", "description": "What to answer with."},
				"count": {"type": "integer"}}, "required": ["text"]}""");

		@Override
		public String name() {
			return "tool_" + this.number;
		}

		@Override
		public String description() {
			return "Answers with what it is given, as number " + this.number + " of many.";
		}

		@Override
		public JsonValue inputSchema() {
			return INPUT;
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) {
			return JsonValue.of(arguments.string("text"));
		}

	}

}
