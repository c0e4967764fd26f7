package io.psych.sandbox.tool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;
import com.networknt.schema.regex.RegularExpressions;
import io.psych.sandbox.log.Quoted;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The patterns of schemas, matched in time linear in the text. They are written for
 * engines that backtrack; what RE2 has not (looking around, references back) is not
 * checked, with one warning when the schema is first used, and the tool must check it
 * itself.
 * <p>
 * What is not checked is unknown rather than true: a pattern may stand below a
 * {@code not}. Within {@link #validated}, everything unknown is taken for true, and once
 * more for false when that did not do.
 */
final class LinearPatterns implements RegularExpressionFactory {

	private static final Logger logger = LoggerFactory.getLogger(LinearPatterns.class);

	/** Compiling takes time and memory by what all counts come to. */
	private static final int MOST_STATES = 10_000;

	private static final int MOST_PATTERN = 4_000;

	/** RE2 counts no further. */
	private static final int MOST_COUNT = 1_000;

	/**
	 * Matching takes time by the size of the pattern times that of the text, about 30 ns
	 * for each state and character; nothing interrupts it.
	 */
	private static final long MOST_WORK = 50_000_000;

	private static final ThreadLocal<@Nullable Check> CHECK = new ThreadLocal<>();

	/**
	 * Compile a pattern of RE2.
	 * @param pattern the pattern
	 * @return the compiled pattern
	 * @throws PatternSyntaxException if it is none, or counts so far that compiling it
	 * would exhaust the memory
	 */
	static Pattern compile(String pattern) {
		if (pattern.length() > MOST_PATTERN) {
			throw new PatternSyntaxException("longer than " + MOST_PATTERN + " characters", clip(pattern));
		}
		if (pattern.contains("\\Q")) {
			throw new PatternSyntaxException("\\Q is not supported", clip(pattern));
		}
		if (states(pattern) > MOST_STATES) {
			throw new PatternSyntaxException("its counts come to more than " + MOST_STATES, clip(pattern));
		}
		return Pattern.compile(pattern);
	}

	private static String clip(String pattern) {
		return (pattern.length() <= 80) ? pattern : pattern.substring(0, 80) + "...";
	}

	/**
	 * Return about how many states a pattern comes to when its counts are written out.
	 * RE2/J itself bounds each count and not their product.
	 */
	private static long states(String pattern) {
		Deque<Long> outer = new ArrayDeque<>();
		long group = 0;
		long last = 0;
		int i = 0;
		while (i < pattern.length()) {
			char current = pattern.charAt(i);
			int end = i + 1;
			if (current == '(') {
				outer.push(group);
				group = 0;
				last = 0;
			}
			else if (current == ')') {
				// What closes nothing is counted as all there was.
				long whole = group + 2;
				group = outer.isEmpty() ? 0 : outer.pop();
				last = whole;
				group += whole;
			}
			else if (current == '{' && count(pattern, i) > 0) {
				long more = last * (count(pattern, i) - 1);
				group += more;
				last += more;
				end = pattern.indexOf('}', i) + 1;
			}
			else {
				end = (current == '[') ? endOfClass(pattern, i) : (current == '\\') ? endOfEscape(pattern, i) : end;
				last = 1;
				group++;
			}
			if (group > MOST_STATES) {
				return group;
			}
			i = end;
		}
		while (!outer.isEmpty()) {
			group += outer.pop();
		}
		return group;
	}

	/** Return how often a count repeats, 0 when there is none. */
	private static int count(String pattern, int open) {
		int close = pattern.indexOf('}', open);
		String count = (close < 0) ? "" : pattern.substring(open + 1, close);
		if (!count.matches("[0-9]{1,9}(,[0-9]{0,9})?")) {
			return 0;
		}
		int comma = count.indexOf(',');
		String most = (comma < 0 || comma == count.length() - 1) ? count.replace(",", "") : count.substring(comma + 1);
		return Math.max(1, Integer.parseInt(most));
	}

	private static int endOfClass(String pattern, int open) {
		int i = open + 1;
		if (i < pattern.length() && pattern.charAt(i) == '^') {
			i++;
		}
		boolean first = true;
		while (i < pattern.length() && (first || pattern.charAt(i) != ']')) {
			int posix = pattern.startsWith("[:", i) ? pattern.indexOf(":]", i) : -1;
			i = (posix > 0) ? posix + 2 : (pattern.charAt(i) == '\\') ? i + 2 : i + 1;
			first = false;
		}
		return Math.min(pattern.length(), i + 1);
	}

	private static int endOfEscape(String pattern, int backslash) {
		int end = Math.min(pattern.length(), backslash + 2);
		boolean braces = end < pattern.length() && "xpP".indexOf(pattern.charAt(end - 1)) >= 0
				&& pattern.charAt(end) == '{';
		return braces ? pattern.indexOf('}', end) + 1 + ((pattern.indexOf('}', end) < 0) ? end : 0) : end;
	}

	@Override
	public RegularExpression getRegularExpression(String pattern) {
		Translation translation = new Translation(pattern);
		try {
			Pattern compiled = compile(translation.re2());
			return (text) -> matches(compiled, translation.isExact(), text);
		}
		catch (PatternSyntaxException ex) {
			logger.warn("A pattern of a tool's schema is left to the tool to check, it can't be checked in linear"
					+ " time: {} ({})", Quoted.text(pattern), Quoted.text(String.valueOf(ex.getMessage())));
			return (text) -> unknown();
		}
	}

	private static boolean matches(Pattern pattern, boolean exact, String text) {
		Check check = CHECK.get();
		if (check != null) {
			check.left -= (long) pattern.programSize() * (text.length() + 1L);
			if (check.left < 0) {
				throw new IllegalStateException("The patterns of the schema take too long");
			}
		}
		boolean found = pattern.matcher(text).find();
		// A count that was cut can only have let too much pass.
		return found && (exact || text.length() < MOST_COUNT || unknown());
	}

	private static boolean unknown() {
		Check check = CHECK.get();
		if (check == null) {
			return true;
		}
		check.unknown = true;
		return check.taken;
	}

	/**
	 * Validate, with a bound on the work of all patterns together.
	 * @param <T> what a validation finds wrong
	 * @param validation finds what is wrong
	 * @return what is wrong whatever is unknown
	 */
	static <T> List<T> validated(Supplier<List<T>> validation) {
		Check check = new Check();
		CHECK.set(check);
		try {
			List<T> wrong = validation.get();
			if (wrong.isEmpty() || !check.unknown) {
				return wrong;
			}
			check.taken = false;
			return validation.get().isEmpty() ? List.of() : wrong;
		}
		finally {
			CHECK.remove();
		}
	}

	/**
	 * One validation.
	 */
	private static final class Check {

		private long left = MOST_WORK;

		private boolean unknown;

		private boolean taken = true;

	}

	/**
	 * A pattern of ECMAScript, which is what schemas use, in the words of RE2.
	 */
	private static final class Translation {

		/** What {@code \s} matches beside what it matches in RE2. */
		private static final String MORE_SPACES = "\\x0b\\x{a0}\\x{feff}\\p{Z}";

		private final String pattern;

		private final StringBuilder re2 = new StringBuilder();

		/** Whether it matches the same; else it matches more. */
		private boolean exact = true;

		private int at;

		Translation(String pattern) {
			this.pattern = pattern;
			while (this.at < pattern.length()) {
				char current = pattern.charAt(this.at);
				if (current == '\\') {
					escape(false);
				}
				else if (current == '[') {
					characterClass();
				}
				else if (current == '{' && count(pattern, this.at) > 0) {
					repeat();
				}
				else {
					this.re2.append((current == '.') ? "[^\\n\\r\\x{2028}\\x{2029}]" : String.valueOf(current));
					this.at++;
				}
			}
		}

		private void repeat() {
			int close = this.pattern.indexOf('}', this.at);
			String[] counts = this.pattern.substring(this.at + 1, close).split(",", -1);
			int least = Integer.parseInt(counts[0]);
			int most = count(this.pattern, this.at);
			if (Math.max(least, most) > MOST_COUNT) {
				this.exact = false;
				this.re2.append('{').append(Math.min(least, MOST_COUNT)).append(",}");
			}
			else {
				this.re2.append(this.pattern, this.at, close + 1);
			}
			this.at = close + 1;
		}

		private void characterClass() {
			int begin = this.at + 1;
			boolean negated = this.pattern.startsWith("^", begin);
			begin += negated ? 1 : 0;
			if (this.pattern.startsWith("]", begin)) {
				// Nothing and everything, which RE2 has no empty class for.
				this.re2.append(negated ? "[\\x{0}-\\x{10ffff}]" : "(?:\\b\\B)");
				this.at = begin + 1;
				return;
			}
			this.re2.append(negated ? "[^" : "[");
			this.at = begin;
			while (this.at < this.pattern.length() && this.pattern.charAt(this.at) != ']') {
				char current = this.pattern.charAt(this.at);
				if (current == '\\') {
					escape(true);
				}
				else {
					this.re2.append((current == '[') ? "\\[" : String.valueOf(current));
					this.at++;
				}
			}
			this.re2.append(this.pattern, this.at, Math.min(this.at + 1, this.pattern.length()));
			this.at++;
		}

		private void escape(boolean inClass) {
			char escaped = (this.at + 1 < this.pattern.length()) ? this.pattern.charAt(this.at + 1) : 0;
			this.at += 2;
			switch (escaped) {
				case 's' -> this.re2.append(inClass ? "\\s" + MORE_SPACES : "[\\s" + MORE_SPACES + "]");
				case 'S' -> this.re2.append(inClass ? "\\S" : "[^\\s" + MORE_SPACES + "]");
				case 'b' -> this.re2.append(inClass ? "\\x08" : "\\b");
				case 'Z' -> this.re2.append("\\z");
				case 'c' -> control();
				case 'u' -> unicode();
				case 'p', 'P' -> property(escaped);
				case 0 -> this.re2.append('\\');
				default -> this.re2.append('\\').append(escaped);
			}
		}

		private void control() {
			char letter = (this.at < this.pattern.length()) ? this.pattern.charAt(this.at) : 0;
			this.re2.append((letter == 0) ? "\\c" : "\\x{%x}".formatted(letter % 32));
			this.at++;
		}

		private void unicode() {
			Matcher matcher = UNICODE.matcher(this.pattern.substring(this.at));
			if (!matcher.lookingAt()) {
				this.re2.append("\\u");
				return;
			}
			String braced = matcher.group(1);
			String high = (matcher.group(2) != null) ? matcher.group(2) : matcher.group(4);
			if (braced != null) {
				this.re2.append("\\x{").append(braced).append('}');
			}
			else if (matcher.group(3) != null) {
				int point = Character.toCodePoint((char) Integer.parseInt(high, 16),
						(char) Integer.parseInt(matcher.group(3), 16));
				this.re2.append("\\x{%x}".formatted(point));
			}
			else {
				this.re2.append("\\x{").append(high).append('}');
			}
			this.at += matcher.end();
		}

		private void property(char escaped) {
			int close = this.pattern.startsWith("{", this.at) ? this.pattern.indexOf('}', this.at) : -1;
			if (close < 0) {
				this.re2.append('\\').append(escaped);
				return;
			}
			String name = this.pattern.substring(this.at + 1, close);
			this.re2.append('\\').append(escaped).append('{').append(name.substring(name.indexOf('=') + 1)).append('}');
			this.at = close + 1;
		}

		String re2() {
			return RegularExpressions.replaceLongformCharacterProperties(this.re2.toString());
		}

		boolean isExact() {
			return this.exact;
		}

		private static final Pattern UNICODE = Pattern.compile("\\{([0-9a-fA-F]{1,6})\\}"
				+ "|([dD][89abAB][0-9a-fA-F]{2})\\\\u([dD][c-fC-F][0-9a-fA-F]{2})|([0-9a-fA-F]{4})");

	}

}
