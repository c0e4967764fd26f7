package io.psych.sandbox.seccomp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The numbers of all system calls, from the kernel's own tables and not from the
 * filter's.
 */
final class SystemCalls {

	private static final Map<String, List<String>> NUMBERS = new LinkedHashMap<>();

	static {
		for (String line : lines("system-calls.txt")) {
			String[] words = line.split(" ");
			NUMBERS.put(words[0], List.of(words[1], words[2]));
		}
	}

	private SystemCalls() {
	}

	static Set<String> names() {
		return NUMBERS.keySet();
	}

	/**
	 * Return the number of a call.
	 * @param name its name
	 * @param architecture the architecture
	 * @return the number, or {@code null} when the architecture has no such call
	 */
	static @Nullable Integer number(String name, Architecture architecture) {
		List<String> numbers = NUMBERS.get(name);
		if (numbers == null) {
			throw new IllegalArgumentException("there is no system call " + name);
		}
		String number = numbers.get(architecture.ordinal());
		return number.equals("-") ? null : Integer.valueOf(number);
	}

	/** Return the lines of a resource that are neither empty nor a comment. */
	static List<String> lines(String resource) {
		try (InputStream stream = SystemCalls.class.getResourceAsStream(resource)) {
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines()
				.filter((line) -> !line.isBlank() && !line.startsWith("#"))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
