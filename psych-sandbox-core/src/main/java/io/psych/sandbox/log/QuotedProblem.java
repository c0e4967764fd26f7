package io.psych.sandbox.log;

import org.jspecify.annotations.Nullable;

/**
 * Stands for a problem in a log. A logger prints messages as they are, which may be lines
 * that pass for others.
 */
final class QuotedProblem extends Throwable {

	private static final long serialVersionUID = 1L;

	/** Causes can be a ring. */
	private static final int MOST_CAUSES = 10;

	private QuotedProblem(String message, @Nullable Throwable cause) {
		super(message, cause, false, true);
	}

	static QuotedProblem of(Throwable problem, int depth) {
		Throwable cause = problem.getCause();
		String message = problem.getMessage();
		QuotedProblem quoted = new QuotedProblem(
				problem.getClass().getName() + ((message != null) ? ": " + Quoted.text(message) : ""),
				(cause != null && depth < MOST_CAUSES) ? of(cause, depth + 1) : null);
		quoted.setStackTrace(problem.getStackTrace());
		return quoted;
	}

	@Override
	public Throwable fillInStackTrace() {
		return this;
	}

	@Override
	public String toString() {
		return String.valueOf(getMessage());
	}

}
