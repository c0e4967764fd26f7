package io.psych.sandbox.json;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Writes trees as one line of JSON in UTF-8. It is known before how long that is, so that
 * the bytes of a large value are there once.
 */
final class TreeWriter {

	/** A longer text is measured where it is, a shorter one as the bytes it becomes. */
	private static final int SHORT = 16 * 1024;

	private static final byte[] NULL = ascii("null");

	private static final byte[] TRUE = ascii("true");

	private static final byte[] FALSE = ascii("false");

	private static final byte[] HEX = ascii("0123456789ABCDEF");

	/** An escape of a control character that has no letter of its own. */
	private static final int LONGEST_ESCAPE = 6;

	private final byte[] target;

	private int position;

	TreeWriter(byte[] target, int position) {
		this.target = target;
		this.position = position;
	}

	/** Return how many bytes a tree is. */
	static long length(@Nullable Object value) {
		if (value instanceof String text) {
			return 2 + ((text.length() <= SHORT) ? shortLength(text) : longLength(text));
		}
		if (value instanceof Map<?, ?> map) {
			// The braces, a colon a member, and a comma between two.
			long[] length = { 1 + Math.max(1, 2L * map.size()) };
			map.forEach((name, member) -> length[0] += length(name) + length(member));
			return length[0];
		}
		if (value instanceof List<?> list) {
			long length = 1 + Math.max(1, list.size());
			for (Object element : list) {
				length += length(element);
			}
			return length;
		}
		return literal(value).length;
	}

	private static long shortLength(String text) {
		byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
		long length = utf8.length;
		for (int i = PlainBytes.firstToEscape(utf8, 0); i < utf8.length; i = PlainBytes.firstToEscape(utf8, i + 1)) {
			length += escapeLength((char) utf8[i]) - 1;
		}
		return length;
	}

	private static long longLength(String text) {
		long length = 0;
		for (int i = 0; i < text.length(); i++) {
			char current = text.charAt(i);
			if (current < 0x80) {
				length += escapeLength(current);
			}
			else if (current < 0x800 || Character.isSurrogate(current)) {
				// A pair has four bytes.
				length += 2;
			}
			else {
				length += 3;
			}
		}
		return length;
	}

	private static int escapeLength(char current) {
		if (letter(current) != 0) {
			return 2;
		}
		return (current < ' ') ? LONGEST_ESCAPE : 1;
	}

	/** Return what stands behind the backslash, or zero. */
	private static char letter(char current) {
		return switch (current) {
			case '"', '\\' -> current;
			case '\b' -> 'b';
			case '\t' -> 't';
			case '\n' -> 'n';
			case '\f' -> 'f';
			case '\r' -> 'r';
			default -> 0;
		};
	}

	/** Write a tree, for which there must be room. */
	void write(@Nullable Object value) {
		if (value instanceof String text) {
			write(text);
		}
		else if (value instanceof Map<?, ?> map) {
			put('{');
			int first = this.position;
			map.forEach((name, member) -> {
				separate(first);
				write((String) name);
				put(':');
				write(member);
			});
			put('}');
		}
		else if (value instanceof List<?> list) {
			put('[');
			int first = this.position;
			list.forEach((element) -> {
				separate(first);
				write(element);
			});
			put(']');
		}
		else {
			byte[] literal = literal(value);
			put(literal, 0, literal.length);
		}
	}

	/** Return where the next byte would be written. */
	int position() {
		return this.position;
	}

	private void separate(int first) {
		if (this.position > first) {
			put(',');
		}
	}

	private void write(String text) {
		put('"');
		byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
		int from = 0;
		while (from < utf8.length) {
			int to = PlainBytes.firstToEscape(utf8, from);
			put(utf8, from, to - from);
			if (to < utf8.length) {
				escape((char) utf8[to]);
			}
			from = to + 1;
		}
		put('"');
	}

	private void escape(char current) {
		char letter = letter(current);
		put('\\');
		if (letter != 0) {
			put(letter);
			return;
		}
		put('u');
		put('0');
		put('0');
		put((char) HEX[current >> 4]);
		put((char) HEX[current & 0xF]);
	}

	private void put(char ascii) {
		this.target[this.position++] = (byte) ascii;
	}

	private void put(byte[] bytes, int from, int length) {
		System.arraycopy(bytes, from, this.target, this.position, length);
		this.position += length;
	}

	private static byte[] literal(@Nullable Object value) {
		if (value instanceof Boolean bool) {
			return bool ? TRUE : FALSE;
		}
		return (value != null) ? ascii(value.toString()) : NULL;
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

}
