package io.psych.sandbox.egress;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link AddressRange}.
 */
class AddressRangeTests {

	@ParameterizedTest
	@CsvSource({ "10.0.0.0/8, 10.0.0.0, true", "10.0.0.0/8, 10.255.255.255, true", "10.0.0.0/8, 11.0.0.0, false",
			"10.0.0.0/8, 9.255.255.255, false", "192.168.4.0/22, 192.168.7.255, true",
			"192.168.4.0/22, 192.168.8.0, false", "127.0.0.1, 127.0.0.1, true", "127.0.0.1, 127.0.0.2, false",
			"127.0.0.1/32, 127.0.0.1, true", "127.0.0.1/32, ::1, false", "10.0.0.0/8, ::ffff:10.0.0.1, true",
			"fd00::/8, fd12::1, true", "fd00::/8, fc12::1, false", "::1, ::1, true", "::1/128, ::2, false",
			"fe80::/10, febf::1, true", "fe80::/10, fec0::1, false" })
	void containsComparesTheBitsOfThePrefix(String range, String address, boolean contains) {
		assertThat(AddressRange.parse(range).contains(Literals.parse(address))).isEqualTo(contains);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "10", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.1/8",
			"010.0.0.0/8", "10.0.0/8", "256.0.0.0/8", "example.org", "example.org/32", "0.0.0.0/0", "0.0.0.0/7", "::/0",
			"c000::/6", "::ffff:10.0.0.0/104", "fd00::/129", "fd00::1/8", "[::1]", "fe80::1%1", "10.0.0.0/08x",
			" 10.0.0.0/8" })
	void parseWhenTextIsNoRangeRefuses(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> AddressRange.parse(text)).withMessageStartingWith("wh");
	}

	@Test
	void rangesOfTheSameAddressesAreEqual() {
		assertThat(AddressRange.parse("10.0.0.1")).isEqualTo(AddressRange.parse("10.0.0.1/32"))
			.hasSameHashCodeAs(AddressRange.parse("10.0.0.1/32"))
			.hasToString("10.0.0.1/32")
			.isNotEqualTo(AddressRange.parse("10.0.0.2/32"));
		assertThat(AddressRange.parse("10.0.0.1").isSingle()).isTrue();
		assertThat(AddressRange.parse("10.0.0.0/31").isSingle()).isFalse();
	}

}
