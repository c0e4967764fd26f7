package io.psych.sandbox.egress;

import java.net.URI;

/**
 * Thrown when a destination is not allowed. Its message holds neither user info nor path
 * nor query.
 *
 * @since 0.1.0
 */
public final class EgressDeniedException extends Exception {

	/**
	 * Create a new exception.
	 * @param destination the destination
	 * @param why why it is not allowed
	 */
	public EgressDeniedException(URI destination, String why) {
		super("The destination" + name(destination) + " is not allowed: " + why + ".");
	}

	private static String name(URI destination) {
		if (destination.getHost() == null) {
			return "";
		}
		return " " + ((destination.getScheme() != null) ? destination.getScheme() + "://" : "") + destination.getHost()
				+ ((destination.getPort() >= 0) ? ":" + destination.getPort() : "");
	}

}
