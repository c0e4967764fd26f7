package io.psych.sandbox.spring.autoconfigure;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.spring.mcp.McpHints;
import io.psych.sandbox.spring.mcp.McpHostTool;
import io.psych.sandbox.spring.mcp.McpTools;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCapability;
import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolDecision;
import io.psych.sandbox.tool.ToolGateway;
import io.psych.sandbox.tool.ToolPolicy;
import io.psych.sandbox.tool.ToolReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import org.springframework.ai.mcp.client.common.autoconfigure.McpClientAutoConfiguration;
import org.springframework.ai.mcp.client.common.autoconfigure.McpToolCallbackAutoConfiguration;
import org.springframework.ai.mcp.client.common.autoconfigure.StdioTransportAutoConfiguration;
import org.springframework.ai.mcp.client.httpclient.autoconfigure.StreamableHttpHttpClientTransportAutoConfiguration;
import org.springframework.ai.mcp.customizer.McpClientCustomizer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static io.psych.sandbox.spring.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real programs that call the tools of the reference server, over both transports, in an
 * application that answers all that a server may ask of a client.
 */
@Tag("once")
class McpEverythingTests {

	private static final String EVERY_TOOL = """
			calls = {
			    "echo": {"message": "hello"},
			    "get-annotated-message": {"messageType": "error", "includeImage": True},
			    "get-env": {},
			    "get-resource-links": {"count": 2},
			    "get-resource-reference": {"resourceType": "Blob", "resourceId": 1},
			    "get-roots-list": {},
			    "get-structured-content": {"location": "Chicago"},
			    "get-sum": {"a": 2, "b": 3},
			    "get-tiny-image": {},
			    "gzip-file-as-resource": {"name": "a.gz", "data": "data:text/plain,abc", "outputType": "resource"},
			    "simulate-research-query": {"topic": "python"},
			    "toggle-simulated-logging": {},
			    "toggle-subscriber-updates": {},
			    "trigger-elicitation-request": {},
			    "trigger-long-running-operation": {"duration": 1, "steps": 4},
			    "trigger-sampling-request": {"prompt": "hi"},
			    "trigger-url-elicitation": {"url": "https://example.com"},
			}
			outcomes = {}
			for name, arguments in calls.items():
			    try:
			        outcomes[name] = await call_tool(name, arguments)
			    except ToolError as error:
			        outcomes[name] = "ToolError " + error.kind
			for name in ("toggle-simulated-logging", "toggle-subscriber-updates"):
			    await call_tool(name, {})
			outcomes
			""";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxSpringAiAutoConfiguration.class,
				SandboxMcpClientAutoConfiguration.class, StdioTransportAutoConfiguration.class,
				StreamableHttpHttpClientTransportAutoConfiguration.class, McpClientAutoConfiguration.class,
				McpToolCallbackAutoConfiguration.class))
		.withUserConfiguration(Answers.class)
		.withPropertyValues(TestHost.PROPERTIES)
		.withPropertyValues("psych.sandbox.limits.wall-time=90s", "psych.sandbox.limits.tool-timeout=30s",
				"spring.ai.mcp.client.request-timeout=30s");

	@ParameterizedTest
	@ValueSource(strings = { "stdio", "http" })
	void programCallsEveryTool(String transport) throws Exception {
		run(transport, (context) -> {
			RunResult result = program(context, EVERY_TOOL);
			assertThat(result.failure()).isNull();
			JsonValue outcomes = result.value();
			assertThat(outcomes.members()).containsOnlyKeys(names(context).toArray(String[]::new));
			assertThat(outcomes.string("echo")).isEqualTo("Echo: hello");
			assertThat(outcomes.member("get-structured-content")).isEqualTo(
					JsonValue.parse("{\"temperature\":36,\"conditions\":\"Light rain / drizzle\",\"humidity\":82}"));
			assertThat(outcomes.member("get-env").string("PATH")).isNotEmpty();
			assertThat(outcomes.string("get-sum")).isEqualTo("The sum of 2 and 3 is 5.");
			assertThat(block(outcomes, "get-annotated-message", 0)).isEqualTo(JsonValue.parse("""
					{"type": "text", "annotations": {"audience": ["user", "assistant"], "priority": 1.0},
					 "text": "Error: Operation failed"}"""));
			assertThat(block(outcomes, "get-annotated-message", 1).string("mimeType")).isEqualTo("image/png");
			assertThat(block(outcomes, "get-tiny-image", 1).string("data")).startsWith("iVBOR");
			assertThat(block(outcomes, "get-resource-links", 2)).isEqualTo(JsonValue.parse("""
					{"type": "resource_link", "name": "Text Resource 2", "uri": "demo://resource/dynamic/text/2",
					 "description": "Resource 2: plaintext resource", "mimeType": "text/plain"}"""));
			assertThat(block(outcomes, "get-resource-reference", 1).member("resource").string("blob")).isNotEmpty();
			assertThat(outcomes.member("gzip-file-as-resource").member("resource").string("mimeType"))
				.isEqualTo("application/gzip");
			assertThat(outcomes.string("get-roots-list")).contains("file:///nowhere");
			assertThat(outcomes.string("trigger-sampling-request")).contains("sampled");
			assertThat(outcomes.string("trigger-long-running-operation"))
				.startsWith("Long running operation completed");
			assertThat(outcomes.string("toggle-simulated-logging")).startsWith("Started");
			assertThat(outcomes.string("toggle-subscriber-updates")).startsWith("Started");
			assertThat(outcomes.string("trigger-elicitation-request")).isEqualTo("ToolError approval_required");
			assertThat(outcomes.string("trigger-url-elicitation")).isEqualTo("ToolError approval_required");
			assertThat(outcomes.string("simulate-research-query")).isEqualTo("ToolError not_offered");
			assertThat(context.getBean(Person.class).asked()).isEmpty();
			assertThat(states(result, CallState.UNKNOWN)).containsExactly("trigger-elicitation-request",
					"trigger-url-elicitation");
			assertThat(states(result, CallState.REFUSED)).containsExactly("simulate-research-query");
			assertThat(context.getBean(ToolGateway.class).report(Scope.NONE).entries()).contains(
					new ToolReport.Entry("simulate-research-query", "mcp:everything", ToolReport.Reach.EXCLUDED,
							ToolCapability.OUTLIVES_THE_EXECUTION.id()),
					new ToolReport.Entry("trigger-elicitation-request", "mcp:everything", ToolReport.Reach.DIRECT_ONLY,
							ToolCapability.ASKS_A_PERSON.id()));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "stdio", "http" })
	void toolThatAskedIsRefusedBeforeItRunsAndAsksWhenItIsCalledDirectly(String transport) throws Exception {
		String program = """
				try:
				    await call_tool("trigger-elicitation-request", {})
				except ToolError as error:
				    caught = [error.kind, str(error)]
				caught
				""";
		run(transport, (context) -> {
			RunResult first = program(context, program);
			assertThat(first.value().toJson()).startsWith("[\"approval_required\"").contains("Call the tool directly");
			assertThat(first.calls()).extracting(CallRecord::state).containsExactly(CallState.UNKNOWN);
			RunResult second = program(context, program);
			assertThat(second.value().toJson()).startsWith("[\"approval_required\"").contains("Call it directly");
			assertThat(second.calls()).extracting(CallRecord::state).containsExactly(CallState.REFUSED);
			assertThat(context.getBean(Person.class).asked()).isEmpty();
			assertThat(direct(context, "trigger-elicitation-request", "{}")).contains("User provided the requested")
				.contains("Ada");
			assertThat(direct(context, "trigger-url-elicitation", "{\"url\": \"https://example.com\"}"))
				.contains("User completed the URL elicitation flow");
			assertThat(context.getBean(Person.class).asked()).hasSize(2);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "stdio", "http" })
	void errorsOfToolsAreExceptionsAProgramCanCatch(String transport) throws Exception {
		run(transport, (context) -> {
			RunResult result = program(context, """
					caught = {}
					for name, arguments in (
					    ("get-resource-reference", {"resourceId": -1}),
					    ("get-sum", {"a": "two", "b": 3}),
					    ("trigger-url-elicitation", {"url": "https://example.com", "errorPath": True}),
					):
					    try:
					        caught[name] = await call_tool(name, arguments)
					    except ToolError as error:
					        caught[name] = [error.kind, str(error)]
					caught
					""");
			assertThat(result.failure()).isNull();
			assertThat(block(result.value(), "get-resource-reference", 0)).isEqualTo(JsonValue.of("tool_error"));
			assertThat(block(result.value(), "get-resource-reference", 1).toJson()).contains("Invalid resourceId: -1");
			assertThat(block(result.value(), "get-sum", 0)).isEqualTo(JsonValue.of("bad_arguments"));
			assertThat(block(result.value(), "trigger-url-elicitation", 0))
				.isEqualTo(JsonValue.of("approval_required"));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "stdio", "http" })
	void aHundredCallsAtOnceKeepTheirOrder(String transport) throws Exception {
		run(transport, (context) -> {
			RunResult result = program(context, """
					import asyncio

					sums = await asyncio.gather(*(call_tool("get-sum", {"a": n, "b": n}) for n in range(100)))
					sums == [f"The sum of {n} and {n} is {2 * n}." for n in range(100)]
					""");
			assertThat(result.value()).isEqualTo(JsonValue.of(true));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "stdio", "http" })
	void longOperationTellsItsProgressWhichIsNobodyElses(String transport) throws Exception {
		Logger logger = (Logger) LoggerFactory.getLogger(McpTools.class.getPackageName() + ".McpConnection");
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.list = new CopyOnWriteArrayList<>();
		log.start();
		Level before = logger.getLevel();
		logger.setLevel(Level.DEBUG);
		logger.addAppender(log);
		try {
			run(transport, (context) -> {
				RunResult result = program(context,
						"await call_tool('trigger-long-running-operation', {'duration': 2, 'steps': 4})");
				assertThat(result.value())
					.isEqualTo(JsonValue.of("Long running operation completed. Duration: 2 seconds, Steps: 4."));
				// The result may overtake what its server told before.
				await().untilAsserted(() -> assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
					.contains("MCP server everything: progress \"1\" of \"4\"",
							"MCP server everything: progress \"4\" of \"4\""));
				assertThat(context.getBean(Person.class).progress()).isEmpty();
			});
		}
		finally {
			logger.detachAppender(log);
			logger.setLevel(before);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "stdio", "http" })
	void callThatIsCutOffLeavesTheConnectionAsItWas(String transport) throws Exception {
		String program = """
				import asyncio

				await asyncio.gather(*(call_tool("trigger-long-running-operation", {"duration": 60}) for n in range(2)))
				""";
		run(transport, (context) -> {
			Cancellation cancellation = new Cancellation();
			CompletableFuture<RunResult> running = CompletableFuture
				.supplyAsync(() -> context.getBean(Sandbox.class).run(RunRequest.of(program), cancellation));
			await().until(() -> !context.getBean(Person.class).calls().isEmpty());
			cancellation.cancel();
			RunResult result = running.orTimeout(60, TimeUnit.SECONDS).join();
			assertThat(result.failure().kind()).isEqualTo(FailureKind.CANCELLED);
			assertThat(result.duration()).isLessThan(Duration.ofSeconds(30));
			assertThat(result.calls()).extracting(CallRecord::state).containsOnly(CallState.UNKNOWN);
			assertThat(program(context, "await call_tool('echo', {'message': 'still there'})").value())
				.isEqualTo(JsonValue.of("Echo: still there"));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "stdio", "http" })
	void toolsSayWhereTheyComeFromAndWhatTheirServerClaims(String transport) throws Exception {
		run(transport, (context) -> {
			McpHostTool echo = tool(context, "echo");
			assertThat(echo.origin()).isEqualTo("mcp:everything");
			assertThat(echo.hints()).isEqualTo(new McpHints(true, false, true, false));
			assertThat(tool(context, "gzip-file-as-resource").hints())
				.isEqualTo(new McpHints(false, false, true, true));
			assertThat(tool(context, "get-structured-content").outputSchema().member("properties").members())
				.containsOnlyKeys("temperature", "conditions", "humidity");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = "http")
	void directCallAsksThePersonWhileAProgramCallsTheSameServer(String transport) throws Exception {
		run(transport, (context) -> {
			CompletableFuture<RunResult> running = CompletableFuture.supplyAsync(() -> program(context,
					"await call_tool('trigger-long-running-operation', {'duration': 4, 'steps': 1})"));
			await().until(() -> !context.getBean(Person.class).calls().isEmpty());
			assertThat(direct(context, "trigger-elicitation-request", "{}")).contains("User provided the requested");
			assertThat(context.getBean(Person.class).asked()).hasSize(1);
			assertThat(running.orTimeout(60, TimeUnit.SECONDS).join().failure()).isNull();
		});
	}

	private void run(String transport, Consumer<ApplicationContext> test) throws Exception {
		if (transport.equals("stdio")) {
			List<String> command = EverythingServer.command("stdio");
			try {
				run(test, "spring.ai.mcp.client.stdio.connections.everything.command=" + command.get(0),
						"spring.ai.mcp.client.stdio.connections.everything.args="
								+ String.join(",", command.subList(1, command.size())));
			}
			finally {
				EverythingServer.awaitEndOfAllOverStdio();
			}
		}
		else {
			try (EverythingServer server = EverythingServer.http()) {
				run(test, "spring.ai.mcp.client.streamable-http.connections.everything.url=" + server.url());
			}
		}
	}

	private void run(Consumer<ApplicationContext> test, String... properties) {
		this.runner.withPropertyValues(properties).run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context);
		});
	}

	private static RunResult program(ApplicationContext context, String program) {
		return context.getBean(RunCodeTool.class).run(RunRequest.of(program));
	}

	private static String direct(ApplicationContext context, String tool, String arguments) {
		CallOutcome outcome = context.getBean(ToolGateway.class)
			.call(tool, JsonValue.parse(arguments), Scope.NONE, Map.of());
		assertThat(outcome).isInstanceOf(CallOutcome.Value.class);
		return ((CallOutcome.Value) outcome).value().toJson();
	}

	private static List<String> names(ApplicationContext context) {
		return context.getBean(ToolCatalog.class).tools().stream().map(HostTool::name).toList();
	}

	private static McpHostTool tool(ApplicationContext context, String name) {
		return context.getBean(ToolCatalog.class)
			.tools()
			.stream()
			.filter((tool) -> tool.name().equals(name))
			.map(McpHostTool.class::cast)
			.findFirst()
			.orElseThrow();
	}

	private static List<String> states(RunResult result, CallState state) {
		return result.calls().stream().filter((call) -> call.state() == state).map(CallRecord::name).toList();
	}

	private static JsonValue block(JsonValue outcomes, String tool, int index) {
		return JsonValue.of(((List<?>) outcomes.members().get(tool)).get(index));
	}

	/**
	 * A client that answers whatever a server may ask it.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Answers {

		@Bean
		Person person() {
			return new Person(new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
		}

		@Bean
		McpClientCustomizer<McpClient.SyncSpec> answers(Person person) {
			return (name, client) -> client
				.capabilities(
						McpSchema.ClientCapabilities.builder().roots(true).sampling().elicitation(true, true).build())
				.roots(McpSchema.Root.builder("file:///nowhere").name("nowhere").build())
				.sampling((request) -> McpSchema.CreateMessageResult
					.builder(McpSchema.Role.ASSISTANT, "sampled", "a model")
					.build())
				.elicitation((request) -> person.answer(request.message()))
				.urlElicitation((request) -> person.answer(request.message()))
				.progressConsumer((progress) -> person.progress().add(progress.progressToken()));
		}

		@Bean
		ToolPolicy policy(Person person) {
			return (call) -> {
				person.calls().add(call.tool().name());
				return ToolDecision.ALLOWED;
			};
		}

		@Bean
		Egress egress() {
			return new Egress() {

				@Override
				public void check(URI destination) {
				}

				@Override
				public void check(URI destination, InetAddress address) {
				}

			};
		}

	}

	/**
	 * Who answers.
	 *
	 * @param asked what was asked
	 * @param calls the calls there were
	 * @param progress the calls whose progress the application was told of
	 */
	record Person(List<String> asked, List<String> calls, List<Object> progress) {

		ElicitResult answer(String question) {
			this.asked.add(question);
			return new ElicitResult(ElicitResult.Action.ACCEPT, Map.of("name", "Ada"));
		}

	}

}
