package io.psych.sandbox;

import java.util.List;
import java.util.Locale;

/**
 * Something that was measured, and what it should be.
 *
 * @param number its number in docs/performance.md
 * @param measure what was measured, against what
 * @param value what it came to
 * @param most what it should be at most, or at least where more is better
 * @param stretch what would be better still
 * @param more whether more is better
 * @param detail the absolute numbers behind it
 */
record Goal(String number, String measure, double value, double most, double stretch, boolean more, String detail) {

	static Goal atMost(String number, String measure, double value, double goal, double stretch, String detail) {
		return new Goal(number, measure, value, goal, stretch, false, detail);
	}

	static Goal atLeast(String number, String measure, double value, double goal, double stretch, String detail) {
		return new Goal(number, measure, value, goal, stretch, true, detail);
	}

	boolean isReached() {
		return this.more ? this.value >= this.most : this.value <= this.most;
	}

	private boolean isStretched() {
		return this.more ? this.value >= this.stretch : this.value <= this.stretch;
	}

	private String verdict() {
		return isStretched() ? "reached, stretch" : isReached() ? "reached" : "MISSED";
	}

	static String table(List<Goal> goals) {
		StringBuilder table = new StringBuilder(
				"| # | measure | here | goal | stretch | | |\n| - | - | -: | -: | -: | - | - |\n");
		for (Goal goal : goals) {
			String sign = goal.more() ? "≥" : "≤";
			table.append(String.format(Locale.ROOT, "| %s | %s | %.3g | %s %.3g | %s %.3g | %s | %s |%n", goal.number(),
					goal.measure(), goal.value(), sign, goal.most(), sign, goal.stretch(), goal.verdict(),
					goal.detail()));
		}
		return table.toString();
	}

}
