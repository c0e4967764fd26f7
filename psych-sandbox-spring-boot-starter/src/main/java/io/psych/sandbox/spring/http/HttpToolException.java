package io.psych.sandbox.spring.http;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an HTTP tool is declared in a way that can't work.
 *
 * @since 0.1.0
 */
public final class HttpToolException extends RuntimeException {

	private final String tool;

	private final String property;

	private final @Nullable String value;

	private final String problem;

	private final String fix;

	HttpToolException(String tool, String property, @Nullable String value, String problem, String fix) {
		super("%s of the HTTP tool %s is '%s', which %s. %s".formatted(property, tool, value, problem, fix));
		this.tool = tool;
		this.property = property;
		this.value = value;
		this.problem = problem;
		this.fix = fix;
	}

	/**
	 * Return the name of the tool.
	 * @return the name
	 */
	public String tool() {
		return this.tool;
	}

	/**
	 * Return the property in question.
	 * @return its name below that of the tool, such as {@code input-schema}
	 */
	public String property() {
		return this.property;
	}

	/**
	 * Return the value it has.
	 * @return the value, or {@code null} when it is not set
	 */
	public @Nullable String value() {
		return this.value;
	}

	/**
	 * Return what is wrong.
	 * @return a clause that begins with a verb
	 */
	public String problem() {
		return this.problem;
	}

	/**
	 * Return what to do about it.
	 * @return an imperative sentence
	 */
	public String fix() {
		return this.fix;
	}

}
