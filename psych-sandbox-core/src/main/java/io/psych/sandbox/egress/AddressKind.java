package io.psych.sandbox.egress;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an address is good for, after the registries of special-purpose addresses of IANA
 * (RFC 6890). An IPv4 address within an IPv6 one counts as what it is itself.
 */
enum AddressKind {

	/** Reachable from anywhere. */
	PUBLIC("a public address"),

	/** Where clouds tell a machine its credentials. */
	METADATA("an address of a cloud's metadata service"),

	LOOPBACK("a loopback address"),

	PRIVATE("a private address"),

	LINK_LOCAL("a link-local address"),

	/** Between a provider and its customers (RFC 6598). */
	SHARED("a shared address of a provider (100.64.0.0/10)"),

	MULTICAST("a multicast address"),

	UNSPECIFIED("the unspecified address"),

	/** Documentation, benchmarks, protocols, the future. */
	RESERVED("a reserved address");

	/**
	 * AWS, Azure, Google and most others; AWS over IPv6; Google over IPv6; Alibaba;
	 * Oracle's older one; Azure's host channel, which is a public address.
	 */
	private static final Set<InetAddress> METADATA_ADDRESSES = Stream
		.of("169.254.169.254", "fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "192.0.0.192", "168.63.129.16",
				"169.254.170.2", "169.254.170.23", "fd00:ec2::23")
		.map(Literals::parse)
		.collect(Collectors.toUnmodifiableSet());

	private record Block(AddressRange range, AddressKind kind) {

		static Block of(String range, AddressKind kind) {
			return new Block(AddressRange.parse(range), kind);
		}

	}

	private static final List<Block> BLOCKS = List.of(Block.of("0.0.0.0", UNSPECIFIED), Block.of("0.0.0.0/8", RESERVED),
			Block.of("10.0.0.0/8", PRIVATE), Block.of("100.64.0.0/10", SHARED), Block.of("127.0.0.0/8", LOOPBACK),
			Block.of("169.254.0.0/16", LINK_LOCAL), Block.of("172.16.0.0/12", PRIVATE),
			Block.of("192.0.0.0/24", RESERVED), Block.of("192.0.2.0/24", RESERVED),
			Block.of("192.88.99.0/24", RESERVED), Block.of("192.168.0.0/16", PRIVATE),
			Block.of("198.18.0.0/15", RESERVED), Block.of("198.51.100.0/24", RESERVED),
			Block.of("203.0.113.0/24", RESERVED), Block.of("::", UNSPECIFIED), Block.of("::1", LOOPBACK),
			Block.of("fc00::/7", PRIVATE), Block.of("fe80::/10", LINK_LOCAL), Block.of("fec0::/10", PRIVATE),
			Block.of("ff00::/8", MULTICAST), Block.of("2001::/23", RESERVED), Block.of("2001:db8::/32", RESERVED),
			Block.of("3fff::/20", RESERVED));

	private static final AddressRange NAT64 = AddressRange.parse("64:ff9b::/96");

	private static final AddressRange SIX_TO_FOUR = AddressRange.parse("2002::/16");

	private final String description;

	AddressKind(String description) {
		this.description = description;
	}

	/**
	 * Return the kind of an address.
	 * @param address the address
	 * @return the kind
	 */
	static AddressKind of(InetAddress address) {
		byte[] bytes = address.getAddress();
		if (METADATA_ADDRESSES.contains(address)) {
			return METADATA;
		}
		for (Block block : BLOCKS) {
			if (block.range().contains(address)) {
				return block.kind();
			}
		}
		return (bytes.length == 4) ? ipv4(bytes) : ipv6(address, bytes);
	}

	private static AddressKind ipv4(byte[] bytes) {
		int first = bytes[0] & 0xff;
		// 240.0.0.0/4 holds the limited broadcast as well.
		return (first >= 240) ? RESERVED : (first >= 224) ? MULTICAST : PUBLIC;
	}

	private static AddressKind ipv6(InetAddress address, byte[] bytes) {
		if (NAT64.contains(address) || isCompatible(bytes)) {
			return of(Literals.of(Arrays.copyOfRange(bytes, 12, 16)));
		}
		if (SIX_TO_FOUR.contains(address)) {
			return of(Literals.of(Arrays.copyOfRange(bytes, 2, 6)));
		}
		// All that was ever given out for use between hosts is in 2000::/3.
		return ((bytes[0] & 0xe0) == 0x20) ? PUBLIC : RESERVED;
	}

	/**
	 * An IPv4 address behind 96 zero bits, or behind ffff where the JDK did not take it
	 * for IPv4 itself.
	 */
	private static boolean isCompatible(byte[] bytes) {
		for (int i = 0; i < 10; i++) {
			if (bytes[i] != 0) {
				return false;
			}
		}
		return (bytes[10] == 0 && bytes[11] == 0) || (bytes[10] == -1 && bytes[11] == -1);
	}

	/**
	 * Return the kind in words.
	 * @return the words, with an article
	 */
	String description() {
		return this.description;
	}

}
