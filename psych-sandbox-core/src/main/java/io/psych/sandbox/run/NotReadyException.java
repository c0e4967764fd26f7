package io.psych.sandbox.run;

/**
 * Thrown when a child did not come to wait for a program. The message continues "the
 * child's process did not become ready: ".
 */
final class NotReadyException extends Exception {

	NotReadyException(String message) {
		super(message);
	}

}
