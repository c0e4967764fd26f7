package io.psych.sandbox.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Addresses written as text. Never asks a name server.
 */
final class Literals {

	/** Four numbers without a leading zero, which some read as octal. */
	private static final Pattern IPV4 = Pattern.compile("(?:(?:0|[1-9]\\d{0,2})\\.){3}(?:0|[1-9]\\d{0,2})");

	private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

	/** What the resolvers of some systems read as an IPv4 address. */
	private static final Pattern NUMERIC_LABEL = Pattern.compile("\\d+|0[xX][0-9a-fA-F]*");

	private Literals() {
	}

	/**
	 * Return the address that a text is.
	 * @param text four decimal numbers, or an IPv6 address without brackets or zone
	 * @return the address, or {@code null} when the text is none
	 */
	static @Nullable InetAddress parse(String text) {
		if (IPV4.matcher(text).matches()) {
			return ipv4(text);
		}
		return IPV6.matcher(text).matches() ? ipv6(text) : null;
	}

	private static @Nullable InetAddress ipv4(String text) {
		int[] numbers = Arrays.stream(text.split("\\.")).mapToInt(Integer::parseInt).toArray();
		byte[] bytes = new byte[numbers.length];
		for (int i = 0; i < numbers.length; i++) {
			if (numbers[i] > 255) {
				return null;
			}
			bytes[i] = (byte) numbers[i];
		}
		return of(bytes);
	}

	private static @Nullable InetAddress ipv6(String text) {
		try {
			// In brackets it is never looked up as a name.
			return InetAddress.getByName("[" + text + "]");
		}
		catch (UnknownHostException ex) {
			return null;
		}
	}

	/**
	 * Return the address of so many bytes.
	 * @param bytes four or sixteen bytes
	 * @return the address
	 */
	static InetAddress of(byte[] bytes) {
		try {
			return InetAddress.getByAddress(bytes);
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException("an address of " + bytes.length + " bytes", ex);
		}
	}

	/**
	 * Return whether a resolver might take a host for an address in an odd form, such as
	 * {@code 2130706433}, {@code 0x7f.1} or {@code 127.1}. Its last label says so: no
	 * top-level domain is a number.
	 * @param host the host, without a trailing dot
	 * @return whether it might
	 */
	static boolean looksNumeric(String host) {
		return NUMERIC_LABEL.matcher(host.substring(host.lastIndexOf('.') + 1)).matches();
	}

}
