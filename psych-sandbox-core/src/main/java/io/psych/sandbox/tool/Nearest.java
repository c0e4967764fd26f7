package io.psych.sandbox.tool;

import java.util.Collection;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Finds the name somebody may have meant.
 */
final class Nearest {

	/** Comparing costs the product of both lengths, and the word is a program's. */
	private static final int MOST_WORD = 200;

	private Nearest() {
	}

	/**
	 * Return the name with the fewest edits, if they are at most a third of it.
	 */
	static @Nullable String to(String word, Collection<String> names) {
		if (word.length() > MOST_WORD) {
			return null;
		}
		String nearest = null;
		int fewest = Integer.MAX_VALUE;
		for (String name : names) {
			int edits = edits(word.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
			if (edits < fewest && edits * 3 <= Math.max(3, name.length())) {
				fewest = edits;
				nearest = name;
			}
		}
		return nearest;
	}

	/** Edits by Levenshtein's measure, one row at a time. */
	private static int edits(String from, String to) {
		int[] row = new int[to.length() + 1];
		for (int j = 0; j <= to.length(); j++) {
			row[j] = j;
		}
		for (int i = 1; i <= from.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= to.length(); j++) {
				int replaced = diagonal + ((from.charAt(i - 1) == to.charAt(j - 1)) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
			}
		}
		return row[to.length()];
	}

}
