package io.psych.sandbox;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Samples}.
 */
class SamplesTests {

	@Test
	void ratioIsTheMedianOfTheRoundsAndNotThatOfTheMedians() {
		assertThat(samples(10, 100, 30).ratioTo(samples(10, 50, 10))).isEqualTo(2);
		assertThat(samples(10, 40).ratioTo(samples(10, 10))).isEqualTo(2.5);
	}

	@Test
	void certaintyIsNarrowerThanAllRatiosAndHoldsTheirMedian() {
		int[] rounds = IntStream.rangeClosed(1, 100).toArray();
		List<Double> certainty = samples(rounds)
			.certaintyOfRatioTo(samples(IntStream.generate(() -> 1).limit(100).toArray()));
		assertThat(certainty).containsExactly(41.0, 61.0);
		assertThat(samples(4, 6).certaintyOfRatioTo(samples(2, 2))).containsExactly(2.0, 3.0);
	}

	@Test
	void toStringTellsMedianLeastAndMost() {
		assertThat(samples(3, 1, 2)).asString().matches(" +2[.,]00 +1[.,]00 +3[.,]00");
	}

	private static Samples samples(int... millis) {
		Samples samples = new Samples();
		for (int one : millis) {
			samples.add(one * 1_000_000L);
		}
		return samples;
	}

}
