package io.psych.sandbox.limits;

import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CallLimitsTests {

	private static final ByteSize ONE = ByteSize.ofBytes(1);

	private static final ByteSize MUCH = ByteSize.ofMebibytes(1);

	@Test
	void boundsThatCannotHoldTogetherAreRefusedByName() {
		refused("calls.perExecution", () -> new CallLimits(-1, 1, MUCH, MUCH, MUCH, MUCH));
		refused("calls.perRun", () -> new CallLimits(2, 1, MUCH, MUCH, MUCH, MUCH));
		refused("calls.arguments", () -> new CallLimits(1, 1, ByteSize.ofBytes(0), MUCH, MUCH, MUCH));
		refused("calls.arguments", () -> new CallLimits(1, 1, ByteSize.ofMebibytes(16), MUCH, MUCH, MUCH));
		refused("calls.result", () -> new CallLimits(1, 1, MUCH, ByteSize.ofBytes(0), MUCH, MUCH));
		refused("calls.result", () -> new CallLimits(1, 1, MUCH, ByteSize.ofMebibytes(16), MUCH, MUCH));
		refused("calls.total", () -> new CallLimits(1, 1, MUCH, ONE, ONE, MUCH));
		refused("calls.total", () -> new CallLimits(1, 1, ONE, MUCH, ONE, MUCH));
		refused("calls.kept", () -> new CallLimits(1, 1, MUCH, MUCH, MUCH, ByteSize.ofMebibytes(2048)));
	}

	@Test
	void boundsMayBeEqualAndCallsNone() {
		assertThat(new CallLimits(0, 0, ONE, ONE, ONE, ByteSize.ofBytes(0)).perRun()).isZero();
	}

	@Test
	void intersectionIsNowhereAboveEither() {
		Random random = new Random(3);
		for (int i = 0; i < 2_000; i++) {
			CallLimits left = any(random);
			CallLimits right = any(random);
			CallLimits both = left.intersect(right);
			assertThat(both).isEqualTo(right.intersect(left)).isEqualTo(both.intersect(left));
			for (CallLimits one : new CallLimits[] { left, right }) {
				assertThat(both.perExecution()).isLessThanOrEqualTo(one.perExecution());
				assertThat(both.perRun()).isLessThanOrEqualTo(one.perRun());
				assertThat(both.arguments()).isLessThanOrEqualTo(one.arguments());
				assertThat(both.result()).isLessThanOrEqualTo(one.result());
				assertThat(both.total()).isLessThanOrEqualTo(one.total());
				assertThat(both.kept()).isLessThanOrEqualTo(one.kept());
			}
		}
	}

	private static CallLimits any(Random random) {
		int calls = random.nextInt(100);
		ByteSize arguments = ByteSize.ofBytes(1 + random.nextInt(1_000));
		ByteSize result = ByteSize.ofBytes(1 + random.nextInt(1_000));
		long total = Math.max(arguments.bytes(), result.bytes()) + random.nextInt(1_000);
		return new CallLimits(calls, calls + random.nextInt(100), arguments, result, ByteSize.ofBytes(total),
				ByteSize.ofBytes(random.nextInt(1_000)));
	}

	private static void refused(String name, Runnable limits) {
		assertThatExceptionOfType(LimitException.class).isThrownBy(limits::run).withMessageContaining(name);
	}

}
