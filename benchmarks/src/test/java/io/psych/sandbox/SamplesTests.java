package io.psych.sandbox;

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
