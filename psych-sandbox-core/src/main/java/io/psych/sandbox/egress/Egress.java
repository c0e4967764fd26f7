package io.psych.sandbox.egress;

import java.net.InetAddress;
import java.net.URI;

/**
 * Decides every destination of the host's tools. Asked twice: by name before a call is
 * made, and by address where the connection is made, for each redirect anew, so that a
 * name that resolves to something else the second time gains nothing.
 *
 * @since 0.1.0
 */
public interface Egress {

	/** Lets nothing out. */
	Egress DENIED = new Egress() {

		@Override
		public void check(URI destination) throws EgressDeniedException {
			throw new EgressDeniedException(destination, "no destination is allowed (psych.sandbox.egress)");
		}

		@Override
		public void check(URI destination, InetAddress address) throws EgressDeniedException {
			check(destination);
		}

	};

	/**
	 * Check a destination by its name.
	 * @param destination scheme, host and port; its path may be looked at
	 * @throws EgressDeniedException if it is not allowed
	 */
	void check(URI destination) throws EgressDeniedException;

	/**
	 * Check an address that a destination resolved to, and that will be connected to.
	 * @param destination the destination
	 * @param address the address
	 * @throws EgressDeniedException if it is not allowed
	 */
	void check(URI destination, InetAddress address) throws EgressDeniedException;

}
