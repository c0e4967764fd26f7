package io.psych.sandbox.seccomp;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.psych.sandbox.seccomp.BpfProgram.Instruction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The filter of this machine's architecture in the kernel: each attempt is a system call
 * of a real process that has taken the filter on as a child does.
 */
@Tag("once")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf("hasFilter")
class SeccompKernelTests {

	private static final int SIGSYS = 31;

	private static final int X32 = 0x40000000;

	/** Added to each error of a filter: none of the kernel's own is that large. */
	private static final int MARK = 3000;

	/** What a filter answers in place of letting a call in. */
	private static final int WOULD_ALLOW = 2000;

	/** A sixth argument that no call but those asked about has. */
	private static final int ASKED = 0x5EC0ABCD;

	private Kernel kernel;

	private final Map<Attempt, Integer> unfiltered = new HashMap<>();

	private final Map<Boolean, Map<Attempt, Integer>> filtered = new HashMap<>();

	private final Map<Boolean, Map<Attempt, Integer>> marked = new HashMap<>();

	static boolean hasFilter() {
		return System.getProperty("os.name").equals("Linux") && Architecture.current() != null;
	}

	private static Architecture architecture() {
		Architecture current = Architecture.current();
		assertThat(current).isNotNull();
		return current;
	}

	@BeforeAll
	void makeEveryAttempt(@TempDir Path folder) throws IOException, InterruptedException {
		this.kernel = new Kernel(folder);
		List<Attempt> attempts = Attempt.all()
			.stream()
			.filter((attempt) -> attempt.number(architecture()) != null)
			.toList();
		this.unfiltered.putAll(answers(null, attempts));
		for (boolean sockets : new boolean[] { false, true }) {
			List<Attempt> own = attempts.stream().filter((attempt) -> attempt.isOf(sockets)).toList();
			BpfProgram filter = SeccompFilterTests.program(architecture(), sockets);
			this.filtered.put(sockets, answers(filter, own));
			this.marked.put(sockets, answers(marked(filter), own));
		}
	}

	private Map<Attempt, Integer> answers(BpfProgram filter, List<Attempt> attempts)
			throws IOException, InterruptedException {
		List<List<List<Object>>> groups = new ArrayList<>();
		for (Attempt attempt : attempts) {
			List<Object> call = new ArrayList<>(List.of(attempt.number(architecture())));
			call.addAll(attempt.words());
			groups.add(List.of(call));
		}
		List<List<Integer>> answers = this.kernel.answers(filter, groups);
		Map<Attempt, Integer> byAttempt = new HashMap<>();
		for (int i = 0; i < attempts.size(); i++) {
			byAttempt.put(attempts.get(i), answers.get(i).get(0));
		}
		return byAttempt;
	}

	/** Return a filter whose errors are its own beyond doubt. */
	private static BpfProgram marked(BpfProgram filter) {
		return new BpfProgram(filter.instructions()
			.stream()
			.map((one) -> (one.isReturn() && (one.value() & 0xFFFF0000) == BpfProgram.RETURN_ERRNO)
					? new Instruction(one.code(), 0, 0, one.value() + MARK) : one)
			.toList());
	}

	/**
	 * Return a filter that can be asked about any call: where the sixth argument says so,
	 * the answer is what the filter says, and the call is never made.
	 */
	private static BpfProgram asked(BpfProgram filter) {
		// BPF_LD|BPF_W|BPF_ABS of the sixth argument, BPF_JMP|BPF_JEQ|BPF_K,
		// BPF_RET|BPF_K
		List<Instruction> instructions = new ArrayList<>(List.of(new Instruction(0x20, 0, 0, 56),
				new Instruction(0x15, 1, 0, ASKED), new Instruction(0x06, 0, 0, BpfProgram.RETURN_ALLOW)));
		for (Instruction one : marked(filter).instructions()) {
			instructions.add((one.isReturn() && one.value() == BpfProgram.RETURN_ALLOW)
					? new Instruction(one.code(), 0, 0, BpfProgram.RETURN_ERRNO | WOULD_ALLOW) : one);
		}
		return new BpfProgram(instructions);
	}

	static Stream<Arguments> attempts() {
		List<Arguments> arguments = new ArrayList<>();
		for (boolean sockets : new boolean[] { false, true }) {
			Attempt.all()
				.stream()
				.filter((attempt) -> attempt.isOf(sockets) && attempt.number(architecture()) != null)
				.forEach((attempt) -> arguments.add(Arguments.of(sockets, attempt)));
		}
		return arguments.stream();
	}

	@ParameterizedTest(name = "sockets {0}: {1}")
	@MethodSource("attempts")
	void kernelAnswersEachAttemptAsTheFilterSays(boolean sockets, Attempt attempt) {
		int answer = this.filtered.get(sockets).get(attempt);
		if (attempt.isAllowed()) {
			assertThat(answer).isEqualTo(this.unfiltered.get(attempt));
			assertThat(this.marked.get(sockets)).containsEntry(attempt, answer);
		}
		else {
			assertThat(answer).isEqualTo(attempt.error());
			// The same error may be the kernel's own. This one can't be.
			assertThat(this.marked.get(sockets)).containsEntry(attempt, MARK + attempt.error());
		}
	}

	static Stream<Attempt> refusals() {
		return Attempt.all()
			.stream()
			.filter((attempt) -> !attempt.isAllowed() && attempt.number(architecture()) != null);
	}

	@ParameterizedTest
	@MethodSource("refusals")
	void withoutTheFilterTheKernelAnswersOtherwise(Attempt attempt) throws IOException {
		assumeTrue(Kernel.isBare(), "this JVM is under a filter itself, whose answers are no control");
		assumeTrue(!attempt.root() || Kernel.hasCapabilities(), "this JVM lacks a capability that such a call takes");
		assertThat(this.unfiltered.get(attempt)).isNotEqualTo(attempt.error()).isGreaterThanOrEqualTo(0);
	}

	@Test
	void attemptsThatNeedNoMistakeSucceedWithoutTheFilter() throws IOException {
		assumeTrue(Kernel.isBare(), "this JVM is under a filter itself, whose answers are no control");
		List<String> lines = List.of("EPERM these both anyone fcntl @file 1024 1",
				"EPERM these both anyone fcntl @folder 1026 1", "EPERM these both anyone fcntl @file 1036 @hint",
				"EPERM these both anyone setrlimit 4 @zeros", "EPERM these both anyone prlimit64 0 4 @zeros 0",
				"EPERM these both anyone socketpair 1 2 0 @zeros", "EPERM all both anyone inotify_init1 0",
				"EPERM all both anyone unshare 0", "EPERM all both anyone personality 0xffffffff",
				"EPERM these closed anyone socket 2 1 0", "allowed these both anyone clone 0x11 0 0 0 0");
		for (String line : lines) {
			assertThat(this.unfiltered).containsEntry(Attempt.parse(line), 0);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void kernelAndInterpreterAgreeOnAnyCall(boolean sockets) throws IOException, InterruptedException {
		BpfProgram filter = asked(SeccompFilterTests.program(architecture(), sockets));
		assertThat(filter.problems()).isEmpty();
		Random random = new Random(20);
		List<List<Object>> answered = new ArrayList<>();
		List<Integer> expected = new ArrayList<>();
		List<List<List<Object>>> ending = new ArrayList<>();
		for (int number : numbers(random)) {
			for (long[] five : SeccompFilterTests.argumentsOf(random, 5)) {
				long[] arguments = LongStream.concat(LongStream.of(five), LongStream.of(ASKED)).toArray();
				List<Object> call = new ArrayList<>(List.of(number));
				LongStream.of(arguments).forEach(call::add);
				int action = filter.run(architecture().audit(), number, arguments);
				if (action == BpfProgram.RETURN_KILL) {
					ending.add(List.of(call));
				}
				else {
					answered.add(call);
					expected.add(action & 0xFFFF);
				}
			}
		}
		assertThat(this.kernel.answers(filter, List.of(answered)).get(0)).isEqualTo(expected);
		assertThat(expected).contains(WOULD_ALLOW, MARK + 1, MARK + 38);
		if (architecture() == Architecture.X86_64) {
			assertThat(ending).isNotEmpty();
			assertThat(this.kernel.answers(filter, ending)).containsOnly(List.of(-SIGSYS));
		}
	}

	/** Return every number there is, those around them, and some of x32. */
	private static List<Integer> numbers(Random random) {
		List<Integer> numbers = new ArrayList<>();
		for (int number = 0; number < 560; number++) {
			// No filter is asked about uretprobe and uprobe since Linux 6.14, which end
			// whoever is not in the kernel's own trampoline.
			if (architecture() != Architecture.X86_64 || (number != 335 && number != 336)) {
				numbers.add(number);
			}
		}
		// What the filters look into is worth a second and a third time.
		for (Attempt attempt : Attempt.all()) {
			Integer number = attempt.number(architecture());
			if (number != null) {
				numbers.add(number);
			}
		}
		for (int i = 0; i < 10; i++) {
			numbers.add(random.nextInt(X32));
			numbers.add((architecture() == Architecture.X86_64) ? X32 + random.nextInt(548) : random.nextInt(X32));
		}
		return numbers;
	}

	@Test
	@EnabledIf("isX86")
	void foreignEntriesEndTheProcess() throws IOException, InterruptedException {
		// getpid and close by the 32-bit entry, then getpid and close as x32 has them
		List<List<List<Object>>> calls = List.of(List.of(List.of("int 0x80", 20)), List.of(List.of("int 0x80", 6, -1)),
				List.of(List.of(X32 + 39)), List.of(List.of(X32 + 3, -1)));
		List<List<Integer>> answers = this.kernel.answers(SeccompFilterTests.program(Architecture.X86_64, false),
				calls);
		assertThat(answers).hasSameSizeAs(calls).containsOnly(List.of(-SIGSYS));
		// A kernel without one of these entries says ENOSYS, or SIGSEGV.
		assertThat(this.kernel.answers(null, calls)).doesNotContain(List.of(-SIGSYS));
	}

	static boolean isX86() {
		return Architecture.current() == Architecture.X86_64;
	}

}
