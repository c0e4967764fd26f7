package io.psych.sandbox.terms;

/**
 * Thrown when a {@link Spec} can't be published. Tells which Spec, which part of it, the
 * value in question, what is wrong and what to do.
 *
 * @since 0.1.0
 */
public final class SpecException extends IllegalArgumentException {

	private final String spec;

	private final String part;

	private final String value;

	private final String problem;

	private final String fix;

	SpecException(String spec, String part, String value, String problem, String fix) {
		super("Spec '%s': %s is '%s', %s. %s".formatted(spec, part, value, problem, fix));
		this.spec = spec;
		this.part = part;
		this.value = value;
		this.problem = problem;
		this.fix = fix;
	}

	/**
	 * Return the Spec in question.
	 * @return its name
	 */
	public String spec() {
		return this.spec;
	}

	/**
	 * Return the part of it that can't be.
	 * @return the name of the part, such as {@code bindings}
	 */
	public String part() {
		return this.part;
	}

	/**
	 * Return the refused value.
	 * @return the value as text
	 */
	public String value() {
		return this.value;
	}

	/**
	 * Return what is wrong.
	 * @return the rest of a sentence that begins with the part and the value
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
