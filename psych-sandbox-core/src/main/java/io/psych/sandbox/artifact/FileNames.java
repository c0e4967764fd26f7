package io.psych.sandbox.artifact;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;

import io.psych.sandbox.spawn.RawName;

/**
 * Names of files that a program chose, made fit to be shown to anybody and to be a file's
 * name on any system.
 */
final class FileNames {

	/** Of one name; what it ends with is kept, since that often tells its type. */
	private static final int MOST_CHARACTERS = 120;

	private static final int MOST_OF_END = 20;

	/** What some system gives a meaning to within a name. */
	private static final String MEANINGFUL = "/\\<>:\"|?*";

	/** What Windows takes for a device, whatever follows the first dot. */
	private static final Pattern DEVICE = Pattern.compile("(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?");

	private FileNames() {
	}

	/**
	 * Return a name in which nothing commands a terminal, hides or misleads.
	 * @param name the name of one file or folder
	 * @return the same where it is harmless; never empty, without a slash
	 */
	static String sane(Path name) {
		// Each byte that belongs to no character becomes U+FFFD.
		return sane(new String(RawName.bytes(name), StandardCharsets.UTF_8));
	}

	static String sane(String name) {
		StringBuilder sane = new StringBuilder(name.length());
		name.codePoints().forEach((character) -> sane.appendCodePoint(isHarmless(character) ? character : '_'));
		char last = sane.isEmpty() ? '.' : sane.charAt(sane.length() - 1);
		if (last == '.' || last == ' ') {
			// Windows leaves these out, which makes two names one.
			sane.append('_');
		}
		char first = sane.charAt(0);
		if (first == '-' || first == '~' || first == '.' || first == ' ' || DEVICE.matcher(sane).matches()) {
			// An option or somebody's home to a shell, hidden, or a device.
			sane.insert(0, '_');
		}
		return shortened(sane.toString());
	}

	private static boolean isHarmless(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED ->
				false;
			case Character.SPACE_SEPARATOR -> character == ' ';
			default -> character != '\uFFFD' && MEANINGFUL.indexOf(character) < 0;
		};
	}

	private static String shortened(String name) {
		if (name.length() <= MOST_CHARACTERS) {
			return name;
		}
		int dot = name.lastIndexOf('.');
		String end = (dot > 0 && name.length() - dot <= MOST_OF_END) ? name.substring(dot) : "";
		int cut = MOST_CHARACTERS - end.length() - 1;
		if (Character.isHighSurrogate(name.charAt(cut - 1))) {
			cut--;
		}
		return name.substring(0, cut) + "…" + end;
	}

}
