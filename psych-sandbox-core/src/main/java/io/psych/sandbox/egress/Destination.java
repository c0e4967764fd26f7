package io.psych.sandbox.egress;

import java.net.IDN;
import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Where a URL leads to, in one form: a URL has many spellings of one host, and whoever
 * decides on a host and whoever connects to it must mean the same one. What can be read
 * in two ways is refused.
 *
 * @param scheme {@code http} or {@code https}
 * @param host a name in ASCII and lower case without a trailing dot, or an address
 * @param port the port
 * @param address the address the host is written as, or {@code null} when it is a name
 * @since 0.1.0
 */
public record Destination(String scheme, String host, int port, @Nullable InetAddress address) {

	private static final String HTTP = "http";

	private static final String HTTPS = "https";

	private static final int HTTP_PORT = 80;

	private static final int HTTPS_PORT = 443;

	private static final int MOST_PORT = 65535;

	private static final int MOST_HOST = 253;

	private static final Pattern NAME = Pattern.compile("(?!-)[a-z0-9-]{1,63}(?<!-)(?:\\.(?!-)[a-z0-9-]{1,63}(?<!-))*");

	/**
	 * Return where a URL leads to.
	 * @param url the URL; its path, query and fragment are not looked at
	 * @return the destination
	 * @throws EgressDeniedException if it is not one of HTTP, or can be read in two ways
	 */
	public static Destination of(URI url) throws EgressDeniedException {
		String scheme = (url.getScheme() != null) ? url.getScheme().toLowerCase(Locale.ROOT) : "";
		if (!scheme.equals(HTTP) && !scheme.equals(HTTPS)) {
			throw new EgressDeniedException(url, "only http and https lead anywhere");
		}
		if (url.getRawUserInfo() != null || (url.getRawAuthority() != null && url.getRawAuthority().contains("@"))) {
			throw new EgressDeniedException(url, "it holds user info");
		}
		if (url.getHost() == null) {
			throw new EgressDeniedException(url, "its host is not a name of letters, digits, dashes and dots");
		}
		int port = (url.getPort() != -1) ? url.getPort() : defaultPort(scheme);
		if (port < 1 || port > MOST_PORT) {
			throw new EgressDeniedException(url, "there is no such port");
		}
		try {
			return of(scheme, url.getHost(), port);
		}
		catch (IllegalArgumentException ex) {
			throw new EgressDeniedException(url, "its host is one " + ex.getMessage());
		}
	}

	/**
	 * Return a destination of a host as it is written by people.
	 * @param scheme the scheme, in lower case
	 * @param host the host
	 * @param port the port
	 * @return the destination
	 * @throws IllegalArgumentException if it is no host; the message continues a sentence
	 * that begins with the host
	 */
	static Destination of(String scheme, String host, int port) {
		if (host.startsWith("[") && host.endsWith("]")) {
			InetAddress address = Literals.parse(host.substring(1, host.length() - 1));
			if (address == null || host.indexOf(':') < 0) {
				throw new IllegalArgumentException("that is no IPv6 address without a zone");
			}
			return new Destination(scheme, written(address), port, address);
		}
		String ascii = ascii(host);
		InetAddress address = Literals.parse(ascii);
		if (address != null) {
			return new Destination(scheme, written(address), port, address);
		}
		if (Literals.looksNumeric(ascii)) {
			throw new IllegalArgumentException(
					"that some read as an address; an address is written as four decimal numbers");
		}
		if (ascii.length() > MOST_HOST || !NAME.matcher(ascii).matches()) {
			throw new IllegalArgumentException("that is not a name of letters, digits, dashes and dots");
		}
		return new Destination(scheme, ascii, port, null);
	}

	private static String ascii(String host) {
		String whole = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
		try {
			return IDN.toASCII(whole, IDN.USE_STD3_ASCII_RULES).toLowerCase(Locale.ROOT);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("that is not a name of letters, digits, dashes and dots", ex);
		}
	}

	private static String written(InetAddress address) {
		String text = address.getHostAddress();
		return (text.indexOf(':') >= 0) ? "[" + text + "]" : text;
	}

	static int defaultPort(String scheme) {
		return scheme.equals(HTTPS) ? HTTPS_PORT : HTTP_PORT;
	}

	/**
	 * Return whether what is sent there is encrypted.
	 * @return whether it is
	 */
	public boolean isSecure() {
		return this.scheme.equals(HTTPS);
	}

	/**
	 * Return whether this is the same origin as another one: scheme, host and port.
	 * @param other the other one
	 * @return whether it is
	 */
	public boolean isSameOrigin(Destination other) {
		return this.scheme.equals(other.scheme) && this.host.equals(other.host) && this.port == other.port;
	}

	/**
	 * Return the destination as a URL without a path.
	 * @return the URL, with the port where it is not that of the scheme
	 */
	public URI toUri() {
		return URI.create(toString());
	}

	@Override
	public String toString() {
		return this.scheme + "://" + this.host + ((this.port != defaultPort(this.scheme)) ? ":" + this.port : "");
	}

}
