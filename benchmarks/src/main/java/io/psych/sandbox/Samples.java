package io.psych.sandbox;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * How long the runs of one arm took, in the order of the rounds.
 */
final class Samples {

	private final List<Double> millis = new ArrayList<>();

	void add(long nanos) {
		this.millis.add(nanos / 1e6);
	}

	void addAll(Samples others) {
		this.millis.addAll(others.millis);
	}

	/**
	 * Return the median of the ratios to another arm, round by round: what slowed a round
	 * down slowed both.
	 * @param other the other arm
	 * @return the ratio
	 */
	double ratioTo(Samples other) {
		return median(ratiosTo(other));
	}

	/**
	 * Return between which two of the ratios, in their order, the median of very many
	 * rounds lies with a certainty of 95 %: a normal approximation of how many of a
	 * sample are below it.
	 * @param other the other arm
	 * @return the lower and the upper one
	 */
	List<Double> certaintyOfRatioTo(Samples other) {
		List<Double> ratios = ratiosTo(other).stream().sorted().toList();
		int apart = (int) Math.ceil(1.96 * Math.sqrt(ratios.size()) / 2);
		int middle = ratios.size() / 2;
		return List.of(ratios.get(Math.max(0, middle - apart)),
				ratios.get(Math.min(ratios.size() - 1, middle + apart)));
	}

	private List<Double> ratiosTo(Samples other) {
		List<Double> ratios = new ArrayList<>();
		for (int i = 0; i < this.millis.size(); i++) {
			ratios.add(this.millis.get(i) / other.millis.get(i));
		}
		return ratios;
	}

	private static double median(List<Double> values) {
		List<Double> sorted = values.stream().sorted().toList();
		int middle = sorted.size() / 2;
		return (sorted.size() % 2 == 1) ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
	}

	/**
	 * Return median, least and most, in milliseconds.
	 */
	@Override
	public String toString() {
		return "%8.2f%8.2f%8.2f".formatted(median(this.millis), Collections.min(this.millis),
				Collections.max(this.millis));
	}

	/**
	 * Return median, least and most, in milliseconds, for a cell of a table.
	 * @return "median (least–most)", or a dash when nothing was measured
	 */
	String spread() {
		return this.millis.isEmpty() ? "–" : String.format(Locale.ROOT, "%.1f (%.1f–%.1f)", median(this.millis),
				Collections.min(this.millis), Collections.max(this.millis));
	}

}
