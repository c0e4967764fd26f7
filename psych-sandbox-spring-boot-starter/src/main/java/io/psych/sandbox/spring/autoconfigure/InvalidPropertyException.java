package io.psych.sandbox.spring.autoconfigure;

import java.util.Locale;
import java.util.regex.Pattern;

import io.psych.sandbox.limits.LimitException;
import io.psych.sandbox.spring.http.HttpToolException;

/**
 * Thrown while {@link SandboxProperties} are bound, when a property has a value that
 * can't work.
 */
final class InvalidPropertyException extends IllegalArgumentException {

	/** The limits that the fix of another one can name. */
	private static final Pattern LIMIT_NAME = Pattern.compile("\\b(wallTime|toolTimeout|fileSize|workspace)\\b");

	private final String property;

	private final String value;

	private final String problem;

	private final String fix;

	/**
	 * Create a new exception.
	 * @param property the full name of the property
	 * @param value the value that was bound, as text
	 * @param problem why it can't work, continuing a sentence that begins with the name
	 * and value
	 * @param fix what to set instead, an imperative sentence
	 */
	InvalidPropertyException(String property, String value, String problem, String fix) {
		super(property + " is " + value + ", " + problem + ". " + fix);
		this.property = property;
		this.value = value;
		this.problem = problem;
		this.fix = fix;
	}

	/**
	 * Say of a limit that was refused which property it came from.
	 * @param prefix the name of the group of properties
	 * @param ex the refusal
	 * @return the exception
	 */
	static InvalidPropertyException of(String prefix, LimitException ex) {
		return new InvalidPropertyException(prefix + "." + kebabCase(ex.limit()), ex.value(), ex.problem(),
				namesOfProperties(prefix, ex.fix()));
	}

	/**
	 * Say of an HTTP tool that was refused which property it came from.
	 * @param ex the refusal
	 * @return the exception
	 */
	static InvalidPropertyException of(HttpToolException ex) {
		return new InvalidPropertyException(SandboxProperties.PREFIX + ".tools.http." + ex.tool() + "." + ex.property(),
				(ex.value() != null) ? ex.value() : "not set", "which " + ex.problem(), ex.fix());
	}

	private static String namesOfProperties(String prefix, String fix) {
		return LIMIT_NAME.matcher(fix).replaceAll((match) -> prefix + "." + kebabCase(match.group()));
	}

	private static String kebabCase(String name) {
		return name.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
	}

	String property() {
		return this.property;
	}

	String value() {
		return this.value;
	}

	String problem() {
		return this.problem;
	}

	String fix() {
		return this.fix;
	}

}
