package io.psych.sandbox.egress;

import java.net.Inet4Address;
import java.net.InetAddress;

import org.jspecify.annotations.Nullable;

/**
 * A range of addresses, as {@code 10.0.0.0/8} or {@code fd12:3456::/32}. An address alone
 * is a range of one. Never wider than a private network is: what is allowed here is
 * allowed although it is not public, and nobody means half of the Internet by that.
 *
 * @since 0.1.0
 */
public final class AddressRange {

	/** The widest private networks there are: 10.0.0.0/8 and fc00::/7. */
	private static final int SHORTEST_PREFIX_IPV4 = 8;

	private static final int SHORTEST_PREFIX_IPV6 = 7;

	private final InetAddress network;

	private final int prefix;

	private AddressRange(InetAddress network, int prefix) {
		this.network = network;
		this.prefix = prefix;
	}

	/**
	 * Read a range.
	 * @param text an address, or an address, a slash and the number of leading bits that
	 * count
	 * @return the range
	 * @throws IllegalArgumentException if it is none, or too wide; the message continues
	 * a sentence that begins with the text
	 */
	public static AddressRange parse(String text) {
		int slash = text.indexOf('/');
		String written = (slash < 0) ? text : text.substring(0, slash);
		InetAddress network = Literals.parse(written);
		if (network == null) {
			throw new IllegalArgumentException(
					"which is not an address such as 10.1.2.3, nor a range such as" + " 10.0.0.0/8 or fd12:3456::/32");
		}
		boolean isIpv4 = network instanceof Inet4Address;
		if (isIpv4 && written.indexOf(':') >= 0) {
			throw new IllegalArgumentException("which is an IPv4 address in IPv6 form; write it as IPv4");
		}
		int bits = network.getAddress().length * Byte.SIZE;
		int prefix = (slash < 0) ? bits : prefix(text.substring(slash + 1), bits);
		int shortest = isIpv4 ? SHORTEST_PREFIX_IPV4 : SHORTEST_PREFIX_IPV6;
		if (prefix < shortest) {
			throw new IllegalArgumentException(
					"which is wider than any private network; a prefix has " + shortest + " bits or more");
		}
		if (!sameBits(network.getAddress(), masked(network.getAddress(), prefix), bits)) {
			throw new IllegalArgumentException("which has bits set behind its prefix of " + prefix);
		}
		return new AddressRange(network, prefix);
	}

	private static int prefix(String digits, int bits) {
		if (!digits.matches("\\d{1,3}") || Integer.parseInt(digits) > bits) {
			throw new IllegalArgumentException("whose prefix is not a number from 0 to " + bits);
		}
		return Integer.parseInt(digits);
	}

	/**
	 * Return whether an address lies in this range.
	 * @param address the address
	 * @return whether it does
	 */
	public boolean contains(InetAddress address) {
		byte[] bytes = address.getAddress();
		return bytes.length == this.network.getAddress().length
				&& sameBits(bytes, this.network.getAddress(), this.prefix);
	}

	/**
	 * Return whether this range is one address alone.
	 * @return whether it is
	 */
	public boolean isSingle() {
		return this.prefix == this.network.getAddress().length * Byte.SIZE;
	}

	private static byte[] masked(byte[] address, int prefix) {
		byte[] masked = new byte[address.length];
		for (int bit = 0; bit < prefix; bit++) {
			masked[bit / Byte.SIZE] |= (byte) (address[bit / Byte.SIZE] & mask(bit));
		}
		return masked;
	}

	private static boolean sameBits(byte[] left, byte[] right, int bits) {
		for (int bit = 0; bit < bits; bit++) {
			if (((left[bit / Byte.SIZE] ^ right[bit / Byte.SIZE]) & mask(bit)) != 0) {
				return false;
			}
		}
		return true;
	}

	private static int mask(int bit) {
		return 0x80 >> (bit % Byte.SIZE);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof AddressRange range && range.prefix == this.prefix && range.network.equals(this.network);
	}

	@Override
	public int hashCode() {
		return this.network.hashCode() * 31 + this.prefix;
	}

	@Override
	public String toString() {
		return this.network.getHostAddress() + "/" + this.prefix;
	}

}
