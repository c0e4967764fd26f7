package io.psych.sandbox.tool;

/**
 * Thrown when the tools of the host can't be offered together: one claims a reserved
 * name, or two share a name.
 *
 * @since 0.1.0
 */
public final class ToolCatalogException extends RuntimeException {

	private final String tool;

	private final String problem;

	private final String fix;

	ToolCatalogException(String tool, String problem, String fix) {
		super(problem + " " + fix);
		this.tool = tool;
		this.problem = problem;
		this.fix = fix;
	}

	/**
	 * Return the name in question.
	 * @return the name of the tool
	 */
	public String tool() {
		return this.tool;
	}

	/**
	 * Return what is wrong.
	 * @return a sentence
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
