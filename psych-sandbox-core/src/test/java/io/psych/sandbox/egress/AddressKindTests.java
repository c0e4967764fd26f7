package io.psych.sandbox.egress;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AddressKind}.
 */
class AddressKindTests {

	@ParameterizedTest
	@CsvSource({ "8.8.8.8, PUBLIC", "1.0.0.1, PUBLIC", "9.255.255.255, PUBLIC", "11.0.0.0, PUBLIC",
			"100.63.255.255, PUBLIC", "100.128.0.0, PUBLIC", "126.255.255.255, PUBLIC", "128.0.0.1, PUBLIC",
			"169.253.255.255, PUBLIC", "169.255.0.0, PUBLIC", "172.15.255.255, PUBLIC", "172.32.0.0, PUBLIC",
			"192.167.255.255, PUBLIC", "192.169.0.0, PUBLIC", "198.17.255.255, PUBLIC", "198.20.0.0, PUBLIC",
			"223.255.255.255, PUBLIC", "2606:4700:4700::1111, PUBLIC", "2a00:1450::1, PUBLIC", "2001:200::1, PUBLIC" })
	void addressBesideTheSpecialOnesIsPublic(String address, AddressKind kind) {
		assertThat(AddressKind.of(Literals.parse(address))).isEqualTo(kind);
	}

	@ParameterizedTest
	@CsvSource({ "0.0.0.0, UNSPECIFIED", "0.0.0.1, RESERVED", "10.0.0.0, PRIVATE", "10.255.255.255, PRIVATE",
			"100.64.0.0, SHARED", "100.127.255.255, SHARED", "127.0.0.1, LOOPBACK", "127.255.255.254, LOOPBACK",
			"169.254.0.1, LINK_LOCAL", "172.16.0.1, PRIVATE", "172.31.255.255, PRIVATE", "192.0.0.1, RESERVED",
			"192.0.2.1, RESERVED", "192.88.99.1, RESERVED", "192.168.0.1, PRIVATE", "198.18.0.1, RESERVED",
			"198.19.255.255, RESERVED", "198.51.100.1, RESERVED", "203.0.113.1, RESERVED", "224.0.0.1, MULTICAST",
			"239.255.255.255, MULTICAST", "240.0.0.1, RESERVED", "255.255.255.255, RESERVED" })
	void specialIpv4AddressIsKnown(String address, AddressKind kind) {
		assertThat(AddressKind.of(Literals.parse(address))).isEqualTo(kind);
	}

	@ParameterizedTest
	@CsvSource({ "::, UNSPECIFIED", "::1, LOOPBACK", "fc00::1, PRIVATE", "fdff::1, PRIVATE", "fe80::1, LINK_LOCAL",
			"febf::1, LINK_LOCAL", "fec0::1, PRIVATE", "ff02::1, MULTICAST", "2001::1, RESERVED",
			"2001:1ff::1, RESERVED", "2001:db8::1, RESERVED", "3fff::1, RESERVED", "100::1, RESERVED",
			"64:ff9b:1::1, RESERVED", "5f00::1, RESERVED", "4000::1, RESERVED", "::2:0:0:1, RESERVED" })
	void specialIpv6AddressIsKnown(String address, AddressKind kind) {
		assertThat(AddressKind.of(Literals.parse(address))).isEqualTo(kind);
	}

	@ParameterizedTest
	@CsvSource({ "::ffff:127.0.0.1, LOOPBACK", "::ffff:10.0.0.1, PRIVATE", "::ffff:a9fe:a9fe, METADATA",
			"::ffff:8.8.8.8, PUBLIC", "::127.0.0.1, LOOPBACK", "::10.0.0.1, PRIVATE", "::169.254.169.254, METADATA",
			"64:ff9b::127.0.0.1, LOOPBACK", "64:ff9b::10.0.0.1, PRIVATE", "64:ff9b::a9fe:a9fe, METADATA",
			"64:ff9b::8.8.8.8, PUBLIC", "2002:7f00:1::, LOOPBACK", "2002:a00:1::1, PRIVATE",
			"2002:a9fe:a9fe::, METADATA", "2002:808:808::1, PUBLIC" })
	void ipv4AddressWithinIpv6CountsAsWhatItIs(String address, AddressKind kind) {
		assertThat(AddressKind.of(Literals.parse(address))).isEqualTo(kind);
	}

	@Test
	void mappedAddressThatTheJdkKeptAsIpv6CountsAsWhatItIs() throws UnknownHostException {
		byte[] bytes = new byte[16];
		bytes[10] = -1;
		bytes[11] = -1;
		bytes[12] = 127;
		bytes[15] = 1;
		InetAddress mapped = Inet6Address.getByAddress("mapped", bytes, 3);
		assertThat(mapped).isInstanceOf(Inet6Address.class);
		assertThat(AddressKind.of(mapped)).isEqualTo(AddressKind.LOOPBACK);
	}

	@ParameterizedTest
	@CsvSource({ "169.254.169.254", "fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "192.0.0.192", "168.63.129.16",
			"169.254.170.2" })
	void metadataAddressIsKnown(String address) {
		assertThat(AddressKind.of(Literals.parse(address))).isEqualTo(AddressKind.METADATA);
	}

	@Test
	void everyKindHasWords() {
		assertThat(AddressKind.values()).extracting(AddressKind::description).doesNotHaveDuplicates();
	}

}
