package io.psych.sandbox;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How long the runs of one arm took, in the order of the rounds.
 */
final class Samples {

	private final List<Double> millis = new ArrayList<>();

	void add(long nanos) {
		this.millis.add(nanos / 1e6);
	}

	/**
	 * Return the median of the ratios to another arm, round by round: what slowed a round
	 * down slowed both.
	 * @param other the other arm
	 * @return the ratio
	 */
	double ratioTo(Samples other) {
		List<Double> ratios = new ArrayList<>();
		for (int i = 0; i < this.millis.size(); i++) {
			ratios.add(this.millis.get(i) / other.millis.get(i));
		}
		return median(ratios);
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

}
