package io.psych.sandbox;

/**
 * A peer that does not work here; the message is for the table.
 */
final class PeerException extends Exception {

	private static final long serialVersionUID = 1L;

	PeerException(String message) {
		super(message);
	}

}
