package io.psych.sandbox.artifact;

import java.io.IOException;

/**
 * Thrown by a sink that does not take a file, with the reason for the model.
 *
 * @since 0.1.0
 */
public final class NotTakenException extends IOException {

	/**
	 * Create a new exception.
	 * @param reason why, a sentence without a full stop
	 * @param cause what it was caused by
	 */
	public NotTakenException(String reason, Throwable cause) {
		super(reason, cause);
	}

}
