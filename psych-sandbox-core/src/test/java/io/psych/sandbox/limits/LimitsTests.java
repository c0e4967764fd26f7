package io.psych.sandbox.limits;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class LimitsTests {

	/** A frame of 16 MiB less 64 KiB for what is around a value. */
	private static final long MOST_IN_FRAME = (16 * 1024 - 64) * 1024;

	@Test
	void defaultsAreThoseOfTheDescription() {
		Limits limits = Limits.defaults();
		assertThat(limits.cpu()).hasSeconds(10);
		assertThat(limits.wallTime()).hasSeconds(30);
		assertThat(limits.toolTimeout()).hasSeconds(20);
		assertThat(limits.addressSpace()).hasToString("512 MiB");
		assertThat(limits.fileSize()).hasToString("10 MiB");
		assertThat(limits.workspace()).hasToString("64 MiB");
		assertThat(limits.processes()).isEqualTo(64);
		assertThat(limits.stream()).hasToString("64 KiB");
		assertThat(limits.value()).hasToString("64 KiB");
		assertThat(limits.program()).hasToString("1 MiB");
	}

	@ParameterizedTest(name = "{0} {1}")
	@MethodSource
	void limitThatCannotHoldIsRefusedWithNameValueAndFix(String name, String value, Draft draft, String problem,
			String fix) {
		assertThatExceptionOfType(LimitException.class).isThrownBy(draft::make).satisfies((refused) -> {
			assertThat(refused.limit()).isEqualTo(name);
			assertThat(refused.value()).isEqualTo(value);
			assertThat(refused.fix()).isEqualTo(fix);
			assertThat(refused).hasMessage(name + " is " + value + ", " + problem + ". " + fix);
		});
	}

	static Stream<Arguments> limitThatCannotHoldIsRefusedWithNameValueAndFix() {
		String second = "Set it to 1s or more.";
		String kilobyte = "Set it to 1KB or more.";
		String wholeSeconds = "but must be whole seconds, at least one";
		String positive = "but must be positive";
		String longest = "but the longest that can be counted is PT8760H";
		String days = "Set it to 365d or less.";
		String frame = "but one frame of the wire carries 16 MiB, so at most 16320 KiB";
		String fitting = "Set it to 15MB or less.";
		Duration overYear = Duration.ofDays(365).plusSeconds(1);
		ByteSize overFrame = ByteSize.ofBytes(MOST_IN_FRAME + 1);
		return Stream.of(arguments("cpu", "PT0S", new Draft((it) -> it.cpu = Duration.ZERO), wholeSeconds, second),
				arguments("cpu", "PT-1S", new Draft((it) -> it.cpu = Duration.ofSeconds(-1)), wholeSeconds, second),
				arguments("cpu", "PT0.999S", new Draft((it) -> it.cpu = Duration.ofMillis(999)), wholeSeconds, second),
				arguments("cpu", "PT1.5S", new Draft((it) -> it.cpu = Duration.ofMillis(1500)), wholeSeconds, second),
				arguments("cpu", "PT8760H1S", new Draft((it) -> it.cpu = overYear), longest, days),
				arguments("wallTime", "PT0S", new Draft((it) -> it.wallTime = Duration.ZERO), positive, second),
				arguments("wallTime", "PT-1S", new Draft((it) -> it.wallTime = Duration.ofSeconds(-1)), positive,
						second),
				arguments("wallTime", "PT8760H1S", new Draft((it) -> it.wallTime = overYear), longest, days),
				arguments("toolTimeout", "PT0S", new Draft((it) -> it.toolTimeout = Duration.ZERO), positive, second),
				arguments("toolTimeout", "PT30.000000001S",
						new Draft((it) -> it.toolTimeout = Duration.ofSeconds(30, 1)),
						"but the wall clock ends the execution after PT30S",
						"Set toolTimeout to at most wallTime, or raise wallTime."),
				arguments("addressSpace", "50331647 bytes",
						new Draft((it) -> it.addressSpace = ByteSize.ofBytes(48 * 1024 * 1024 - 1)),
						"but the interpreter itself needs 48 MiB", "Set it to 64MB or more."),
				arguments("fileSize", "0 bytes", new Draft((it) -> it.fileSize = ByteSize.ofBytes(0)), positive,
						kilobyte),
				arguments("workspace", "0 bytes", new Draft((it) -> it.workspace = ByteSize.ofBytes(0)), positive,
						kilobyte),
				arguments("fileSize", "67108865 bytes",
						new Draft((it) -> it.fileSize = ByteSize.ofBytes(64 * 1024 * 1024 + 1)),
						"but all files together may hold only 64 MiB",
						"Set fileSize to at most workspace, or raise workspace."),
				arguments("processes", "0", new Draft((it) -> it.processes = 0), "but the program itself is one",
						"Set it to 1 or more."),
				arguments("processes", "-1", new Draft((it) -> it.processes = -1), "but the program itself is one",
						"Set it to 1 or more."),
				arguments("stream", "0 bytes", new Draft((it) -> it.stream = ByteSize.ofBytes(0)), positive, kilobyte),
				arguments("stream", "16711681 bytes", new Draft((it) -> it.stream = overFrame), frame, fitting),
				arguments("value", "0 bytes", new Draft((it) -> it.value = ByteSize.ofBytes(0)), positive, kilobyte),
				arguments("value", "16711681 bytes", new Draft((it) -> it.value = overFrame), frame, fitting),
				arguments("program", "0 bytes", new Draft((it) -> it.program = ByteSize.ofBytes(0)), positive,
						kilobyte),
				arguments("program", "16711681 bytes", new Draft((it) -> it.program = overFrame), frame, fitting));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void limitAtItsBoundIsAccepted(String what, Draft draft) {
		assertThatNoException().isThrownBy(draft::make);
	}

	static Stream<Arguments> limitAtItsBoundIsAccepted() {
		ByteSize one = ByteSize.ofBytes(1);
		ByteSize frame = ByteSize.ofBytes(MOST_IN_FRAME);
		return Stream.of(arguments("one second of CPU", new Draft((it) -> it.cpu = Duration.ofSeconds(1))),
				arguments("a year of CPU", new Draft((it) -> it.cpu = Duration.ofDays(365))),
				arguments("a year on the wall", new Draft((it) -> it.wallTime = Duration.ofDays(365))),
				arguments("tool as long as the wall", new Draft((it) -> it.toolTimeout = Duration.ofSeconds(30))),
				arguments("a nanosecond of all times", new Draft((it) -> {
					it.wallTime = Duration.ofNanos(1);
					it.toolTimeout = Duration.ofNanos(1);
				})), arguments("48 MiB", new Draft((it) -> it.addressSpace = ByteSize.ofMebibytes(48))),
				arguments("one file fills the workspace", new Draft((it) -> it.fileSize = ByteSize.ofMebibytes(64))),
				arguments("one process", new Draft((it) -> it.processes = 1)),
				arguments("one byte of everything", new Draft((it) -> {
					it.fileSize = one;
					it.workspace = one;
					it.stream = one;
					it.value = one;
					it.program = one;
				})), arguments("a frame of everything", new Draft((it) -> {
					it.stream = frame;
					it.value = frame;
					it.program = frame;
				})));
	}

	@Test
	void intersectIsNowhereAboveEitherAndAlwaysHolds() {
		Random random = new Random(20260901);
		for (int i = 0; i < 5_000; i++) {
			Limits left = randomLimits(random);
			Limits right = randomLimits(random);
			Limits both = left.intersect(right);
			for (Limits one : List.of(left, right)) {
				assertThat(above(both, one)).as("%s of %s and %s", both, left, right).isEmpty();
			}
			assertThat(both).isEqualTo(right.intersect(left));
			assertThat(both.intersect(left)).isEqualTo(both);
		}
	}

	@Test
	void intersectTakesEachLimitFromWhicheverIsStricter() {
		Limits strictTime = Limits.defaults()
			.withCpu(Duration.ofSeconds(1))
			.withWallTime(Duration.ofSeconds(5))
			.withProcesses(7);
		Limits strictSize = Limits.defaults()
			.withAddressSpace(ByteSize.ofMebibytes(64))
			.withStream(ByteSize.ofKibibytes(1))
			.withValue(ByteSize.ofKibibytes(2));
		Limits both = strictTime.intersect(strictSize);
		assertThat(both).isEqualTo(new Limits(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(5),
				ByteSize.ofMebibytes(64), ByteSize.ofMebibytes(10), ByteSize.ofMebibytes(64), 7,
				ByteSize.ofKibibytes(1), ByteSize.ofKibibytes(2), ByteSize.ofMebibytes(1)));
	}

	@Test
	void intersectWithItselfIsItself() {
		assertThat(Limits.defaults().intersect(Limits.defaults())).isEqualTo(Limits.defaults());
	}

	@Test
	void withWallTimeWhenBelowToolTimeoutShortensToolTimeout() {
		Limits limits = Limits.defaults().withWallTime(Duration.ofSeconds(3));
		assertThat(limits.wallTime()).hasSeconds(3);
		assertThat(limits.toolTimeout()).hasSeconds(3);
	}

	@Test
	void withWallTimeWhenAboveToolTimeoutKeepsToolTimeout() {
		assertThat(Limits.defaults().withWallTime(Duration.ofMinutes(5)).toolTimeout()).hasSeconds(20);
	}

	private static List<String> above(Limits limits, Limits bound) {
		List<String> above = new ArrayList<>();
		compare(above, "cpu", limits, bound, Limits::cpu);
		compare(above, "wallTime", limits, bound, Limits::wallTime);
		compare(above, "toolTimeout", limits, bound, Limits::toolTimeout);
		compare(above, "addressSpace", limits, bound, Limits::addressSpace);
		compare(above, "fileSize", limits, bound, Limits::fileSize);
		compare(above, "workspace", limits, bound, Limits::workspace);
		compare(above, "processes", limits, bound, Limits::processes);
		compare(above, "stream", limits, bound, Limits::stream);
		compare(above, "value", limits, bound, Limits::value);
		compare(above, "program", limits, bound, Limits::program);
		return above;
	}

	private static <T extends Comparable<T>> void compare(List<String> above, String name, Limits limits, Limits bound,
			Function<Limits, T> limit) {
		if (limit.apply(limits).compareTo(limit.apply(bound)) > 0) {
			above.add(name);
		}
	}

	@Test
	void widestNarrowsNothingAndHasNothingAboveIt() {
		Limits widest = Limits.widest();
		assertThat(widest.intersect(widest)).isEqualTo(widest);
		Random random = new Random(20260902);
		for (int i = 0; i < 100; i++) {
			Limits limits = randomLimits(random);
			assertThat(limits.intersect(widest)).isEqualTo(limits);
			assertThat(widest.intersect(limits)).isEqualTo(limits);
		}
		assertThatExceptionOfType(LimitException.class)
			.isThrownBy(() -> widest.withWallTime(widest.wallTime().plusNanos(1)));
		assertThatExceptionOfType(LimitException.class).isThrownBy(() -> widest.withCpu(widest.cpu().plusSeconds(1)));
		assertThatExceptionOfType(LimitException.class)
			.isThrownBy(() -> widest.withCapture(ByteSize.ofBytes(widest.capture().bytes() + 1)));
		assertThatExceptionOfType(LimitException.class)
			.isThrownBy(() -> widest.withValue(ByteSize.ofBytes(widest.value().bytes() + 1)));
	}

	private static Limits randomLimits(Random random) {
		Duration wall = Duration.ofMillis(1 + random.nextInt(60_000));
		long files = 1 + random.nextInt(1 << 26);
		return new Limits(Duration.ofSeconds(1 + random.nextInt(60)), wall,
				Duration.ofMillis(1 + random.nextInt((int) wall.toMillis())),
				ByteSize.ofMebibytes(48 + random.nextInt(4096)), ByteSize.ofBytes(1 + random.nextInt((int) files)),
				ByteSize.ofBytes(files), 1 + random.nextInt(256), randomSize(random), randomSize(random),
				randomSize(random));
	}

	private static ByteSize randomSize(Random random) {
		return ByteSize.ofBytes(1 + random.nextInt((int) MOST_IN_FRAME));
	}

	/**
	 * The default limits with a change, which may not hold.
	 */
	static final class Draft {

		private Duration cpu = Limits.defaults().cpu();

		private Duration wallTime = Limits.defaults().wallTime();

		private Duration toolTimeout = Limits.defaults().toolTimeout();

		private ByteSize addressSpace = Limits.defaults().addressSpace();

		private ByteSize fileSize = Limits.defaults().fileSize();

		private ByteSize workspace = Limits.defaults().workspace();

		private int processes = Limits.defaults().processes();

		private ByteSize stream = Limits.defaults().stream();

		private ByteSize value = Limits.defaults().value();

		private ByteSize program = Limits.defaults().program();

		Draft(Consumer<Draft> change) {
			change.accept(this);
		}

		Limits make() {
			return new Limits(this.cpu, this.wallTime, this.toolTimeout, this.addressSpace, this.fileSize,
					this.workspace, this.processes, this.stream, this.value, this.program);
		}

	}

}
