package io.psych.sandbox.spring.http;

import java.net.ProxySelector;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;
import io.psych.sandbox.tool.ToolCapability;
import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolGateway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link HttpTools} and the tools they make, with a real server on loopback.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class HttpToolTests {

	private static final String SECRET = "s3cr3t-t0ken-value";

	private static final String SCHEMA = """
			type: object
			properties:
			  id: {type: string}
			  note: {type: string}
			  tags: {type: array, items: {type: string}}
			  count: {type: [integer, "null"]}
			required: [id]
			additionalProperties: false
			""";

	private final EgressHttpClient client = new EgressHttpClient(EgressHttpClientTests.loopback(),
			ProxySelector.of(null), null, EgressHttpClient.CONNECT_TIMEOUT);

	private final Map<String, CredentialResolver> credentials = new LinkedHashMap<>();

	@AfterEach
	void close() {
		this.client.close();
	}

	@Test
	void toolIsWhatIsDeclared() {
		HostTool tool = tool("get_order", "description=One order.", "url=http://127.0.0.1:1/orders/{id}?note={note}",
				"query.tags={tags}", "headers.X-Count={count}", "input-schema=" + SCHEMA,
				"output-schema={\"type\": \"object\"}", "capabilities=asks-a-person");
		assertThat(tool.name()).isEqualTo("get_order");
		assertThat(tool.description()).isEqualTo("One order.");
		assertThat(tool.inputSchema().strings("required")).containsExactly("id");
		assertThat(tool.outputSchema()).isEqualTo(JsonValue.parse("{\"type\": \"object\"}"));
		assertThat(tool.origin()).isEqualTo("psych.sandbox.tools.http.get_order");
		assertThat(tool.capabilities()).isEqualTo(Set.of(ToolCapability.ASKS_A_PERSON));
		assertThat(tool.destinations(JsonValue.parse("{\"id\": \"a/b\", \"tags\": [\"x\", \"y\"]}")))
			.containsExactly(URI.create("http://127.0.0.1:1/orders/a%2Fb?tags=x&tags=y"));
		assertThat(tool.destinations(JsonValue.parse("{\"id\": \"..\"}")))
			.containsExactly(URI.create("http://127.0.0.1:1"));
	}

	@Test
	void toolWithoutArgumentsTakesNone() {
		HostTool tool = tool("ping", "description=Ping.", "url=http://127.0.0.1:1/");
		assertThat(tool.inputSchema().member("additionalProperties")).isEqualTo(JsonValue.of(false));
		assertThat(tool.outputSchema()).isNull();
	}

	@Test
	void schemaAndBodyMayBeInResources(@TempDir Path folder) throws Exception {
		Path schema = Files.writeString(folder.resolve("schema.yaml"), SCHEMA);
		Path body = Files.writeString(folder.resolve("body.json"), "{\"all\": [\"{id}\", \"{tags}\", \"{count}\"]}");
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 204, null, ""))) {
			HostTool tool = tool("post", "description=Post.", "method=post", "url=" + server.uri("/") + "{id}?n={note}",
					"input-schema=" + schema.toUri().toString().replace("file:///", "file:/"), "body=" + body.toUri());
			call(tool, "{\"id\": \"a\", \"tags\": [\"x\"]}");
			assertThat(server.only().body()).isEqualTo("{\"all\":[\"a\",[\"x\"]]}");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = {
			// Without a body in the configuration: what is in no other place
			"POST |  |  | {'id': 'a', 'note': 'b', 'count': null} | application/json | {'note':'b','count':null}",
			"PUT |  |  | {'id': 'a'} | application/json | {}",
			"POST |  | form | {'id': 'a', 'note': 'b c', 'tags': ['x', 'y&z']} | application/x-www-form-urlencoded | note=b%20c&tags=x&tags=y%26z",
			// With one
			"PATCH | {'set': {'note': '{note}', 'n': '{count}'}, 'fixed': [1, true, null], 'tags': '{tags}', 'text': 'note: {note}', 'b': '{{x}}'} |  | {'id': 'a', 'note': 'he said \"hi\"\\n', 'count': 3, 'tags': ['x']} | application/json | {'set':{'note':'he said \\'hi\\'\\n','n':3},'fixed':[1,true,null],'tags':['x'],'text':'note: he said \\'hi\\'\\n','b':'{x}'}",
			"POST | {'set': {'note': '{note}', 'n': '{count}'}, 'list': ['{tags}', 1], 'text': 'note: {note}'} |  | {'id': 'a', 'count': null} | application/json | {'set':{'n':null},'list':[1]}",
			"POST | '{note}' |  | {'id': 'a'} | application/json | null",
			"DELETE | {'note': '{note}', 'c': '{count}', 't': '{tags}'} | form | {'id': 'a', 'note': 'x', 'count': 2} | application/x-www-form-urlencoded | note=x&c=2" })
	void bodyHoldsTheArguments(String method, String body, String format, String arguments, String mediaType,
			String sent) throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 204, null, ""))) {
			List<String> properties = new ArrayList<>(List.of("description=Do.", "method=" + method,
					"url=" + server.uri("/") + "{id}", "input-schema=" + SCHEMA));
			if (body != null) {
				properties.add("body=" + body.replace('\'', '"'));
				if (!body.contains("{tags}")) {
					properties.add("query.t={tags}");
				}
				properties.add("query.other={note}{count}");
			}
			if (format != null) {
				properties.add("body-format=" + format);
			}
			assertThat(call(tool("do", properties.toArray(String[]::new)),
					arguments.replace("\"hi\"", "\\\"hi\\\"").replace('\'', '"')))
				.isEqualTo(JsonValue.NULL);
			assertThat(server.only().method()).isEqualTo(method);
			assertThat(server.only().body()).isEqualTo(sent.replace("\\'", "\\\"").replace('\'', '"'));
			assertThat(server.only().headers().getFirst("Content-Type")).startsWith(mediaType);
		}
	}

	@Test
	void requestWithoutArgumentsForABodyHasNone() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 204, null, ""))) {
			call(tool("cancel", "description=Cancel.", "method=POST", "url=" + server.uri("/cancel")), "{}");
			assertThat(server.only().body()).isEmpty();
			assertThat(server.only().headers()).doesNotContainKey("Content-type");
		}
	}

	@Test
	void headerIsFilledInOrLeftOut() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 204, null, ""))) {
			HostTool tool = tool("do", "description=Do.", "url=" + server.uri("/") + "{id}?t={tags}",
					"input-schema=" + SCHEMA, "headers.X-Note=note {note}", "headers.X-Count={count}",
					"headers.Accept=application/vnd.test+json");
			call(tool, "{\"id\": \"a\", \"note\": \"b\"}");
			assertThat(server.only().headers()).containsEntry("X-note", List.of("note b"))
				.containsEntry("Accept", List.of("application/vnd.test+json"))
				.doesNotContainKey("X-count");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\r\nX-Injected: 1", "a\nb", "a\u0000", "ä", "\u010d\u010a", "a\tb" })
	void headerCanNotBeBrokenOutOf(String note) throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 204, null, ""))) {
			HostTool tool = tool("do", "description=Do.", "url=" + server.uri("/") + "{id}?t={tags}&c={count}",
					"input-schema=" + SCHEMA, "headers.X-Note={note}");
			ToolCallException failure = failure(tool, JsonValue.of(Map.of("id", "a", "note", note)).toJson());
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.BAD_ARGUMENTS);
			assertThat(failure).hasMessageStartingWith("argument `note` has its place in a header");
			assertThat(server.requests()).isEmpty();
		}
	}

	@Test
	void argumentThatTheRequestHasNoPlaceForIsRefused() throws Exception {
		HostTool tool = tool("do", "description=Do.", "url=http://127.0.0.1:1/?a={a}",
				"input-schema={type: object, properties: {a: {type: string}}}");
		ToolCallException failure = failure(tool, "{\"a\": \"x\", \"b\": 1}");
		assertThat(failure.kind()).isEqualTo(ToolFailureKind.BAD_ARGUMENTS);
		assertThat(failure).hasMessage("argument `b` is none that do does anything with.");
	}

	@ParameterizedTest
	@MethodSource
	void answerBecomesAValue(int status, String contentType, byte[] body, String value) throws Exception {
		try (LocalServer server = LocalServer
			.start((exchange) -> LocalServer.answer(exchange, status, contentType, body))) {
			assertThat(call(tool("do", "description=Do.", "url=" + server.uri("/")), "{}"))
				.isEqualTo(JsonValue.parse(value));
		}
	}

	static Stream<Arguments> answerBecomesAValue() {
		byte[] binary = { (byte) 0xff, 0, 1 };
		return Stream.of(
				arguments(200, "application/json", utf8("{\"a\": [1, 2.50, null]}"), "{\"a\": [1, 2.50, null]}"),
				arguments(200, "application/json; charset=utf-8", utf8("\"ä\""), "\"ä\""),
				arguments(200, "application/json; charset=ISO-8859-1", new byte[] { '"', (byte) 0xe4, '"' }, "\"ä\""),
				arguments(200, "application/json", utf8("\uFEFF{}"), "{}"),
				arguments(201, "application/problem+json", utf8("true"), "true"),
				arguments(200, "APPLICATION/JSON", utf8("123456789012345678901234567890"),
						"123456789012345678901234567890"),
				arguments(204, null, new byte[0], "null"), arguments(200, "application/json", new byte[0], "null"),
				arguments(202, null, new byte[0], "null"), arguments(200, "text/plain", utf8("plain ä"), "\"plain ä\""),
				arguments(200, "text/html; charset=\"iso-8859-1\"", new byte[] { (byte) 0xe4 }, "\"ä\""),
				arguments(200, "application/atom+xml", utf8("<a/>"), "\"<a/>\""),
				arguments(200, null, utf8("{\"a\": 1}"), "\"{\\\"a\\\": 1}\""),
				arguments(200, "image/png", binary, "{\"base64\": \"/wAB\", \"mediaType\": \"image/png\"}"),
				arguments(200, "application/octet-stream", utf8("x"),
						"{\"base64\": \"eA==\", \"mediaType\": \"application/octet-stream\"}"),
				// Text that is not in the character set it says loses nothing
				arguments(200, "text/plain", binary, "{\"base64\": \"/wAB\", \"mediaType\": \"text/plain\"}"),
				arguments(200, "text/plain; charset=no-such", utf8("x"),
						"{\"base64\": \"eA==\", \"mediaType\": \"text/plain\"}"),
				arguments(200, null, binary, "{\"base64\": \"/wAB\", \"mediaType\": \"application/octet-stream\"}"));
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{", "{\"a\": 1} trailing", "{\"a\": NaN}", "<html>", "{\"a\": 1, \"a\": 2}" })
	void answerThatIsBrokenJsonIsAnErrorThatNamesTheProblem(String body) throws Exception {
		try (LocalServer server = LocalServer
			.start((exchange) -> LocalServer.answer(exchange, 200, "application/json", body))) {
			ToolCallException failure = failure(tool("do", "description=Do.", "url=" + server.uri("/")), "{}");
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.TOOL_ERROR);
			assertThat(failure).hasMessageContaining("says it is JSON, and is not: ");
		}
	}

	@Test
	void answerThatIsNestedTooDeepIsAnError() throws Exception {
		String deep = "[".repeat(100_000) + "]".repeat(100_000);
		try (LocalServer server = LocalServer
			.start((exchange) -> LocalServer.answer(exchange, 200, "application/json", deep))) {
			assertThat(failure(tool("do", "description=Do.", "url=" + server.uri("/")), "{}").kind())
				.isEqualTo(ToolFailureKind.TOOL_ERROR);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 300, 304, 400, 401, 404, 429, 500, 503 })
	void statusThatIsNoSuccessIsAnErrorWithAnExcerpt(int status) throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> {
			exchange.getResponseHeaders().add("Retry-After", "30");
			LocalServer.answer(exchange, status, "application/json",
					(status == 304) ? "" : "{\"error\": \"no\u0007 \"}" + "x".repeat(10_000));
		})) {
			ToolCallException failure = failure(tool("do", "description=Do.", "url=" + server.uri("/path?key=value")),
					"{}");
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.TOOL_ERROR);
			assertThat(failure.getMessage()).contains("was answered with status " + status)
				.contains("to be tried again after 30")
				.doesNotContain("key=value")
				.hasSizeLessThan(2_200);
			if (status != 304) {
				assertThat(failure.getMessage()).contains(": {\"error\": \"no  \"}xxx").endsWith("...");
			}
		}
	}

	@Test
	void answerThatIsTooLargeIsTold() throws Exception {
		try (LocalServer server = LocalServer
			.start((exchange) -> LocalServer.answer(exchange, 200, "text/plain", "x".repeat(2000)))) {
			HostTool tool = tool("do", "description=Do.", "url=" + server.uri("/"), "max-response-size=1KB");
			assertThat(failure(tool, "{}").kind()).isEqualTo(ToolFailureKind.RESULT_NOT_PAGED);
		}
	}

	@Test
	void credentialIsResolvedForEachRequestAndSent() throws Exception {
		List<String> asked = new ArrayList<>();
		this.credentials.put("orders", (scope, destination) -> {
			asked.add(scope.tenant() + " " + destination);
			return Credential.of("X-Api-Key", SECRET + scope.tenant());
		});
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"))) {
			HostTool tool = tool("do", "description=Do.", "url=" + server.uri("/x"), "credential=orders");
			for (String tenant : List.of("a", "b")) {
				tool.call(JsonValue.parse("{}"), new ToolCallContext(new Scope(tenant, null, null), Map.of()));
			}
			assertThat(asked).containsExactly("a " + server.uri("/x"), "b " + server.uri("/x"));
			assertThat(server.requests()).extracting((request) -> request.headers().getFirst("X-Api-Key"))
				.containsExactly(SECRET + "a", SECRET + "b");
		}
	}

	@Test
	void credentialThatCanNotBeHadLeavesNoTrace(CapturedOutput output) throws Exception {
		this.credentials.put("broken", (scope, destination) -> {
			throw new IllegalStateException("the token service answered " + SECRET);
		});
		this.credentials.put("absent", (scope, destination) -> null);
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"))) {
			for (String name : this.credentials.keySet()) {
				ToolCallException failure = failure(
						tool("do", "description=Do.", "url=" + server.uri("/x"), "credential=" + name), "{}");
				assertThat(failure.kind()).isEqualTo(ToolFailureKind.DENIED);
				assertThat(failure).hasNoCause();
				assertThat(failure.getMessage()).doesNotContain(SECRET);
			}
			assertThat(server.requests()).isEmpty();
		}
		assertThat(output).contains("The credential broken of tool do could not be had").doesNotContain(SECRET);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1970, 1980 })
	void credentialThatAServiceShowsBackIsTakenOutOfItsError(int before) throws Exception {
		this.credentials.put("orders", CredentialResolver.of(Credential.bearer(SECRET)));
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 400, "text/plain",
				"x".repeat(before) + " you sent " + exchange.getRequestHeaders().getFirst("Authorization")))) {
			ToolCallException failure = failure(
					tool("do", "description=Do.", "url=" + server.uri("/"), "credential=orders"), "{}");
			assertThat(failure.getMessage()).contains("you sent").doesNotContain(SECRET.substring(0, 3));
		}
	}

	@Test
	void gatewayDeniesADestinationBeforeTheCall() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"))) {
			HostTool tool = tool("do", "description=Do.", "url=" + server.uri("/"));
			CallOutcome allowed = gateway(tool, EgressHttpClientTests.loopback()).call("do", JsonValue.parse("{}"),
					Scope.NONE, Map.of());
			CallOutcome denied = gateway(tool, Egress.DENIED).call("do", JsonValue.parse("{}"), Scope.NONE, Map.of());
			assertThat(allowed).isEqualTo(new CallOutcome.Value(JsonValue.of("ok")));
			assertThat(denied).isInstanceOfSatisfying(CallOutcome.Failed.class,
					(failed) -> assertThat(failed.kind()).isEqualTo(ToolFailureKind.DENIED));
			assertThat(server.requests()).hasSize(1);
		}
	}

	private static ToolGateway gateway(HostTool tool, Egress egress) {
		return ToolGateway.builder(ToolCatalog.of(tool)).egress(egress).build();
	}

	@ParameterizedTest(name = "{0}: {2}")
	@MethodSource
	void createWhenToolCouldNeverWorkNamesPropertyAndFix(String property, String problem, String... properties) {
		Map<String, String> all = new LinkedHashMap<>();
		all.put("description", "Do.");
		all.put("url", "http://127.0.0.1:1/{id}?n={note}&t={tags}&c={count}");
		all.put("input-schema", SCHEMA);
		for (String pair : properties) {
			all.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
		}
		HttpToolException failure = catchThrowableOfType(HttpToolException.class,
				() -> tools("do", all.entrySet().stream().map((entry) -> entry.getKey() + "=" + entry.getValue())));
		assertThat(failure).isNotNull();
		assertThat(failure.property()).isEqualTo(property);
		assertThat(failure.problem()).contains(problem);
		assertThat(failure.fix()).endsWith(".");
		assertThat(failure.tool()).isEqualTo("do");
	}

	static Stream<Arguments> createWhenToolCouldNeverWorkNamesPropertyAndFix() {
		return Stream.of(wrong("description", "tells a model nothing", "description= "),
				wrong("method", "is no method", "method=FETCH"), wrong("method", "is no method", "method=CONNECT"),
				wrong("url", "leads nowhere", "url="), wrong("url", "is not a URL", "url=example.org"),
				wrong("url", "has an argument in its host", "url=https://{id}/"),
				wrong("url", "names the argument {other}", "url=https://api.test/{other}"),
				wrong("url", "names the argument {other}", "url=https://api.test/?a={other}"),
				wrong("url", "it may be missing", "url=https://api.test/{note}"),
				wrong("url", "it is an array", "url=https://api.test/{tags}",
						"input-schema={type: object, properties: {tags: {type: array}}, required: [tags]}"),
				wrong("url", "not public", "url=http://10.1.2.3/{id}?n={note}&t={tags}&c={count}"),
				wrong("input-schema", "go nowhere in the request: [count, tags]", "url=https://api.test/{id}?n={note}"),
				wrong("input-schema", "is neither JSON nor YAML", "input-schema=a: b: c"),
				wrong("input-schema", "is neither JSON nor YAML", "input-schema={\"type\": \"object\""),
				wrong("input-schema", "is neither JSON nor YAML", "input-schema={type: object, type: object"),
				wrong("input-schema", "has not the type object", "input-schema={}"),
				wrong("input-schema", "is not a JSON object", "input-schema=just a text"),
				wrong("input-schema", "is no JSON Schema: /properties/id/type",
						"input-schema={type: object, properties: {id: {type: strng}}}"),
				wrong("input-schema", "nothing is ever loaded from elsewhere",
						"input-schema={type: object, $ref: 'https://api.test/schema'}"),
				wrong("input-schema", "can't be read", "input-schema=classpath:no/such.json"),
				wrong("input-schema", "can't be read", "input-schema=file:/no/such.json"),
				wrong("output-schema", "is no JSON Schema", "output-schema={type: 1}"),
				wrong("query.page", "names the argument {other}", "query.page={other}"),
				wrong("query.page", "has a brace", "query.page={"),
				wrong("headers.X-A", "names the argument {other}", "headers.X-A={other}"),
				wrong("headers.Authorization", "proves who calls", "headers.Authorization=Bearer " + SECRET),
				wrong("headers.Host", "is no header, or one that the client sets itself", "headers.Host=evil.test"),
				wrong("headers.X-A", "visible ASCII", "headers.X-A=a\r\nB: c"),
				wrong("body", "a request with method GET has none", "body={}"),
				wrong("body", "names the argument {other}", "method=POST", "body={\"a\": \"{other}\"}"),
				wrong("body", "has a brace", "method=POST", "body={\"a\": \"}\"}"),
				wrong("body", "has no fields to send as a form", "method=POST", "body=[1]", "body-format=form"),
				wrong("timeout", "leaves no time", "timeout=0s"),
				wrong("max-response-size", "is nothing at all", "max-response-size=0B"),
				wrong("max-response-size", "more than is held in memory", "max-response-size=1GB"),
				wrong("credential", "names no credential there is", "credential=absent"),
				wrong("credential", "would be sent without encryption",
						"url=http://api.test/{id}?n={note}&t={tags}&c={count}", "credential=token"),
				wrong("ssl-bundle", "names no SSL bundle there is", "ssl-bundle=absent"));
	}

	private static Arguments wrong(String property, String problem, String... properties) {
		return arguments(property, problem, properties);
	}

	@Test
	void refusalShowsNoSecret() {
		HttpToolException failure = catchThrowableOfType(HttpToolException.class,
				() -> tool("do", "description=Do.", "url=http://127.0.0.1:1/", "headers.X-Api-Key=" + SECRET));
		assertThat(failure.value()).isEqualTo("******");
		assertThat(failure.getMessage()).doesNotContain(SECRET);
		HttpToolProperties properties = bind(Stream.of("headers.X-Other=" + SECRET, "query.key=" + SECRET));
		assertThat(properties.toString()).doesNotContain(SECRET);
	}

	private HostTool tool(String name, String... properties) {
		return tools(name, Stream.of(properties)).get(0);
	}

	private List<HostTool> tools(String name, Stream<String> properties) {
		CredentialResolver token = CredentialResolver.of(Credential.bearer(SECRET));
		Function<String, CredentialResolver> found = (credential) -> credential.equals("token") ? token
				: this.credentials.get(credential);
		return new HttpTools(EgressHttpClientTests.loopback(), this.client, new DefaultResourceLoader(), found, null)
			.create(Map.of(name, bind(properties)));
	}

	private static HttpToolProperties bind(Stream<String> properties) {
		Map<String, String> source = new LinkedHashMap<>();
		properties.forEach((pair) -> source.put("tool." + pair.substring(0, pair.indexOf('=')),
				pair.substring(pair.indexOf('=') + 1)));
		return new Binder(new MapConfigurationPropertySource(source)).bindOrCreate("tool",
				Bindable.of(HttpToolProperties.class));
	}

	private static JsonValue call(HostTool tool, String arguments) throws ToolCallException, InterruptedException {
		return tool.call(JsonValue.parse(arguments), new ToolCallContext(Scope.NONE, Map.of()));
	}

	private static ToolCallException failure(HostTool tool, String arguments) {
		ToolCallException failure = catchThrowableOfType(ToolCallException.class, () -> call(tool, arguments));
		assertThat(failure).as("the call fails").isNotNull();
		return failure;
	}

}
