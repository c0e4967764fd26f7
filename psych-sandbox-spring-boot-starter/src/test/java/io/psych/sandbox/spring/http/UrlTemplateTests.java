package io.psych.sandbox.spring.http;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.ToolCallException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link UrlTemplate}.
 */
class UrlTemplateTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "https://api.test/orders/{id} | {'id': 'A-1'} | https://api.test/orders/A-1",
					"https://api.test/orders/{id} | {'id': 7} | https://api.test/orders/7",
					"https://api.test/{a}-{b}/x | {'a': true, 'b': 1.5} | https://api.test/true-1.5/x",
					"https://api.test/{a}/{a} | {'a': 'x'} | https://api.test/x/x",
					"https://api.test | {} | https://api.test/", "https://api.test/ | {} | https://api.test/",
					"https://API.test:443/a/ | {} | https://api.test/a/",
					"http://api.test:8080?x=1 | {} | http://api.test:8080/?x=1",
					"https://api.test/a?b={b}&c=d | {'b': 'x y&z=1#'} | https://api.test/a?b=x%20y%26z%3D1%23&c=d",
					"https://api.test/a?b={b}&c=d | {} | https://api.test/a?c=d",
					"https://api.test/a?b={b} | {'b': null} | https://api.test/a",
					"https://api.test/a?b={b} | {'b': ['x', 2, 'y z']} | https://api.test/a?b=x&b=2&b=y%20z",
					"https://api.test/a?b={b} | {'b': []} | https://api.test/a",
					"https://api.test/a?b={b} | {'b': {'c': 1}} | https://api.test/a?b=%7B%22c%22%3A1%7D",
					"https://api.test/a?b=from-{b}-to-{c} | {'b': 1, 'c': 2} | https://api.test/a?b=from-1-to-2",
					"https://api.test/a?b=from-{b}-to-{c} | {'b': 1} | https://api.test/a",
					"https://api.test/a?b=1&b=2 | {} | https://api.test/a?b=1&b=2",
					"https://api.test/a?b | {} | https://api.test/a?b=",
					"https://api.test/a%20b/ü | {} | https://api.test/a%20b/%C3%BC",
					"https://bücher.test/ | {} | https://xn--bcher-kva.test/",
					"http://[2001:db8::1]:8080/{a} | {'a': 1} | http://[2001:db8:0:0:0:0:0:1]:8080/1" })
	void expandFillsInArguments(String template, String arguments, String url) throws ToolCallException {
		assertThat(UrlTemplate.parse(template).expand(arguments(arguments))).isEqualTo(URI.create(url));
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"',
			value = { "a/b, a%2Fb", "\"a?b#c\", a%3Fb%23c", "\"//evil.test\", %2F%2Fevil.test",
					"@evil.test, %40evil.test", "a%2e, a%252e", "a\\b, a%5Cb", "a;b=c, a%3Bb%3Dc", "..., ...", ".a, .a",
					"a.., a..", "ä, %C3%A4", "a b, a%20b", "a+b, a%2Bb", "{b}, %7Bb%7D", "~-_., ~-_." })
	void argumentInPathStaysOneSegment(String argument, String encoded) throws ToolCallException {
		URI url = UrlTemplate.parse("https://api.test/before/{a}/after?x=y").expand(arguments(Map.of("a", argument)));
		assertThat(url).hasToString("https://api.test/before/" + encoded + "/after?x=y");
		assertThat(url.getHost()).isEqualTo("api.test");
		assertThat(url.getRawPath().split("/")).hasSize(4);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "..", "../x", "x/..", "x/../y", "..\\x", "x\\..", "./x", "a/./b", "a\r\nb",
			"a\nb", "a\u0000b", "\u007f", "\u0085" })
	void argumentThatChangesSegmentsIsRefused(String argument) {
		ToolCallException failure = catchThrowableOfType(ToolCallException.class,
				() -> UrlTemplate.parse("https://api.test/before/{a}/after").expand(arguments(Map.of("a", argument))));
		assertThat(failure).hasMessageStartingWith("argument `a` ");
		assertThat(failure.kind()).isEqualTo(ToolFailureKind.BAD_ARGUMENTS);
	}

	@Test
	void argumentsThatTogetherWalkUpAreRefused() {
		for (String template : List.of("https://api.test/{a}{b}", "https://api.test/%2e{b}",
				"https://api.test/.{b}/x")) {
			assertThat(catchThrowableOfType(ToolCallException.class,
					() -> UrlTemplate.parse(template).expand(arguments(Map.of("a", ".", "b", "."))))
				.kind()).isEqualTo(ToolFailureKind.BAD_ARGUMENTS);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{'a': null}", "{'a': ['x']}", "{'a': {'b': 1}}" })
	void argumentInPathThatIsNoTextIsRefused(String arguments) {
		assertThat(catchThrowableOfType(ToolCallException.class,
				() -> UrlTemplate.parse("https://api.test/{a}").expand(arguments(arguments)))
			.kind()).isEqualTo(ToolFailureKind.BAD_ARGUMENTS);
	}

	@Test
	void lineBreaksInAQueryAreEncoded() throws ToolCallException {
		assertThat(UrlTemplate.parse("https://api.test/?a={a}").expand(arguments(Map.of("a", "x\r\nHost: evil"))))
			.hasToString("https://api.test/?a=x%0D%0AHost%3A%20evil");
	}

	@Test
	void argumentThatMakesTheUrlTooLongIsNamed() {
		ToolCallException failure = catchThrowableOfType(ToolCallException.class,
				() -> UrlTemplate.parse("https://api.test/{a}?b={b}")
					.expand(arguments(Map.of("a", "x", "b", "y".repeat(9000)))));
		assertThat(failure).hasMessageStartingWith("argument `b` makes a URL of 90");
	}

	@Test
	void withQueryAddsParameters() throws ToolCallException {
		Map<String, TextTemplate> parameters = new LinkedHashMap<>();
		parameters.put("per_page", TextTemplate.parse("{n}"));
		parameters.put("a b", TextTemplate.parse("fixed & {{braces}}"));
		UrlTemplate template = UrlTemplate.parse("https://api.test/?x=1").withQuery(parameters);
		assertThat(template.expand(arguments("{'n': 50}")))
			.hasToString("https://api.test/?x=1&per_page=50&a%20b=fixed%20%26%20%7Bbraces%7D");
		assertThat(template.queryArguments()).containsExactly("n");
		assertThat(template.pathArguments()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "orders/{id}", "/orders", "ftp://api.test/", "file:///etc/passwd", "https://",
			"https:///x", "https://user@api.test/", "https://user:secret@api.test/", "https://{host}/",
			"{scheme}://api.test/", "https://{tenant}.api.test/", "https://api.{tenant}/", "https://api.test{x}/",
			"https://api.test:{port}/", "https://api.test:8080{x}", "https://api.test#x", "https://api.test/a#b",
			"https://api.test/{a}#{b}", "https://api.test/a b", "https://api.test/a/../b", "https://api.test/./b",
			"https://api.test/%2e%2e/b", "https://api.test/{a", "https://api.test/a}", "https://api.test/{}",
			"https://api.test/{a{b}}", "https://api.test/?{a}=b", "https://api.test/?=b", "https://api.test/?a&&b",
			"https://api.test/%zz", "https://api.test:0/", "https://api.test:70000/", "https://my_service/",
			"https://127.1/", "https://0x7f.1/", "https://api.test\\@evil.test/", "https://api.test/a{{b}}" })
	void parseWhenTextIsNoTemplateRefuses(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> UrlTemplate.parse(text))
			.satisfies((ex) -> assertThat(ex.getMessage()).matches("(has|is) .*").doesNotContain("secret"));
	}

	private static CallArguments arguments(String json) {
		return new CallArguments(JsonValue.parse(json.replace('\'', '"')));
	}

	private static CallArguments arguments(Map<String, ?> arguments) {
		return new CallArguments(JsonValue.of(arguments));
	}

}
