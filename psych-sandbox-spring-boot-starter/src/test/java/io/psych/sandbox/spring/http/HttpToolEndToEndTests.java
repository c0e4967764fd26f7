package io.psych.sandbox.spring.http;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.spring.autoconfigure.SandboxAutoConfiguration;
import io.psych.sandbox.spring.autoconfigure.SandboxHttpAutoConfiguration;
import io.psych.sandbox.tool.ToolCallException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Real programs in a real sandbox that call HTTP tools of a real server, and the proxies
 * of the configuration.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class HttpToolEndToEndTests {

	private static final String SECRET = "s3cr3t-t0ken-value";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxHttpAutoConfiguration.class))
		.withPropertyValues("psych.sandbox.interpreter=" + System.getProperty("psych.python", ""),
				"psych.sandbox.allow-same-user=true");

	@ParameterizedTest
	@ValueSource(strings = { "auto", "process" })
	void programCallsAnHttpTool(String backend, CapturedOutput output) {
		try (LocalServer server = LocalServer.start((exchange) -> {
			switch (exchange.getRequestURI().getRawPath()) {
				case "/orders/A%2F7" ->
					LocalServer.answer(exchange, 200, "application/json", "{\"id\": \"A/7\", \"total\": 12.50}");
				case "/orders/away" -> LocalServer.redirect(exchange, 302, "http://169.254.169.254/latest/meta-data/");
				case "/orders/big" -> LocalServer.answer(exchange, 200, "text/plain", "x".repeat(2_000_000));
				default -> LocalServer.answer(exchange, 404, "application/json", "{\"error\": \"no such order\"}");
			}
		})) {
			this.runner.withPropertyValues("psych.sandbox.backend=" + backend)
				.withPropertyValues(tool("get_order", server.uri("/orders/") + "{id}"))
				.withPropertyValues("psych.sandbox.tools.http.get_order.credential=orders",
						"psych.sandbox.tools.http.get_order.max-response-size=1MB",
						"psych.sandbox.credentials.orders.value=Bearer " + SECRET)
				.withPropertyValues(allow(server.uri("").toString()))
				.run((context) -> {
					RunResult result = context.getBean(RunCodeTool.class).run(RunRequest.of("""
							order = await get_order(id="A/7")
							kinds = {}
							for id in ["absent", "away", "..", "big"]:
							    try:
							        await get_order(id=id)
							    except ToolError as error:
							        kinds[id] = error.kind
							        print(error)
							{"total": order["total"], "kinds": kinds}
							"""));
					assertThat(result.failure()).isNull();
					assertThat(result.value()).isEqualTo(JsonValue.parse("""
							{"total": 12.5, "kinds": {"absent": "tool_error", "away": "denied", "..": "bad_arguments",
								"big": "binding_result_not_paged"}}"""));
					assertThat(result.stdout().text()).contains("status 404: {\"error\": \"no such order\"}")
						.contains("was made and answered with a redirect, which is not followed");
					assertThat(result.calls()).extracting(CallRecord::state).contains(CallState.DONE);
					assertThat(server.requests()).hasSize(4)
						.allSatisfy((request) -> assertThat(request.headers().getFirst("Authorization"))
							.isEqualTo("Bearer " + SECRET));
					assertThat(result.toJson().toJson()).doesNotContain(SECRET);
				});
		}
		assertThat(output).doesNotContain(SECRET);
	}

	@Test
	void toolWhoseNameResolvesToLoopbackIsDenied() {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "secret"))) {
			this.runner.withPropertyValues("psych.sandbox.backend=process")
				.withPropertyValues(tool("get_order", "http://localhost:" + server.port() + "/{id}"))
				.run((context) -> {
					RunResult result = context.getBean(RunCodeTool.class).run(RunRequest.of("""
							try:
							    answer = await get_order(id="A")
							except ToolError as error:
							    answer = [error.kind, str(error)]
							answer
							"""));
					assertThat(result.value().toJson()).startsWith("[\"denied\",")
						.contains("it leads to a loopback address");
					assertThat(server.requests()).isEmpty();
				});
		}
	}

	@Test
	void proxyOfTheConfigurationIsUsed() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"));
				LocalProxy proxy = LocalProxy.to(server)) {
			this.runner
				.withPropertyValues("psych.sandbox.backend=process", "psych.sandbox.egress.allow=http://a.test",
						"psych.sandbox.egress.proxy=http://127.0.0.1:" + proxy.port())
				.run((context) -> {
					EgressHttpClient client = context.getBean(EgressHttpClient.class);
					assertThat(client.send(HttpCall.of("GET", URI.create("http://a.test/"))).status()).isEqualTo(200);
					assertThat(proxy.heads()).hasSize(1);
					assertThatExceptionOfType(ToolCallException.class)
						.isThrownBy(() -> client.send(HttpCall.of("GET", URI.create("http://b.test/"))));
					assertThat(proxy.heads()).hasSize(1);
				});
		}
	}

	@Test
	void proxyOfTheSystemPropertiesIsUsed() throws Exception {
		try (LocalServer server = LocalServer.start((exchange) -> LocalServer.answer(exchange, 200, null, "ok"));
				LocalProxy proxy = LocalProxy.to(server)) {
			withSystemProperties(Map.of("http.proxyHost", "127.0.0.1", "http.proxyPort", "" + proxy.port()),
					() -> this.runner
						.withPropertyValues("psych.sandbox.backend=process", "psych.sandbox.egress.allow=http://a.test")
						.run((context) -> {
							EgressHttpClient client = context.getBean(EgressHttpClient.class);
							assertThat(client.send(HttpCall.of("GET", URI.create("http://a.test/"))).status())
								.isEqualTo(200);
							assertThat(proxy.heads()).hasSize(1);
						}));
		}
	}

	private static void withSystemProperties(Map<String, String> properties, Runnable action) {
		Map<String, String> before = new HashMap<>();
		properties.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
		try {
			action.run();
		}
		finally {
			before.forEach((name, value) -> {
				if (value != null) {
					System.setProperty(name, value);
				}
				else {
					System.clearProperty(name);
				}
			});
		}
	}

	private static String[] tool(String name, String url) {
		return Stream
			.of("description=One order.", "url=" + url,
					"input-schema={type: object, properties: {id: {type: string}}, required: [id]}")
			.map((pair) -> "psych.sandbox.tools.http." + name + "." + pair)
			.toArray(String[]::new);
	}

	private static String[] allow(String destination) {
		return new String[] { "psych.sandbox.egress.allow[0].destination=" + destination,
				"psych.sandbox.egress.allow[0].allowed-addresses=127.0.0.1" };
	}

}
