package io.psych.sandbox.egress;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One kind of destination that is allowed. Written as {@code https://api.example.org},
 * and in short as {@code api.example.org}: without a scheme it is {@code https}, and
 * {@code http} has to be written. Without a port it is the port of the scheme; {@code :*}
 * is any. {@code *.example.org} is each name below {@code example.org} and not that
 * itself, and {@code *} is any host.
 * <p>
 * An address that is not public is never allowed by a host alone, but by
 * {@link #withAddresses(List) ranges} beside it. An address of a cloud's metadata service
 * is allowed only by a range that is this address alone, and a name that means the host
 * itself or such a service only by a rule that names it in full.
 *
 * @since 0.1.0
 */
public final class EgressRule {

	private static final Pattern SYNTAX = Pattern.compile(
			"(?:(?<scheme>[A-Za-z][A-Za-z0-9+.-]*)://)?(?<host>\\[[^\\]]*\\]|[^:/?#@\\[\\]]+)(?::(?<port>\\*|\\d{1,5}))?/?");

	private static final String ANY = "*";

	private static final int ANY_PORT = -1;

	private final String scheme;

	/** A host, the part of one behind an asterisk, or empty for any. */
	private final String host;

	private final boolean isPattern;

	private final int port;

	private final List<AddressRange> addresses;

	private EgressRule(String scheme, String host, boolean isPattern, int port, List<AddressRange> addresses) {
		this.scheme = scheme;
		this.host = host;
		this.isPattern = isPattern;
		this.port = port;
		this.addresses = addresses;
	}

	/**
	 * Read a rule.
	 * @param text the rule
	 * @return the rule, which allows public addresses only
	 * @throws IllegalArgumentException if it is none; the message continues a sentence
	 * that begins with the text
	 */
	public static EgressRule parse(String text) {
		Matcher matcher = SYNTAX.matcher(text);
		if (!matcher.matches()) {
			throw new IllegalArgumentException(
					"which is not a destination such as https://api.example.org, *.example.org or http://10.1.2.3:8080;"
							+ " it has no user info, path or query");
		}
		String scheme = (matcher.group("scheme") != null) ? matcher.group("scheme").toLowerCase(Locale.ROOT) : "https";
		if (!scheme.equals("https") && !scheme.equals("http")) {
			throw new IllegalArgumentException("whose scheme is neither https nor http");
		}
		int port = port(matcher.group("port"), scheme);
		String host = matcher.group("host");
		if (host.equals(ANY)) {
			return new EgressRule(scheme, "", true, port, List.of());
		}
		boolean isPattern = host.startsWith("*.");
		String name = isPattern ? host.substring(2) : host;
		if (name.contains(ANY)) {
			throw new IllegalArgumentException("which has an asterisk elsewhere than in front, as *.example.org has");
		}
		Destination destination = destination(scheme, name);
		if (isPattern && destination.address() != null) {
			throw new IllegalArgumentException(
					"which has an asterisk before an address; name ranges of addresses in allowed-addresses");
		}
		return new EgressRule(scheme, isPattern ? "." + destination.host() : destination.host(), isPattern, port,
				List.of());
	}

	private static Destination destination(String scheme, String host) {
		try {
			return Destination.of(scheme, host, Destination.defaultPort(scheme));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("whose host is one " + ex.getMessage(), ex);
		}
	}

	private static int port(String text, String scheme) {
		if (text == null) {
			return Destination.defaultPort(scheme);
		}
		if (text.equals(ANY)) {
			return ANY_PORT;
		}
		int port = Integer.parseInt(text);
		if (port < 1 || port > 65535) {
			throw new IllegalArgumentException("whose port is not a number from 1 to 65535");
		}
		return port;
	}

	/**
	 * Return the rule that allows exactly one destination.
	 * @param destination the destination
	 * @return the rule, which allows public addresses only
	 */
	public static EgressRule of(Destination destination) {
		return new EgressRule(destination.scheme(), destination.host(), false, destination.port(), List.of());
	}

	/**
	 * Return this rule with further addresses that its destinations may have.
	 * @param ranges ranges of addresses that are not public
	 * @return the rule
	 */
	public EgressRule withAddresses(List<AddressRange> ranges) {
		return new EgressRule(this.scheme, this.host, this.isPattern, this.port, List.copyOf(ranges));
	}

	boolean matches(Destination destination) {
		return this.scheme.equals(destination.scheme()) && (this.port == ANY_PORT || this.port == destination.port())
				&& matchesHost(destination);
	}

	private boolean matchesHost(Destination destination) {
		if (!this.isPattern) {
			return this.host.equals(destination.host());
		}
		if (destination.address() != null) {
			return this.host.isEmpty();
		}
		return destination.host().endsWith(this.host) && !SpecialNames.isSpecial(destination.host());
	}

	boolean allows(InetAddress address) {
		AddressKind kind = AddressKind.of(address);
		return kind == AddressKind.PUBLIC || this.addresses.stream()
			.anyMatch((range) -> range.contains(address) && (kind != AddressKind.METADATA || range.isSingle()));
	}

	@Override
	public String toString() {
		String name = this.isPattern ? ANY + this.host : this.host;
		return this.scheme + "://" + name + ":" + ((this.port == ANY_PORT) ? ANY : this.port)
				+ (this.addresses.isEmpty() ? "" : " " + this.addresses);
	}

}
