package io.psych.sandbox.spring.autoconfigure;

import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.egress.EgressDeniedException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.spring.mcp.McpConnections;
import io.psych.sandbox.spring.mcp.McpHostTool;
import io.psych.sandbox.terms.Grant;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolDecision;
import io.psych.sandbox.tool.ToolGateway;
import io.psych.sandbox.tool.ToolPolicy;
import io.psych.sandbox.tool.ToolReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.mcp.McpToolFilter;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.mcp.client.common.autoconfigure.McpClientAutoConfiguration;
import org.springframework.ai.mcp.client.common.autoconfigure.McpToolCallbackAutoConfiguration;
import org.springframework.ai.mcp.client.common.autoconfigure.NamedClientMcpTransport;
import org.springframework.ai.mcp.client.httpclient.autoconfigure.StreamableHttpHttpClientTransportAutoConfiguration;
import org.springframework.ai.mcp.customizer.McpClientCustomizer;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static io.psych.sandbox.spring.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications with MCP servers whose tools come and go, and share names.
 */
class McpLiveToolsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxSpringAiAutoConfiguration.class,
				SandboxMcpClientAutoConfiguration.class, StreamableHttpHttpClientTransportAutoConfiguration.class,
				McpClientAutoConfiguration.class, McpToolCallbackAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES);

	@TempDir
	private Path folder;

	@ParameterizedTest
	@ValueSource(strings = { "sync", "async" })
	void toolIsCalledAddedAndWithdrawnBetweenTurns(String type) throws Exception {
		try (JavaMcpServer server = new JavaMcpServer(this.folder, "ping")) {
			connected(server, "one").withBean(Egress.class, Open::new)
				.withPropertyValues("spring.ai.mcp.client.type=" + type)
				.run((context) -> {
					RunCodeTool runCode = context.getBean(RunCodeTool.class);
					assertThat(runCode.run(RunRequest.of("await ping()")).value())
						.isEqualTo(JsonValue.of("ping of " + server.url()));
					assertThat(runCode.description()).contains("ping").doesNotContain("pong");
					server.add("pong");
					await().untilAsserted(() -> assertThat(names(context)).containsExactlyInAnyOrder("ping", "pong"));
					assertThat(runCode.run(RunRequest.of("await pong()")).value())
						.isEqualTo(JsonValue.of("pong of " + server.url()));
					server.withdraw("ping");
					await().untilAsserted(() -> assertThat(names(context)).containsExactly("pong"));
					assertThat(runCode.description()).contains("pong").doesNotContain("ping");
					RunResult gone = runCode.run(RunRequest.of("await call_tool(\"ping\", {})"));
					assertThat(gone.failure().kind()).isEqualTo(FailureKind.PROGRAM_EXCEPTION);
					assertThat(gone.calls()).extracting((call) -> call.failure())
						.containsExactly(ToolFailureKind.NOT_OFFERED);
				});
		}
	}

	@Test
	void toolsThatShareNameAreEachNamedAfterTheirConnectionAndStaySo() throws Exception {
		try (JavaMcpServer one = new JavaMcpServer(this.folder, "search", "find", "only");
				JavaMcpServer two = new JavaMcpServer(this.folder, "search")) {
			connected(connected(this.runner, one, "one"), two, "two-b").withBean(Egress.class, Open::new)
				.withBean(Local.class, Local::new)
				.run((context) -> {
					assertThat(names(context)).containsExactlyInAnyOrder("find", "one_find", "one_search", "only",
							"two_b_search");
					assertThat(context.getBean(RunCodeTool.class)
						.run(RunRequest.of("[await one_search(), await two_b_search(), await find()]"))
						.value())
						.isEqualTo(JsonValue.of(List.of("search of " + one.url(), "search of " + two.url(), "local")));
					two.withdraw("search");
					await().untilAsserted(() -> assertThat(names(context)).containsExactlyInAnyOrder("find", "one_find",
							"one_search", "only"));
					two.add("only");
					await().untilAsserted(() -> assertThat(names(context)).containsExactlyInAnyOrder("find", "one_find",
							"one_search", "one_only", "two_b_only"));
					assertThat(context.getBean(ToolGateway.class).report(Scope.NONE).entries())
						.contains(new ToolReport.Entry("two_b_only", "mcp:two-b", ToolReport.Reach.FUNCTION, null));
				});
		}
	}

	@Test
	void toolThatClaimsNameOfTheSandboxHasAnotherOne() throws Exception {
		try (JavaMcpServer server = new JavaMcpServer(this.folder, "run_code", "list_tools")) {
			connected(server, "one").run((context) -> assertThat(names(context))
				.containsExactlyInAnyOrder("one_run_code", "one_list_tools"));
		}
	}

	@Test
	void toolThatFilterOrPropertyLeavesOutIsNotOffered() throws Exception {
		try (JavaMcpServer server = new JavaMcpServer(this.folder, "ping", "pong", "pang")) {
			connected(server, "one")
				.withBean(McpToolFilter.class, () -> (connection, tool) -> !tool.name().equals("ping"))
				.withPropertyValues("psych.sandbox.tools.exclude=po*")
				.run((context) -> assertThat(names(context)).containsExactly("pang"));
		}
	}

	@Test
	void toolIsOfferedOnceThoughSpringAiProvidesItToo() throws Exception {
		try (JavaMcpServer server = new JavaMcpServer(this.folder, "ping")) {
			connected(server, "one").run((context) -> {
				assertThat(context.getBean(SyncMcpToolCallbackProvider.class).getToolCallbacks()).hasSize(1);
				assertThat(names(context)).containsExactly("ping");
			});
		}
	}

	@Test
	void policyDecidesByWhatTheServerSaysOfItsTool() throws Exception {
		ToolPolicy onlyHarmless = (call) -> (call.tool() instanceof McpHostTool tool && tool.hints().destructive())
				? ToolDecision.denied(tool.ownName() + " of " + tool.connection() + " may destroy something")
				: ToolDecision.ALLOWED;
		try (JavaMcpServer server = new JavaMcpServer(this.folder, "ping")) {
			connected(server, "one").withBean(ToolPolicy.class, () -> onlyHarmless)
				.run((context) -> assertThat(direct(context, "ping"))
					.isEqualTo(new CallOutcome.Failed(ToolFailureKind.DENIED, "ping of one may destroy something")));
		}
	}

	@Test
	void callIsDeniedWhereItsServerIsNoAllowedDestination() throws Exception {
		try (JavaMcpServer server = new JavaMcpServer(this.folder, "ping")) {
			connected(server, "one").run((context) -> {
				assertThat(direct(context, "ping")).isInstanceOfSatisfying(CallOutcome.Failed.class, (failed) -> {
					assertThat(failed.kind()).isEqualTo(ToolFailureKind.DENIED);
					assertThat(failed.message()).contains("psych.sandbox.egress");
				});
			});
		}
	}

	@Test
	void callIsDeniedWhereAddressOfItsServerIsNotAllowed() throws Exception {
		Open noLoopback = new Open() {

			@Override
			public void check(URI destination, InetAddress address) throws EgressDeniedException {
				throw new EgressDeniedException(destination, address.getHostAddress() + " is loopback");
			}

		};
		try (JavaMcpServer server = new JavaMcpServer(this.folder, "ping")) {
			connected(server, "one").withBean(Egress.class, () -> noLoopback)
				.run((context) -> assertThat(direct(context, "ping")).isInstanceOfSatisfying(CallOutcome.Failed.class,
						(failed) -> {
							assertThat(failed.kind()).isEqualTo(ToolFailureKind.DENIED);
							assertThat(failed.message()).contains("is loopback");
						}));
		}
	}

	@Test
	void destinationOfServerIsAllowedByItsConfigurationButNoAddressWithin() throws Exception {
		try (JavaMcpServer server = new JavaMcpServer(this.folder, "ping")) {
			ApplicationContextRunner withRules = connected(server, "one")
				.withConfiguration(AutoConfigurations.of(SandboxHttpAutoConfiguration.class));
			withRules.run((context) -> assertThat(direct(context, "ping"))
				.isInstanceOfSatisfying(CallOutcome.Failed.class, (failed) -> {
					assertThat(failed.kind()).isEqualTo(ToolFailureKind.DENIED);
					assertThat(failed.message()).contains("loopback").contains("allowed-addresses");
				}));
			withRules
				.withPropertyValues("psych.sandbox.egress.allow[0].destination=" + server.url(),
						"psych.sandbox.egress.allow[0].allowed-addresses=127.0.0.1,::1")
				.run((context) -> assertThat(direct(context, "ping"))
					.isEqualTo(new CallOutcome.Value(JsonValue.of("ping of " + server.url()))));
		}
	}

	@Test
	void eachCallIsCheckedByNameAndByEveryAddress() throws Exception {
		Open egress = new Open();
		try (JavaMcpServer server = new JavaMcpServer(this.folder, "ping")) {
			connected(server, "one").withBean(Egress.class, () -> egress).run((context) -> {
				assertThat(direct(context, "ping")).isInstanceOf(CallOutcome.Value.class);
				URI url = URI.create(server.url() + "/mcp");
				assertThat(egress.names).containsExactly(url);
				assertThat(egress.addresses).containsExactlyInAnyOrder(InetAddress.getAllByName("localhost"));
			});
		}
	}

	@Test
	void redirectIsNotFollowedEvenWhereTheApplicationWouldHave() throws Exception {
		try (JavaMcpServer server = new JavaMcpServer(this.folder, "ping")) {
			connected(server, "one").withUserConfiguration(FollowsRedirects.class)
				.withPropertyValues("spring.ai.mcp.client.streamable-http.connections.one.endpoint=/moved",
						"spring.ai.mcp.client.initialized=false")
				.run((context) -> {
					assertThat(context).hasNotFailed();
					assertThat(names(context)).isEmpty();
				});
		}
	}

	@Test
	void toolOverTransportOfTheApplicationIsOfferedOnceItSaysWhereItLeads() throws Exception {
		try (JavaMcpServer server = new JavaMcpServer(this.folder, "ping")) {
			McpClientTransport unplaced = HttpClientStreamableHttpTransport.builder(server.url()).build();
			this.runner.withBean(OwnTransport.class, () -> new OwnTransport(unplaced))
				.withUserConfiguration(OwnTransports.class)
				.run((context) -> assertThat(names(context)).isEmpty());
			McpClientTransport placed = McpConnections.watch("own",
					HttpClientStreamableHttpTransport.builder(server.url()).build(), URI.create(server.url()));
			this.runner.withBean(OwnTransport.class, () -> new OwnTransport(placed))
				.withUserConfiguration(OwnTransports.class)
				.run((context) -> assertThat(names(context)).containsExactly("ping"));
		}
	}

	@Test
	void serverThatIsDownLeavesTheToolsOfOthers() throws Exception {
		String down;
		try (JavaMcpServer server = new JavaMcpServer(this.folder)) {
			down = server.url();
		}
		try (JavaMcpServer up = new JavaMcpServer(this.folder, "ping")) {
			connected(up, "up")
				.withPropertyValues("spring.ai.mcp.client.streamable-http.connections.down.url=" + down,
						"spring.ai.mcp.client.initialized=false")
				.run((context) -> assertThat(names(context)).containsExactly("ping"));
		}
	}

	@Test
	void callOfServerThatIsGoneIsUnreachable() throws Exception {
		JavaMcpServer server = new JavaMcpServer(this.folder, "ping");
		try (server) {
			connected(server, "one").withBean(Egress.class, Open::new).run((context) -> {
				assertThat(direct(context, "ping")).isInstanceOf(CallOutcome.Value.class);
				HostTool ping = context.getBean(ToolCatalog.class).tools().get(0);
				server.close();
				assertThat(context.getBean(ToolGateway.class)
					.call(ping, JsonValue.parse("{}"), Scope.NONE, Grant.ALL, Map.of()))
					.isInstanceOfSatisfying(CallOutcome.Failed.class,
							(failed) -> assertThat(failed.kind()).isEqualTo(ToolFailureKind.UNREACHABLE));
			});
		}
	}

	private ApplicationContextRunner connected(JavaMcpServer server, String connection) {
		return connected(this.runner, server, connection);
	}

	private static ApplicationContextRunner connected(ApplicationContextRunner runner, JavaMcpServer server,
			String connection) {
		return runner.withPropertyValues(
				"spring.ai.mcp.client.streamable-http.connections." + connection + ".url=" + server.url());
	}

	private static List<String> names(ApplicationContext context) {
		return context.getBean(ToolCatalog.class).tools().stream().map(HostTool::name).toList();
	}

	private static CallOutcome direct(AssertableApplicationContext context, String tool) {
		return context.getBean(ToolGateway.class).call(tool, JsonValue.parse("{}"), Scope.NONE, Map.of());
	}

	/**
	 * Lets all out and notes what it was asked.
	 */
	static class Open implements Egress {

		final List<URI> names = new CopyOnWriteArrayList<>();

		final List<InetAddress> addresses = new CopyOnWriteArrayList<>();

		@Override
		public void check(URI destination) {
			this.names.add(destination);
		}

		@Override
		public void check(URI destination, InetAddress address) throws EgressDeniedException {
			this.addresses.add(address);
		}

	}

	record OwnTransport(McpClientTransport transport) {

	}

	/**
	 * A transport that the application builds itself.
	 */
	@Configuration(proxyBeanMethods = false)
	static class OwnTransports {

		@Bean
		List<NamedClientMcpTransport> transports(OwnTransport own) {
			return List.of(new NamedClientMcpTransport("own", own.transport()));
		}

	}

	static class Local {

		@Tool(name = "find", description = "Finds")
		String find() {
			return "local";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FollowsRedirects {

		@Bean
		McpClientCustomizer<HttpClientStreamableHttpTransport.Builder> follow() {
			return (name, transport) -> transport
				.customizeClient((client) -> client.followRedirects(HttpClient.Redirect.ALWAYS));
		}

	}

}
