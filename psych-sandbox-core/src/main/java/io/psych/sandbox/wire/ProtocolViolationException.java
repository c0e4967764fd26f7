package io.psych.sandbox.wire;

/**
 * Thrown when a child sends what the protocol does not allow. The message names the rule,
 * never what was sent.
 *
 * @since 0.1.0
 */
public final class ProtocolViolationException extends Exception {

	/**
	 * Create a new exception.
	 * @param message what was sent; none of the child's own words
	 */
	public ProtocolViolationException(String message) {
		super(message);
	}

}
