package io.psych.sandbox.limits;

/**
 * Thrown when a limit can't hold: the message names the limit, the value that was given
 * and what would be accepted.
 *
 * @since 0.1.0
 */
public final class LimitException extends IllegalArgumentException {

	private final String limit;

	private final String value;

	private final String problem;

	private final String fix;

	/**
	 * Create a new exception.
	 * @param limit the name of the {@link Limits} component, such as {@code wallTime}
	 * @param value the value that was given, as text
	 * @param problem why it can't hold, continuing a sentence that begins with the name
	 * and value
	 * @param fix what to set instead, an imperative sentence
	 */
	public LimitException(String limit, String value, String problem, String fix) {
		super(limit + " is " + value + ", " + problem + ". " + fix);
		this.limit = limit;
		this.value = value;
		this.problem = problem;
		this.fix = fix;
	}

	/**
	 * Return the name of the limit.
	 * @return a component name of {@link Limits}
	 */
	public String limit() {
		return this.limit;
	}

	/**
	 * Return the refused value.
	 * @return the value as text
	 */
	public String value() {
		return this.value;
	}

	/**
	 * Return why the value can't hold.
	 * @return the rest of a sentence that begins with the name and value
	 */
	public String problem() {
		return this.problem;
	}

	/**
	 * Return what to set instead.
	 * @return an imperative sentence
	 */
	public String fix() {
		return this.fix;
	}

}
