package io.psych.sandbox.spring.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Looks up the addresses of a name. Asked once for each connection; what it answered is
 * checked and connected to, and never looked up again.
 */
@FunctionalInterface
interface HostResolver {

	/** The resolver of this JVM. */
	HostResolver SYSTEM = (host) -> List.of(InetAddress.getAllByName(host));

	/**
	 * Return the addresses of a name.
	 * @param host the name
	 * @return its addresses, in the order to try them
	 * @throws UnknownHostException if there is none
	 */
	List<InetAddress> resolve(String host) throws UnknownHostException;

}
