package io.psych.sandbox;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a sandbox is configured in a way that can't work. Tells which property, the
 * value it has, what is wrong and what to do.
 *
 * @since 0.1.0
 */
public final class SandboxConfigurationException extends RuntimeException {

	private final String property;

	private final String value;

	private final String problem;

	private final String fix;

	SandboxConfigurationException(String property, String value, String problem, String fix,
			@Nullable Throwable cause) {
		super("psych.sandbox.%s is '%s': %s. %s".formatted(property, value, problem, fix), cause);
		this.property = property;
		this.value = value;
		this.problem = problem;
		this.fix = fix;
	}

	/**
	 * Return the property in question.
	 * @return its name below {@code psych.sandbox.}, such as {@code run-as}
	 */
	public String property() {
		return this.property;
	}

	/**
	 * Return the value it has.
	 * @return the value as text
	 */
	public String value() {
		return this.value;
	}

	/**
	 * Return what is wrong.
	 * @return a sentence without a full stop
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
