package io.psych.sandbox.spring.autoconfigure;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCapability;
import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolGateway;
import io.psych.sandbox.tool.ToolReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static io.psych.sandbox.spring.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real programs that call the skills of an agent on the SDK's server, in both versions of
 * the protocol.
 */
@Tag("once")
@Timeout(180)
class A2aSkillsTests {

	private static final String[] SKILLS = { "answer-at-once", "greet", "make-files", "ask-back", "sign-in", "fail",
			"reject", "throw", "work-forever", "die" };

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxHttpAutoConfiguration.class,
				SandboxA2aAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES)
		.withPropertyValues("psych.sandbox.limits.wall-time=60s", "psych.sandbox.limits.tool-timeout=30s");

	@ParameterizedTest
	@ValueSource(strings = { "1.0", "0.3" })
	void programCallsEverySkill(String version) throws Exception {
		run(version, (context, server) -> {
			assertThat(names(context)).containsExactly(SKILLS);
			RunResult result = program(context, """
					outcomes = {"greet": await greet(message="Ada")}
					for name in ("answer-at-once", "make-files", "ask-back", "sign-in", "fail", "reject"):
					    try:
					        outcomes[name] = await call_tool(name, {"message": "x", "data": {"n": 1}})
					    except ToolError as error:
					        outcomes[name] = [error.kind, str(error)]
					outcomes
					""");
			assertThat(result.failure()).isNull();
			JsonValue outcomes = result.value();
			JsonValue greeting = outcomes.member("greet");
			assertThat(greeting.string("state")).isEqualTo("completed");
			assertThat(greeting.string("text")).isEqualTo("Hello World! You said: 'Ada'.");
			assertThat(greeting.string("contextId")).isNotEmpty();
			assertThat(greeting.string("taskId")).isNotEmpty();
			assertThat(greeting.member("artifacts")).isEqualTo(JsonValue.parse("""
					[{"id": "Result", "name": "Result", "description": "What came of it",
					  "parts": [{"text": "Hello World! You said: 'Ada'."}]}]"""));
			JsonValue answer = outcomes.member("answer-at-once");
			assertThat(answer.string("text")).isEqualTo("You said: x");
			assertThat(answer.member("data")).isEqualTo(JsonValue.parse("{\"received\": {\"n\": 1}}"));
			assertThat(answer.members()).containsKey("contextId").doesNotContainKey("taskId");
			JsonValue files = outcomes.member("make-files");
			assertThat(files.string("text")).isEqualTo("Two files");
			assertThat(files.member("artifacts").toJson()).contains("\"base64\":\"AAEC\"")
				.contains("\"mediaType\":\"application/octet-stream\"")
				.contains("\"url\":\"https://files.example.org/a\"")
				.contains("{\"data\":[1,2]}");
			assertThat(outcome(outcomes, "ask-back")).startsWith("[\"approval_required\"").contains("For which day?");
			assertThat(outcome(outcomes, "sign-in")).startsWith("[\"approval_required\"").contains("auth-required");
			assertThat(outcome(outcomes, "fail")).startsWith("[\"tool_error\"").contains("The disk is full");
			assertThat(outcome(outcomes, "reject")).startsWith("[\"tool_error\"").contains("I do not do that");
			assertThat(states(result, CallState.DONE)).containsExactly("greet", "answer-at-once", "make-files");
			assertThat(states(result, CallState.UNKNOWN)).containsExactly("ask-back", "sign-in");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "1.0", "0.3" })
	void skillThatAskedIsRefusedBeforeItRunsAndGoesOnWhenItIsCalledDirectly(String version) throws Exception {
		String program = """
				try:
				    await call_tool("ask-back", {"message": "A room"})
				except ToolError as error:
				    caught = [error.kind, str(error)]
				caught
				""";
		run(version, (context, server) -> {
			RunResult first = program(context, program);
			assertThat(first.value().toJson()).startsWith("[\"approval_required\"").contains("Call the tool directly");
			assertThat(first.calls()).extracting(CallRecord::state).containsExactly(CallState.UNKNOWN);
			await().untilAsserted(() -> assertThat(server.methods()).last().isIn("tasks/cancel", "CancelTask"));
			List<String> before = server.methods();
			RunResult second = program(context, program);
			assertThat(second.value().toJson()).startsWith("[\"approval_required\"").contains("suspends-the-run");
			assertThat(second.calls()).extracting(CallRecord::state).containsExactly(CallState.REFUSED);
			assertThat(server.methods()).isEqualTo(before);
			assertThat(context.getBean(ToolGateway.class).report(Scope.NONE).entries()).contains(new ToolReport.Entry(
					"ask-back", "a2a:agent", ToolReport.Reach.DIRECT_ONLY, ToolCapability.SUSPENDS_THE_RUN.id()));
			JsonValue question = direct(context, "ask-back", Map.of("message", "A room"));
			assertThat(question.string("state")).isEqualTo("input-required");
			assertThat(question.string("text")).isEqualTo("For which day?");
			JsonValue answer = direct(context, "ask-back", Map.of("message", "Monday", "taskId",
					question.string("taskId"), "contextId", question.string("contextId")));
			assertThat(answer.string("state")).isEqualTo("completed");
			assertThat(answer.string("text")).isEqualTo("Booked for Monday");
		});
	}

	// Version 0.3.14 of the SDK answers with a task that its store does not know.
	@Test
	void taskOfAnAgentThatThrowsIsAnError() throws Exception {
		run("1.0", (context, server) -> {
			RunResult result = program(context, """
					try:
					    await call_tool("throw", {"message": "x"})
					except ToolError as error:
					    caught = [error.kind, str(error)]
					caught
					""");
			assertThat(result.value().toJson()).startsWith("[\"tool_error\"").contains("a bug of the agent");
		});
	}

	@Test
	void programCannotAnswerForAPerson() throws Exception {
		run("1.0", (context, server) -> {
			JsonValue question = direct(context, "ask-back", Map.of("message", "A room"));
			List<String> before = server.methods();
			RunResult result = program(context, """
					try:
					    await call_tool("ask-back", {"message": "Monday", "taskId": "%s"})
					except ToolError as error:
					    caught = [error.kind, str(error)]
					caught
					""".formatted(question.string("taskId")));
			assertThat(result.value().toJson()).startsWith("[\"bad_arguments\"").contains("taskId is not for programs");
			assertThat(server.methods()).isEqualTo(before);
		});
	}

	@Test
	void credentialIsSentWithEachRequestOfACall() throws Exception {
		run("1.0", (context, server) -> {
			assertThat(program(context, "(await greet(message='x'))['state']").value())
				.isEqualTo(JsonValue.of("completed"));
			assertThat(server.methods()).contains("SendMessage", "GetTask");
			assertThat(server.authorizations()).containsOnly("Bearer t0ken");
		}, "psych.sandbox.tools.a2a.agent.credential=agent", "psych.sandbox.credentials.agent.value=Bearer t0ken");
	}

	@Test
	void skillThatIsDeclaredToSuspendIsNeverSentToByPrograms() throws Exception {
		run("1.0", (context, server) -> {
			RunResult result = program(context, "await greet(message='x')");
			assertThat(result.failure().message()).contains("suspends-the-run");
			assertThat(server.methods()).isEmpty();
			assertThat(direct(context, "greet", Map.of("message", "x")).string("state")).isEqualTo("completed");
		}, "psych.sandbox.tools.capabilities.greet=suspends-the-run");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1.0", "0.3" })
	void callThatTakesTooLongIsCancelledAtThePeer(String version) throws Exception {
		run(version, (context, server) -> {
			RunResult result = program(context, """
					try:
					    await call_tool("work-forever", {"message": "x"})
					except ToolError as error:
					    caught = error.kind
					caught
					""");
			assertThat(result.value()).isEqualTo(JsonValue.of("timed_out"));
			assertThat(result.calls()).extracting(CallRecord::state).containsExactly(CallState.UNKNOWN);
			await().untilAsserted(() -> assertThat(server.cancelled()).hasSize(1));
		}, "psych.sandbox.limits.tool-timeout=5s");
	}

	@Test
	void directCallThatTakesTooLongIsCancelledAtThePeer() throws Exception {
		run("1.0", (context, server) -> {
			CallOutcome outcome = call(context, "work-forever", Map.of("message", "x"));
			assertThat(outcome).isInstanceOfSatisfying(CallOutcome.Failed.class, (failed) -> {
				assertThat(failed.kind()).isEqualTo(ToolFailureKind.TIMED_OUT);
				assertThat(failed.message()).contains("PT3S");
			});
			await().untilAsserted(() -> assertThat(server.cancelled()).hasSize(1));
		}, "psych.sandbox.tools.a2a.agent.timeout=3s");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1.0", "0.3" })
	void executionThatIsCancelledCancelsItsTasks(String version) throws Exception {
		run(version, (context, server) -> {
			Cancellation cancellation = new Cancellation();
			CompletableFuture<RunResult> running = CompletableFuture
				.supplyAsync(() -> context.getBean(Sandbox.class).run(RunRequest.of("""
						import asyncio

						await asyncio.gather(*(call_tool("work-forever", {"message": "x"}) for n in range(3)))
						"""), cancellation));
			await().untilAsserted(() -> assertThat(new HashSet<>(server.polled())).hasSize(3));
			cancellation.cancel();
			RunResult result = running.orTimeout(60, TimeUnit.SECONDS).join();
			assertThat(result.failure().kind()).isEqualTo(FailureKind.CANCELLED);
			assertThat(result.calls()).extracting(CallRecord::state).containsOnly(CallState.UNKNOWN);
			await().untilAsserted(() -> assertThat(server.cancelled()).hasSize(3).doesNotHaveDuplicates());
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "1.0", "0.3" })
	void peerThatDiesMakesTheCallUnreachableAndKeepsItsSkills(String version) throws Exception {
		run(version, (context, server) -> {
			String program = """
					kinds = []
					for name in ("die", "greet"):
					    try:
					        await call_tool(name, {"message": "x"})
					    except ToolError as error:
					        kinds.append(error.kind)
					kinds
					""";
			RunResult result = program(context, program);
			assertThat(result.value()).isEqualTo(JsonValue.parse("[\"unreachable\", \"unreachable\"]"));
			assertThat(result.calls()).extracting(CallRecord::state)
				.containsExactly(CallState.UNKNOWN, CallState.FAILED);
			await().until(() -> !server.isAlive());
			assertThat(names(context)).containsExactly(SKILLS);
			assertThat(program(context, program).value())
				.isEqualTo(JsonValue.parse("[\"unreachable\", \"unreachable\"]"));
		}, "psych.sandbox.tools.a2a.agent.card-max-age=0s");
	}

	@Test
	void peerThatMayNotBeConnectedToHasNoSkills() throws Exception {
		try (A2aPeerServer server = A2aPeerServer.start("1.0")) {
			this.runner.withPropertyValues("psych.sandbox.tools.a2a.agent.url=" + server.url())
				.run((context) -> assertThat(names(context)).isEmpty());
		}
	}

	@Test
	void skillsOfTwoPeersAreNamedByTheirPeers() throws Exception {
		try (A2aPeerServer one = A2aPeerServer.start("1.0"); A2aPeerServer two = A2aPeerServer.start("0.3")) {
			this.runner.withPropertyValues(one.properties("new-agent", 0))
				.withPropertyValues(two.properties("old", 1))
				.run((context) -> {
					assertThat(names(context)).hasSize(2 * SKILLS.length).contains("new_agent_greet", "old_greet");
					RunResult result = program(context,
							"[(await new_agent_greet(message='1'))['text'], (await old_greet(message='2'))['text']]");
					assertThat(result.value().toJson()).contains("said: '1'").contains("said: '2'");
				});
		}
	}

	private void run(String version, Body test, String... properties) throws Exception {
		A2aPeerServer server = A2aPeerServer.start(version);
		try (server) {
			this.runner.withPropertyValues(server.properties("agent", 0))
				.withPropertyValues(properties)
				.run((context) -> {
					assertThat(context).hasNotFailed();
					test.accept(context, server);
				});
		}
		assertThat(server.isAlive()).isFalse();
	}

	private static RunResult program(ApplicationContext context, String program) {
		return context.getBean(RunCodeTool.class).run(RunRequest.of(program));
	}

	private static CallOutcome call(ApplicationContext context, String tool, Map<String, Object> arguments) {
		return context.getBean(ToolGateway.class).call(tool, JsonValue.of(arguments), Scope.NONE, Map.of());
	}

	private static JsonValue direct(ApplicationContext context, String tool, Map<String, Object> arguments) {
		CallOutcome outcome = call(context, tool, arguments);
		assertThat(outcome).isInstanceOf(CallOutcome.Value.class);
		return ((CallOutcome.Value) outcome).value();
	}

	private static List<String> names(ApplicationContext context) {
		return context.getBean(ToolCatalog.class).tools(Scope.NONE).stream().map(HostTool::name).toList();
	}

	private static List<String> states(RunResult result, CallState state) {
		List<String> names = new ArrayList<>();
		result.calls().stream().filter((call) -> call.state() == state).forEach((call) -> names.add(call.name()));
		return names;
	}

	private static String outcome(JsonValue outcomes, String name) {
		return outcomes.member(name).toJson();
	}

	/**
	 * A test with an application and its peer.
	 */
	@FunctionalInterface
	private interface Body {

		void accept(ApplicationContext context, A2aPeerServer server);

	}

}
