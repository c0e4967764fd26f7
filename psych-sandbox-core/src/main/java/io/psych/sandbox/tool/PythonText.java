package io.psych.sandbox.tool;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

import org.jspecify.annotations.Nullable;

/**
 * What third parties say, as part of Python source: literals that mean exactly what they
 * said, and prose that stays on its line. Neither can end a docstring, a fence or a tag
 * around it, and neither shows what a reader would not see.
 */
final class PythonText {

	private static final String CUT = "...";

	private PythonText() {
	}

	/**
	 * Return a JSON value as a Python literal.
	 * @param json what {@link io.psych.sandbox.json.JsonValue#toJava()} returns
	 * @return the literal, on one line
	 */
	static String literal(@Nullable Object json) {
		if (json == null) {
			return "None";
		}
		if (json instanceof Boolean bool) {
			return bool ? "True" : "False";
		}
		if (json instanceof Number number) {
			return number(number);
		}
		if (json instanceof Map<?, ?> map) {
			StringJoiner members = new StringJoiner(", ", "{", "}");
			map.forEach((name, member) -> members.add(literal(name) + ": " + literal(member)));
			return members.toString();
		}
		if (json instanceof List<?> list) {
			StringJoiner elements = new StringJoiner(", ", "[", "]");
			list.forEach((element) -> elements.add(literal(element)));
			return elements.toString();
		}
		return string(String.valueOf(json));
	}

	private static String number(Number number) {
		if (number instanceof Double || number instanceof BigDecimal) {
			return number.toString().toLowerCase(Locale.ROOT).replace("e+", "e");
		}
		return (number instanceof BigInteger) ? number.toString() : String.valueOf(number.longValue());
	}

	private static String string(String text) {
		StringBuilder literal = new StringBuilder(text.length() + 2).append('"');
		int length = text.length();
		for (int i = 0; i < length;) {
			int point = text.codePointAt(i);
			int next = i + Character.charCount(point);
			switch (point) {
				case '"' -> literal.append("\\\"");
				case '\\' -> literal.append("\\\\");
				case '\n' -> literal.append("\\n");
				case '\r' -> literal.append("\\r");
				case '\t' -> literal.append("\\t");
				case '<' -> literal.append((next < length && opensTag(text.codePointAt(next))) ? "\\x3c" : "<");
				case '`' -> literal.append((endsWith(literal, "``")) ? "\\x60" : "`");
				default -> {
					if (isHidden(point)) {
						literal.append(escape(point));
					}
					else {
						literal.appendCodePoint(point);
					}
				}
			}
			i = next;
		}
		return literal.append('"').toString();
	}

	private static String escape(int point) {
		String form = (point < 0x100) ? "\\x%02x" : (point < 0x10000) ? "\\u%04x" : "\\U%08x";
		return form.formatted(point);
	}

	/**
	 * Return prose of a third party on one line.
	 * @param text the prose
	 * @param most how many characters are shown; more are cut at the end of a sentence,
	 * or else between words
	 * @return the line, for a comment or for {@link #inDocstring}
	 */
	static String prose(String text, int most) {
		StringBuilder line = new StringBuilder();
		boolean space = false;
		int length = text.length();
		for (int i = 0; i < length && line.length() <= most;) {
			int point = text.codePointAt(i);
			int next = i + Character.charCount(point);
			if (isSpace(point)) {
				space = line.length() > 0;
			}
			else if (!isHidden(point)) {
				// Looked at where it is appended: what is hidden may have stood between.
				if (space || (endsWith(line, "<") && opensTag(point))) {
					line.append(' ');
				}
				space = false;
				line.appendCodePoint((point == '`' && endsWith(line, "``")) ? '\'' : point);
			}
			i = next;
		}
		return (line.length() <= most) ? line.toString() : cut(line.toString(), most);
	}

	private static String cut(String line, int most) {
		for (int end = most; end > most / 4; end--) {
			if (endsSentence(line, end)) {
				return line.substring(0, end);
			}
		}
		int room = Math.max(0, most - CUT.length());
		int word = line.lastIndexOf(' ', room);
		int end = (word > room / 2) ? word : room;
		if (end > 0 && Character.isHighSurrogate(line.charAt(end - 1))) {
			end--;
		}
		return line.substring(0, end) + CUT;
	}

	/**
	 * Return the first sentence of a line that {@link #prose} returned.
	 */
	static String sentence(String line) {
		for (int end = 1; end < line.length(); end++) {
			if (endsSentence(line, end)) {
				return line.substring(0, end);
			}
		}
		return line;
	}

	private static boolean endsSentence(String line, int end) {
		char last = line.charAt(end - 1);
		boolean before = end == line.length() || line.charAt(end) == ' ';
		return (before && (last == '.' || last == '!' || last == '?')) || last == '\u3002' || last == '\uff01'
				|| last == '\uff1f';
	}

	/**
	 * Return text as it can stand in a docstring of three double quotes.
	 */
	static String inDocstring(String text) {
		StringBuilder escaped = new StringBuilder(text.length() + 8);
		int last = text.length() - 1;
		for (int i = 0; i <= last; i++) {
			char current = text.charAt(i);
			boolean beside = i == 0 || i == last || text.charAt(i - 1) == '"' || text.charAt(i + 1) == '"';
			if (current == '\\' || (current == '"' && beside)) {
				escaped.append('\\');
			}
			escaped.append(current);
		}
		return escaped.toString();
	}

	private static boolean opensTag(int point) {
		return point == '/' || point == '|' || point == '!' || point == '?' || Character.isLetter(point);
	}

	private static boolean endsWith(StringBuilder text, String end) {
		int from = text.length() - end.length();
		return from >= 0 && text.indexOf(end, from) == from;
	}

	private static boolean isSpace(int point) {
		return Character.isWhitespace(point) || Character.isSpaceChar(point) || point == 0x85;
	}

	/**
	 * Return whether a reader would not see a character as what it is: controls, marks
	 * that turn the direction of text or are invisible, selectors of variants, halves of
	 * pairs, and spaces that are not the one.
	 */
	private static boolean isHidden(int point) {
		return switch (Character.getType(point)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE,
					Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
				true;
			case Character.SPACE_SEPARATOR -> point != ' ';
			default -> (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0000 && point <= 0xe0fff);
		};
	}

}
