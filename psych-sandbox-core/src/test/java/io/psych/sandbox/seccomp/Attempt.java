package io.psych.sandbox.seccomp;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A line of {@code attempts.txt}: a call, and what the filter answers.
 *
 * @param answer the error, or {@code allowed}
 * @param whatever whether that is so whatever the arguments are
 * @param filter {@code closed}, {@code open} or {@code both}
 * @param root whether only a process with capabilities gets another answer without the
 * filter
 * @param name the name of the call
 * @param arguments its arguments: numbers, or words for what {@code attempts.py} has
 */
record Attempt(String answer, boolean whatever, String filter, boolean root, String name, List<String> arguments) {

	private static final Map<String, Integer> ERRORS = Map.of("EPERM", 1, "ENOSYS", 38);

	/** What stands for memory or a descriptor where nothing is called. */
	private static final long SOMETHING = 0x7F0000001000L;

	static List<Attempt> all() {
		return SystemCalls.lines("attempts.txt").stream().map(Attempt::parse).toList();
	}

	static Attempt parse(String line) {
		List<String> words = Arrays.asList(line.split(" +"));
		Attempt attempt = new Attempt(words.get(0), words.get(1).equals("all"), words.get(2),
				words.get(3).equals("root"), words.get(4), words.subList(5, words.size()));
		if (!attempt.isAllowed() && !ERRORS.containsKey(attempt.answer)) {
			throw new IllegalArgumentException("'" + line + "' has no answer");
		}
		return attempt;
	}

	boolean isAllowed() {
		return this.answer.equals("allowed");
	}

	boolean isOf(boolean sockets) {
		return this.filter.equals("both") || this.filter.equals(sockets ? "open" : "closed");
	}

	@Nullable Integer number(Architecture architecture) {
		return SystemCalls.number(this.name, architecture);
	}

	/** Return the number of the error, 0 when there is none. */
	int error() {
		return ERRORS.getOrDefault(this.answer, 0);
	}

	int action() {
		return isAllowed() ? BpfProgram.RETURN_ALLOW : BpfProgram.RETURN_ERRNO | error();
	}

	long[] numbers() {
		return this.arguments.stream().mapToLong(Attempt::number).toArray();
	}

	private static long number(String argument) {
		return argument.startsWith("@") ? SOMETHING : Long.decode(argument);
	}

	/** Return the arguments as {@code attempts.py} takes them. */
	List<Object> words() {
		return this.arguments.stream()
			.map((argument) -> argument.startsWith("@") ? (Object) argument : (Object) Long.decode(argument))
			.toList();
	}

	@Override
	public String toString() {
		return this.name + this.arguments + " is " + this.answer
				+ (this.filter.equals("both") ? "" : " " + this.filter);
	}

}
