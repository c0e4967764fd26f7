package io.psych.sandbox.runlog;

/**
 * Thrown when the log of runs can't be written or read.
 *
 * @since 0.1.0
 */
public final class RunLogException extends RuntimeException {

	/**
	 * Create a new exception.
	 * @param message what failed
	 * @param cause why
	 */
	public RunLogException(String message, Throwable cause) {
		super(message, cause);
	}

}
