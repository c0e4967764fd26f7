package io.psych.sandbox.egress;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link EgressRules} and {@link EgressRule}.
 */
class EgressRulesTests {

	private static final String PUBLIC = "8.8.8.8";

	@ParameterizedTest
	@CsvSource({ "api.example.org, https://api.example.org/v1, true", "api.example.org, https://API.EXAMPLE.ORG., true",
			"api.example.org, http://api.example.org, false", "api.example.org, https://api.example.org:8443, false",
			"api.example.org, https://example.org, false", "api.example.org, https://api.example.org.evil.test, false",
			"api.example.org, https://xapi.example.org, false", "http://api.example.org, http://api.example.org, true",
			"http://api.example.org, https://api.example.org, false",
			"http://api.example.org:8080, http://api.example.org:8080, true",
			"http://api.example.org:8080, http://api.example.org, false",
			"https://api.example.org:*, https://api.example.org:1234, true",
			"https://api.example.org/, https://api.example.org, true", "*.example.org, https://api.example.org, true",
			"*.example.org, https://a.b.example.org, true", "*.example.org, https://example.org, false",
			"*.example.org, https://evilexample.org, false", "*.example.org, https://example.org.evil.test, false",
			"*, https://anything.test, true", "*, http://anything.test, false", "*, https://8.8.8.8, true",
			"bücher.example, https://xn--bcher-kva.example, true", "8.8.8.8, https://8.8.8.8, true",
			"8.8.8.8, https://8.8.4.4, false", "'[2606:4700::1]', 'https://[2606:4700:0:0::1]', true",
			"*.8.8.example, https://8.8.8.8, false" })
	void checkByNameAllowsWhatARuleNames(String rule, String url, boolean allowed) {
		EgressRules rules = rules(rule);
		if (allowed) {
			assertThatNoException().isThrownBy(() -> rules.check(URI.create(url)));
		}
		else {
			assertThatExceptionOfType(EgressDeniedException.class).isThrownBy(() -> rules.check(URI.create(url)))
				.withMessageEndingWith("no entry of psych.sandbox.egress.allow names it.");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://localhost", "https://LOCALHOST.", "https://a.localhost",
			"https://metadata.google.internal", "https://instance-data", "https://host.docker.internal" })
	void checkWhenNameMeansTheHostItselfTakesARuleThatNamesItInFull(String url) {
		URI destination = URI.create(url);
		for (String pattern : List.of("*", "*.localhost", "*.internal", "*.google.internal")) {
			assertThatExceptionOfType(EgressDeniedException.class).isThrownBy(() -> rules(pattern).check(destination));
		}
		assertThatNoException().isThrownBy(() -> rules(destination.getHost()).check(destination));
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "127.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.1.1",
			"169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fd00::1",
			"fe80::1", "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1",
			"2002:7f00:1::1" })
	void checkWhenAddressIsNotPublicRefuses(String address) {
		EgressRules rules = rules("*", "api.example.org");
		URI destination = URI.create("https://api.example.org");
		assertThatExceptionOfType(EgressDeniedException.class)
			.isThrownBy(() -> rules.check(destination, Literals.parse(address)))
			.withMessageContaining("it leads to ")
			.withMessageContaining("allowed-addresses");
		URI literal = URI.create("https://" + ((address.indexOf(':') >= 0) ? "[" + address + "]" : address));
		assertThatExceptionOfType(EgressDeniedException.class).isThrownBy(() -> rules.check(literal));
	}

	@Test
	void checkWhenAddressIsPublicAllows() {
		assertThatNoException().isThrownBy(
				() -> rules("api.example.org").check(URI.create("https://api.example.org"), Literals.parse(PUBLIC)));
	}

	@Test
	void checkWhenRangeAllowsAddressAllowsItForThatNameAlone() {
		EgressRules rules = new EgressRules(
				List.of(with("http://billing.test:8080", "10.1.0.0/16"), EgressRule.parse("http://other.test:8080")));
		assertThatNoException()
			.isThrownBy(() -> rules.check(URI.create("http://billing.test:8080"), Literals.parse("10.1.2.3")));
		assertThatNoException()
			.isThrownBy(() -> rules.check(URI.create("http://billing.test:8080"), Literals.parse(PUBLIC)));
		assertDenied(rules, "http://billing.test:8080", "10.2.2.3");
		assertDenied(rules, "http://billing.test:8080", "127.0.0.1");
		assertDenied(rules, "http://other.test:8080", "10.1.2.3");
	}

	@Test
	void checkWhenTwoRulesNameTheDestinationEitherAllows() {
		EgressRules rules = new EgressRules(
				List.of(EgressRule.parse("http://10.1.2.3"), with("http://*:*", "10.0.0.0/8")));
		assertThatNoException().isThrownBy(() -> rules.check(URI.create("http://10.1.2.3")));
	}

	@Test
	void checkWhenAddressIsOfMetadataTakesARangeOfItAlone() {
		String url = "http://169.254.169.254";
		assertDenied(new EgressRules(List.of(with(url, "169.254.0.0/16"))), url, "169.254.169.254");
		assertThatNoException()
			.isThrownBy(() -> new EgressRules(List.of(with(url, "169.254.169.254/32"))).check(URI.create(url)));
	}

	@Test
	void checkWhenUrlHoldsAnotherAddressThanTheOneAskedForRefuses() {
		assertDenied(rules("8.8.8.8"), "https://8.8.8.8", "8.8.4.4");
	}

	@Test
	void checkWithoutRulesAllowsNothing() {
		assertDenied(new EgressRules(List.of()), "https://api.example.org", PUBLIC);
	}

	@Test
	void deniedSaysNeitherPathNorQuery() {
		assertThatExceptionOfType(EgressDeniedException.class)
			.isThrownBy(() -> rules().check(URI.create("https://api.example.org:8443/secret?key=secret")))
			.withMessage("The destination https://api.example.org:8443 is not allowed: no entry of"
					+ " psych.sandbox.egress.allow names it.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "ftp://example.org", "https://", "https://example.org/path",
			"https://example.org?query", "https://user@example.org", "https://a.*.example.org", "*example.org", "**",
			"*.", "*.*", "*.10.0.0.1", "example.org:0", "example.org:65536", "example.org:http", "127.1", "0x7f.1",
			"my_service", "[fe80::1%eth0]", "[127.0.0.1]", "a b", "https://https://example.org", "10.0.0.0/8" })
	void parseWhenTextIsNoRuleRefuses(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> EgressRule.parse(text)).withMessageStartingWith("wh");
	}

	@Test
	void ruleOfADestinationAllowsItAlone() throws EgressDeniedException {
		EgressRules rules = new EgressRules(
				List.of(EgressRule.of(Destination.of(URI.create("http://api.example.org:8080/v1")))));
		assertThatNoException().isThrownBy(() -> rules.check(URI.create("http://api.example.org:8080/v2")));
		assertDenied(rules, "http://api.example.org", PUBLIC);
		assertDenied(rules, "http://api.example.org:8080", "127.0.0.1");
	}

	@Test
	void isPublicIsFalseForWhatBelongsToANetwork() {
		assertThat(EgressRules.isPublic(Literals.parse(PUBLIC))).isTrue();
		assertThat(EgressRules.isPublic(Literals.parse("10.0.0.1"))).isFalse();
	}

	private static void assertDenied(EgressRules rules, String url, String address) {
		assertThatExceptionOfType(EgressDeniedException.class)
			.isThrownBy(() -> rules.check(URI.create(url), Literals.parse(address)));
	}

	private static EgressRule with(String rule, String range) {
		return EgressRule.parse(rule).withAddresses(List.of(AddressRange.parse(range)));
	}

	private static EgressRules rules(String... rules) {
		return new EgressRules(Stream.of(rules).map(EgressRule::parse).toList());
	}

}
