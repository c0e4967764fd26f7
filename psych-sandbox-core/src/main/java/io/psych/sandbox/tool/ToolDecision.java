package io.psych.sandbox.tool;

/**
 * Whether a call may be made.
 *
 * @since 0.1.0
 */
public sealed interface ToolDecision {

	/** The call may be made. */
	ToolDecision ALLOWED = new Allowed();

	/**
	 * Return a denial.
	 * @param why why, told to the caller
	 * @return the decision
	 */
	static ToolDecision denied(String why) {
		return new Denied(why);
	}

	/**
	 * The call may be made.
	 */
	record Allowed() implements ToolDecision {

	}

	/**
	 * The call may not be made.
	 *
	 * @param why why, told to the caller
	 */
	record Denied(String why) implements ToolDecision {

	}

}
