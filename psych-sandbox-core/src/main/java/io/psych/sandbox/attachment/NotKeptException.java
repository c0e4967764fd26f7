package io.psych.sandbox.attachment;

/**
 * Thrown when something an execution left behind is not kept. The message is the reason,
 * for the model.
 *
 * @since 0.1.0
 */
public final class NotKeptException extends Exception {

	NotKeptException(String message) {
		super(message);
	}

}
