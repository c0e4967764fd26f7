package io.psych.sandbox.json;

/**
 * Thrown when a text is not JSON within the bounds, or a Java value has no JSON form.
 *
 * @since 0.1.0
 */
public final class JsonFormatException extends RuntimeException {

	JsonFormatException(String message) {
		super(message);
	}

	JsonFormatException(String message, Throwable cause) {
		super(message, cause);
	}

}
