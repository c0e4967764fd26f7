package io.psych.sandbox.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs each benchmark and its floor in turns, each time in a JVM of its own, and prints
 * the ratios as one table.
 */
public final class InProcess {

	private static final List<Pair> PAIRS = List.of(
			new Pair("read a call, bytes ÷ Jackson", FrameBenchmark.class, "read", "1000", "100000"),
			new Pair("write a reply, bytes ÷ Jackson", FrameBenchmark.class, "write", "1000", "100000"),
			new Pair("a call of 1 KB through the gateway ÷ the tool alone", CallBenchmark.class, "call"),
			new Pair("description, tools ÷ a copy of its bytes", ToolsBenchmark.class, "describe", "10", "200", "2000"),
			new Pair("run frame, tools ÷ a copy of its bytes", ToolsBenchmark.class, "runFrame", "10", "200", "2000"),
			new Pair("fold a run's log, events ÷ reading it", RunLogBenchmark.class, "fold", "10", "1000", "10000",
					"100000"));

	private InProcess() {
	}

	/**
	 * Measure and print.
	 * @param arguments how many times each pair is measured
	 */
	public static void main(String[] arguments) throws RunnerException {
		int rounds = Integer.parseInt(arguments[0]);
		System.out.printf("Java %s, %d processors, %d rounds%n%n", System.getProperty("java.version"),
				Runtime.getRuntime().availableProcessors(), rounds);
		System.out.println("| what | size | µs | floor µs | ratio |\n| - | -: | -: | -: | -: |");
		for (Pair pair : PAIRS) {
			for (String size : pair.sizes()) {
				System.out.println(row(pair, size, rounds));
			}
		}
	}

	private static String row(Pair pair, String size, int rounds) throws RunnerException {
		List<Double> ours = new ArrayList<>();
		List<Double> floors = new ArrayList<>();
		List<Double> ratios = new ArrayList<>();
		for (int i = 0; i < rounds; i++) {
			ours.add(score(pair, pair.method(), size));
			floors.add(score(pair, pair.method() + "Floor", size));
			ratios.add(ours.get(i) / floors.get(i));
		}
		return String.format(Locale.ROOT, "| %s | %s | %.3g | %.3g | %.3g (%.3g–%.3g) |", pair.what(), size,
				middle(ours), middle(floors), middle(ratios),
				ratios.stream().mapToDouble((it) -> it).min().orElseThrow(),
				ratios.stream().mapToDouble((it) -> it).max().orElseThrow());
	}

	/** Of the samples the median: others use the processors as well. */
	private static double score(Pair pair, String method, String size) throws RunnerException {
		ChainedOptionsBuilder options = new OptionsBuilder()
			.include("^" + pair.benchmark().getName() + "\\." + method + "$")
			.mode(Mode.SampleTime)
			.timeUnit(TimeUnit.MICROSECONDS)
			.forks(1)
			.warmupIterations(3)
			.warmupTime(TimeValue.milliseconds(300))
			.measurementIterations(3)
			.measurementTime(TimeValue.milliseconds(200))
			.shouldFailOnError(true)
			.verbosity(VerboseMode.SILENT);
		if (!size.isEmpty()) {
			options.param("size", size);
		}
		return new Runner(options.build()).runSingle().getPrimaryResult().getStatistics().getPercentile(50);
	}

	private static double middle(List<Double> values) {
		List<Double> sorted = values.stream().sorted().toList();
		return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
	}

	/**
	 * A benchmark and its floor, which is the method of the same name with {@code Floor}
	 * behind it.
	 *
	 * @param what what is measured
	 * @param benchmark where the two methods are
	 * @param method the name of the first
	 * @param sizes the values of its parameter; one that is empty when it has none
	 */
	private record Pair(String what, Class<?> benchmark, String method, List<String> sizes) {

		Pair(String what, Class<?> benchmark, String method, String... sizes) {
			this(what, benchmark, method, (sizes.length != 0) ? List.of(sizes) : List.of(""));
		}

	}

}
