package io.psych.sandbox.seccomp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the filter of each architecture answers, by an interpreter. That the kernel agrees
 * with it is in {@link SeccompKernelTests}.
 */
class SeccompFilterTests {

	/** AUDIT_ARCH_I386, AUDIT_ARCH_ARM, AUDIT_ARCH_RISCV64 and none. */
	private static final int[] FOREIGN = { 0x40000003, 0x40000028, 0xC00000F3, 0 };

	private static final int X32 = 0x40000000;

	private static final long[] TELLING = { 0, 1, 2, 3, 4, 5, 10, 16, 17, 40, 1024, 1025, 1026, 1036, 1040, 0x5401,
			0x5412, 0x541C, 0x11, 0x20011, 0x10000011, 0x7E020011, 0x80801, 0x80802, 0x7F0000001000L, -1 };

	static BpfProgram program(Architecture architecture, boolean sockets) {
		return BpfProgram.of(SeccompFilter.denyList(architecture, sockets));
	}

	static Stream<Arguments> filters() {
		return Arrays.stream(Architecture.values())
			.flatMap((architecture) -> Stream.of(Arguments.of(architecture, false), Arguments.of(architecture, true)));
	}

	static Stream<Arguments> attempts() {
		List<Arguments> arguments = new ArrayList<>();
		for (Architecture architecture : Architecture.values()) {
			for (Attempt attempt : Attempt.all()) {
				if (attempt.number(architecture) != null) {
					arguments.add(Arguments.of(architecture, attempt));
				}
			}
		}
		return arguments.stream();
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource("attempts")
	void denyListAnswersEachAttempt(Architecture architecture, Attempt attempt) {
		for (boolean sockets : new boolean[] { false, true }) {
			if (attempt.isOf(sockets)) {
				assertThat(program(architecture, sockets).run(architecture.audit(), attempt.number(architecture),
						attempt.numbers()))
					.isEqualTo(attempt.action());
			}
		}
	}

	@ParameterizedTest(name = "{0}, sockets: {1}")
	@MethodSource("filters")
	void denyListRefusesTheNamedCallsWhateverTheirArgumentsAndNoOther(Architecture architecture, boolean sockets) {
		BpfProgram program = program(architecture, sockets);
		Map<String, Integer> whole = Attempt.all()
			.stream()
			.filter((attempt) -> attempt.whatever() && attempt.isOf(sockets))
			.collect(Collectors.toMap(Attempt::name, Attempt::action));
		Set<String> byArgument = Attempt.all()
			.stream()
			.filter((attempt) -> !attempt.whatever() && !attempt.isAllowed())
			.map(Attempt::name)
			.collect(Collectors.toSet());
		for (String name : SystemCalls.names()) {
			Integer number = SystemCalls.number(name, architecture);
			if (number == null || (byArgument.contains(name) && !whole.containsKey(name))) {
				continue;
			}
			for (long[] arguments : argumentsOf(new Random(number), 50)) {
				assertThat(program.run(architecture.audit(), number, arguments))
					.as("%s%s", name, Arrays.toString(arguments))
					.isEqualTo(whole.getOrDefault(name, BpfProgram.RETURN_ALLOW));
			}
		}
	}

	@ParameterizedTest
	@EnumSource(Architecture.class)
	void everyDeniedCallIsAttempted(Architecture architecture) {
		Map<Integer, String> attempted = Attempt.all()
			.stream()
			.filter((attempt) -> attempt.whatever() && attempt.number(architecture) != null)
			.collect(Collectors.toMap((attempt) -> attempt.number(architecture), Attempt::name));
		for (DeniedCall call : DeniedCall.values()) {
			if (call.number(architecture) != DeniedCall.NONE) {
				String name = call.name().toLowerCase(Locale.ROOT);
				assertThat(attempted.get(call.number(architecture))).isIn(name, "_" + name);
			}
		}
	}

	@ParameterizedTest(name = "{0}, sockets: {1}")
	@MethodSource("filters")
	void callOfAForeignArchitectureEndsTheProcess(Architecture architecture, boolean sockets) {
		BpfProgram program = program(architecture, sockets);
		List<Integer> foreign = new ArrayList<>(Arrays.stream(FOREIGN).boxed().toList());
		Arrays.stream(Architecture.values())
			.filter((other) -> other != architecture)
			.forEach((other) -> foreign.add(other.audit()));
		for (int other : foreign) {
			for (int number : new int[] { 0, 1, 20, 39, 41, 172, 359, X32 + 39, -1 }) {
				assertThat(program.run(other, number)).isEqualTo(BpfProgram.RETURN_KILL);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { X32, X32 + 39, X32 + 41, X32 + 101, X32 + 520, X32 + 547, 0x7FFFFFFF, 0x80000000, -1 })
	void callByANumberOfX32EndsTheProcess(int number) {
		Architecture architecture = Architecture.X86_64;
		for (boolean sockets : new boolean[] { false, true }) {
			assertThat(program(architecture, sockets).run(architecture.audit(), number))
				.isEqualTo(BpfProgram.RETURN_KILL);
		}
	}

	@ParameterizedTest(name = "{0}, sockets: {1}")
	@MethodSource("filters")
	void everyInstructionIsOneTheKernelTakesAndIsReached(Architecture architecture, boolean sockets) {
		BpfProgram program = program(architecture, sockets);
		assertThat(program.problems()).isEmpty();
		program.run(FOREIGN[0], 0);
		program.run(architecture.audit(), X32);
		for (Attempt attempt : Attempt.all()) {
			Integer number = attempt.number(architecture);
			if (number != null && attempt.isOf(sockets)) {
				program.run(architecture.audit(), number, attempt.numbers());
			}
		}
		assertThat(program.unreached()).isEmpty();
	}

	/** Return arguments that a filter may look at, and others. */
	static List<long[]> argumentsOf(Random random, int count) {
		List<long[]> all = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			all.add(LongStream.generate(() -> argument(random)).limit(5).toArray());
		}
		return all;
	}

	private static long argument(Random random) {
		long telling = TELLING[random.nextInt(TELLING.length)];
		return switch (random.nextInt(4)) {
			case 0 -> random.nextLong();
			case 1 -> telling | ((long) random.nextInt() << Integer.SIZE);
			default -> telling;
		};
	}

}
