package io.psych.sandbox.catalogue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One check of a program's head, such as {@code value.v4 != done}: a path into what is
 * known of the execution, an operator and an operand. A path that leads nowhere fails
 * every check; {@code *} stands for every member.
 *
 * @param backend the only backend it holds for, in place of one for all with the same
 * path and operator, or {@code null} for all
 * @param path where to look
 * @param operator how to compare
 * @param operand what to compare with
 */
record Expectation(@Nullable String backend, String path, Operator operator, String operand) {

	private static final Pattern FORM = Pattern.compile("(?:(\\w+): )?(\\S+) (==|!=|<=|>=|<|>|in|contains|lacks) (.+)");

	/**
	 * How to compare.
	 */
	enum Operator {

		EQUAL("=="), UNEQUAL("!="), AT_MOST("<="), AT_LEAST(">="), LESS("<"), MORE(">"), IN("in"), CONTAINS("contains"),
		LACKS("lacks");

		private final String sign;

		Operator(String sign) {
			this.sign = sign;
		}

		boolean isNumeric() {
			return this == AT_MOST || this == AT_LEAST || this == LESS || this == MORE;
		}

		static Operator of(String sign) {
			return Arrays.stream(values()).filter((operator) -> operator.sign.equals(sign)).findFirst().orElseThrow();
		}

	}

	static Expectation parse(String line) {
		Matcher matcher = FORM.matcher(line);
		if (!matcher.matches()) {
			throw new IllegalArgumentException("'" + line + "' is no expectation: write PATH OPERATOR OPERAND");
		}
		return new Expectation(matcher.group(1), matcher.group(2), Operator.of(matcher.group(3)),
				matcher.group(4).strip());
	}

	boolean holdsFor(String backend) {
		return this.backend == null || this.backend.equals(backend);
	}

	/**
	 * Return why this does not hold.
	 * @param facts what is known
	 * @return one sentence for each value that is not as expected; empty when all are
	 */
	List<String> problems(JsonValue facts) {
		List<String> problems = new ArrayList<>();
		Map<String, @Nullable Object> found = find(facts);
		if (found.isEmpty()) {
			problems.add(
					"%s: there is none, but %s %s was expected".formatted(this.path, this.operator.sign, this.operand));
		}
		found.forEach((path, value) -> {
			if (!holds(value)) {
				problems.add("%s is %s, but %s %s was expected".formatted(path, shown(value), this.operator.sign,
						this.operand));
			}
		});
		return problems;
	}

	/**
	 * Return whether it is about what a program found, of which there is nothing.
	 * @param facts what is known
	 * @return whether it is
	 */
	boolean isMissing(JsonValue facts) {
		return this.path.startsWith("value.") && find(facts).isEmpty();
	}

	/**
	 * Return what was found, for a page that must not change with every run: numbers that
	 * were compared are told by their bound.
	 */
	String evidence(JsonValue facts) {
		if (this.operator.isNumeric() || this.operator == Operator.CONTAINS || this.operator == Operator.LACKS) {
			return "%s %s %s".formatted(this.path, this.operator.sign, this.operand);
		}
		Map<String, List<String>> byValue = new TreeMap<>();
		find(facts).forEach((path, value) -> byValue.computeIfAbsent(shown(value), (absent) -> new ArrayList<>())
			.add(this.path.contains("*") ? path.substring(path.lastIndexOf('.') + 1)
					: path.replaceFirst("^value\\.", "")));
		List<String> parts = new ArrayList<>();
		byValue.forEach((value, names) -> parts.add(String.join(", ", names) + " = " + value));
		return String.join("; ", parts);
	}

	private Map<String, @Nullable Object> find(JsonValue facts) {
		Map<String, @Nullable Object> found = new LinkedHashMap<>();
		collect(facts.toJava(), "", List.of(this.path.split("\\.")), found);
		return found;
	}

	private static void collect(@Nullable Object value, String path, List<String> names,
			Map<String, @Nullable Object> found) {
		if (names.isEmpty()) {
			found.put(path, value);
		}
		else if (value instanceof Map<?, ?> members) {
			members.forEach((name, member) -> {
				if (names.get(0).equals("*") || names.get(0).equals(name)) {
					collect(member, path.isEmpty() ? (String) name : path + "." + name, names.subList(1, names.size()),
							found);
				}
			});
		}
		else if (value instanceof List<?> list && names.get(0).equals("size")) {
			collect((long) list.size(), path + ".size", names.subList(1, names.size()), found);
		}
	}

	private boolean holds(@Nullable Object value) {
		return switch (this.operator) {
			case EQUAL -> equal(value, this.operand);
			case UNEQUAL -> !equal(value, this.operand);
			case IN -> Arrays.stream(this.operand.split(",\\s*")).anyMatch((one) -> equal(value, one));
			case CONTAINS -> text(value).contains(unquoted(this.operand));
			case LACKS -> !text(value).contains(unquoted(this.operand));
			case AT_MOST -> number(value) <= number(this.operand);
			case AT_LEAST -> number(value) >= number(this.operand);
			case LESS -> number(value) < number(this.operand);
			case MORE -> number(value) > number(this.operand);
		};
	}

	private static boolean equal(@Nullable Object value, String operand) {
		if (value instanceof String text && text.equals(operand)) {
			return true;
		}
		try {
			return JsonValue.of(value).equals(JsonValue.parse(operand));
		}
		catch (JsonFormatException ex) {
			return false;
		}
	}

	private static String unquoted(String operand) {
		return (operand.length() > 1 && operand.startsWith("\"") && operand.endsWith("\""))
				? String.valueOf(JsonValue.parse(operand).toJava()) : operand;
	}

	private static double number(@Nullable Object value) {
		// What is no number is neither below nor above any.
		try {
			return (value != null) ? Double.parseDouble(value.toString()) : Double.NaN;
		}
		catch (NumberFormatException ex) {
			return Double.NaN;
		}
	}

	private static String text(@Nullable Object value) {
		return (value instanceof String string) ? string : JsonValue.of(value).toJson();
	}

	/** A text for people: what a program wrote must not command their terminal. */
	private static String shown(@Nullable Object value) {
		String text = text(value).replaceAll("\\p{Cntrl}", "?");
		return (text.length() <= 400) ? text : text.substring(0, 200) + "…" + text.substring(text.length() - 200);
	}

	@Override
	public String toString() {
		return this.path + " " + this.operator.sign + " " + this.operand;
	}

}
