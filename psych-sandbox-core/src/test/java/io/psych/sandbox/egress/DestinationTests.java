package io.psych.sandbox.egress;

import java.net.URI;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Destination}.
 */
class DestinationTests {

	@ParameterizedTest
	@CsvSource({ "https://api.example.org/a?b#c, https://api.example.org",
			"HTTPS://API.Example.ORG, https://api.example.org",
			"https://api.example.org.:443/, https://api.example.org",
			"http://api.example.org:80, http://api.example.org",
			"http://api.example.org:443, http://api.example.org:443",
			"https://api.example.org:8443, https://api.example.org:8443", "https://intranet, https://intranet",
			"https://xn--bcher-kva.example, https://xn--bcher-kva.example",
			"http://10.1.2.3:8080, http://10.1.2.3:8080", "http://[2001:DB8::1]/, http://[2001:db8:0:0:0:0:0:1]",
			"http://[::ffff:127.0.0.1]/, http://127.0.0.1" })
	void ofBringsSpellingsOfOneHostIntoOneForm(String url, String form) throws EgressDeniedException {
		assertThat(Destination.of(URI.create(url))).hasToString(form);
		assertThat(Destination.of(URI.create(url)).toUri()).isEqualTo(URI.create(form));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ftp://example.org", "file:///etc/passwd", "mailto:a@example.org", "/relative",
			"//example.org", "https:///path", "https://someone@example.org", "https://someone:secret@example.org",
			"https://@example.org", "https://my_service:8080", "https://example.org:0", "https://example.org:65536",
			"https://example.org:99999999", "http://2130706433", "http://0x7f000001", "http://0x7f.1", "http://127.1",
			"http://127.0.1", "http://0177.0.0.1", "http://0300.0250.0.1", "http://127.0.0.01", "http://256.1.1.1",
			"http://1.2.3.4.5", "http://10.1.2.3./", "http://127.0.0.0x1", "http://0x", "http://[fe80::1%25eth0]",
			"http://[fe80::1%251]", "http://%31%32%37.0.0.1", "http://a..b", "http://-a.example.org" })
	void ofWhenUrlIsOddRefuses(String url) {
		assertThatExceptionOfType(EgressDeniedException.class).isThrownBy(() -> Destination.of(URI.create(url)))
			.satisfies((ex) -> assertThat(ex.getMessage()).startsWith("The destination")
				.doesNotContain("someone")
				.doesNotContain("secret"));
	}

	@ParameterizedTest
	@CsvSource({ "bücher.example, xn--bcher-kva.example", "BÜCHER.example, xn--bcher-kva.example",
			"１２７.０.０.１, 127.0.0.1", "127。0。0。1, 127.0.0.1", "ex\u00adample.org, example.org" })
	void ofHostOfPeopleIsAscii(String host, String ascii) {
		assertThat(Destination.of("https", host, 443).host()).isEqualTo(ascii);
	}

	@Test
	void sameOriginIsSchemeHostAndPort() throws EgressDeniedException {
		Destination origin = Destination.of(URI.create("https://a.example/x"));
		assertThat(origin.isSameOrigin(Destination.of(URI.create("https://A.example:443/y")))).isTrue();
		assertThat(origin.isSameOrigin(Destination.of(URI.create("http://a.example:443/y")))).isFalse();
		assertThat(origin.isSameOrigin(Destination.of(URI.create("https://a.example:444/y")))).isFalse();
		assertThat(origin.isSameOrigin(Destination.of(URI.create("https://b.example/y")))).isFalse();
		assertThat(origin.isSecure()).isTrue();
	}

}
