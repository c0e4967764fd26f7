package io.psych.sandbox.run;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PaceTests {

	private final Pace pace = new Pace(Duration.ofNanos(100));

	@Test
	void isFastOnceTwoCallsWere() {
		assertThat(this.pace.isFast()).isFalse();
		this.pace.took(100);
		assertThat(this.pace.isFast()).isFalse();
		this.pace.took(100);
		assertThat(this.pace.isFast()).isTrue();
	}

	@Test
	void isNotFastWhenOneOfTheFirstTwoWasNot() {
		this.pace.took(100);
		this.pace.took(101);
		this.pace.took(100);
		assertThat(this.pace.isFast()).isFalse();
	}

	@Test
	void staysFastAfterOneSlowCallAndNotAfterTwoInARow() {
		fast();
		this.pace.took(101);
		assertThat(this.pace.isFast()).isTrue();
		this.pace.took(100);
		this.pace.took(101);
		assertThat(this.pace.isFast()).isTrue();
		this.pace.took(101);
		assertThat(this.pace.isFast()).isFalse();
	}

	@Test
	void isNotFastForAWhileWhenCallsHaveStalledThreeTimes() {
		for (int i = 0; i < 3; i++) {
			fast();
			assertThat(this.pace.isFast()).isTrue();
			this.pace.stalled();
			assertThat(this.pace.isFast()).isFalse();
		}
		fast();
		assertThat(this.pace.isFast()).isFalse();
	}

	@Test
	void thousandFastCallsMakeUpForOneThatHasStalled() {
		for (int i = 0; i < 3; i++) {
			this.pace.stalled();
		}
		for (int i = 0; i < 999; i++) {
			this.pace.took(100);
			this.pace.took(101);
			assertThat(this.pace.isFast()).isFalse();
		}
		fast();
		assertThat(this.pace.isFast()).isTrue();
		this.pace.stalled();
		fast();
		assertThat(this.pace.isFast()).isFalse();
	}

	private void fast() {
		this.pace.took(100);
		this.pace.took(100);
	}

}
