package io.psych.sandbox.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reading and writing the files through which the kernel is told limits and tells counts.
 * What can't be read as expected is an error, never a zero.
 */
final class ControlFile {

	/** More digits than a count needs, fewer than a long overflows at. */
	private static final int MOST_DIGITS = 18;

	private static final int MOST_QUOTED = 40;

	private ControlFile() {
	}

	static void write(Path file, String value) throws IOException {
		try {
			// Never with CREATE: a file the kernel does not have must not come to be.
			Files.writeString(file, value, StandardOpenOption.WRITE);
		}
		catch (IOException ex) {
			throw new IOException("'%s' can't be written to %s: %s".formatted(value, file, reason(ex)), ex);
		}
	}

	static String read(Path file) throws IOException {
		try {
			return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip();
		}
		catch (IOException ex) {
			throw new IOException(file + " can't be read: " + reason(ex), ex);
		}
	}

	/** Return the words of a file that is a list of words. */
	static List<String> words(Path file) throws IOException {
		return Arrays.stream(read(file).split("\\s+")).filter((word) -> !word.isEmpty()).toList();
	}

	/** Return the numbers of a file that is a list of numbers. */
	static List<Long> numbers(Path file) throws IOException {
		List<Long> numbers = new ArrayList<>();
		String text = read(file);
		int begin = 0;
		for (int end = 0; end <= text.length(); end++) {
			if (end == text.length() || Character.isWhitespace(text.charAt(end))) {
				if (end > begin) {
					numbers.add(number(file, text.substring(begin, end)));
				}
				begin = end + 1;
			}
		}
		return numbers;
	}

	/** Return the number of a file that holds one. */
	static long number(Path file) throws IOException {
		return number(file, read(file));
	}

	/** Return the number that follows a key at the beginning of a line. */
	static long count(Path file, String key) throws IOException {
		for (String line : read(file).split("\n")) {
			if (line.startsWith(key + " ")) {
				return number(file, line.substring(key.length() + 1));
			}
		}
		throw new IOException(file + " does not count " + key);
	}

	private static long number(Path file, String text) throws IOException {
		boolean digits = !text.isEmpty() && text.chars().allMatch((character) -> character >= '0' && character <= '9');
		if (!digits || text.length() > MOST_DIGITS) {
			throw new IOException(file + " holds '" + text.substring(0, Math.min(text.length(), MOST_QUOTED))
					+ "' where a number of at most " + MOST_DIGITS + " digits was expected");
		}
		return Long.parseLong(text);
	}

	/** Return what went wrong, without the path, which the caller tells. */
	static String reason(IOException ex) {
		if (ex instanceof AccessDeniedException) {
			return "permission denied";
		}
		if (ex instanceof NoSuchFileException) {
			return "there is no such file";
		}
		if (ex instanceof FileSystemException file && file.getReason() != null) {
			return file.getReason();
		}
		return String.valueOf(ex.getMessage());
	}

}
