package io.psych.sandbox.log;

/**
 * Text that a program, a model or a tool may have written, made fit for a log: in quotes,
 * on one line, without a character that commands a terminal or that nobody sees, and not
 * long.
 *
 * @since 0.1.0
 */
public final class Quoted {

	private static final int MOST = 500;

	private Quoted() {
	}

	/**
	 * Quote a text.
	 * @param text the text
	 * @return its beginning in quotes, with {@code \}<code>u{1b}</code> in place of what
	 * must not stand in a log, and how much is missing
	 */
	public static String text(String text) {
		int end = (text.length() <= MOST) ? text.length() : text.offsetByCodePoints(0, MOST);
		StringBuilder quoted = new StringBuilder(end + 2).append('"');
		text.substring(0, end).codePoints().forEach((character) -> {
			if (character == '"' || character == '\\') {
				quoted.append('\\').appendCodePoint(character);
			}
			else if (isPlain(character)) {
				quoted.appendCodePoint(character);
			}
			else {
				quoted.append("\\u{").append(Integer.toHexString(character)).append('}');
			}
		});
		quoted.append('"');
		return (end == text.length()) ? quoted.toString()
				: quoted.append(" and ").append(text.length() - end).append(" more").toString();
	}

	/**
	 * Quote a problem whose message, or that of a cause, may hold such text. Where it
	 * arose is kept.
	 * @param problem the problem
	 * @return what to hand to a logger in its place
	 */
	public static Throwable problem(Throwable problem) {
		return QuotedProblem.of(problem, 0);
	}

	private static boolean isPlain(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED ->
				false;
			default -> true;
		};
	}

}
