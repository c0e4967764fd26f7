package io.psych.sandbox.spring.autoconfigure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.observation.ObservationRegistry;
import io.psych.sandbox.UnknownSpecException;
import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.runlog.RunEvent;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.spring.ScopeResolver;
import io.psych.sandbox.spring.springai.AgentToolCallbacks;
import io.psych.sandbox.tool.ToolApproval;
import io.psych.sandbox.tool.ToolCall;
import io.psych.sandbox.tool.ToolDecision;
import io.psych.sandbox.tool.ToolPolicy;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * One conversation of a model with an application, through Spring AI's own loop: a direct
 * call, a program, a withdrawal, a refusal, an approval.
 */
class ScriptedConversationTests {

	private static final Map<String, Object> CONTEXT = Map.of(ScopeResolver.TENANT, "acme", ScopeResolver.RUN, "run-1");

	private final List<String> asked = new CopyOnWriteArrayList<>();

	private final List<ToolCallback> offered = new CopyOnWriteArrayList<>(
			List.of(function("stock"), function("rates"), function("refund"), function("delete_order")));

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ToolCallingAutoConfiguration.class, SandboxAutoConfiguration.class,
				SandboxSpringAiAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES)
		.withBean(ToolCallbackProvider.class, () -> () -> this.offered.toArray(ToolCallback[]::new))
		.withBean(ToolPolicy.class,
				() -> (call) -> call.tool().name().equals("delete_order")
						? ToolDecision.denied("Orders are never deleted.") : ToolDecision.ALLOWED)
		.withBean(ToolApproval.class, () -> new Person());

	@Test
	void conversationOfModelAndApplication() {
		this.runner.run((context) -> {
			ScriptedModel model = new ScriptedModel();

			// A direct call
			model.says(call("stock", Map.of("sku", "A")), "There are some.");
			assertThat(turn(context, model)).isEqualTo("There are some.");
			assertThat(model.offered).containsExactlyInAnyOrder("stock", "rates", "refund", "delete_order", "run_code",
					"read_attachment");
			assertThat(model.answers).containsExactly("\"stock {\\\"sku\\\":\\\"A\\\"}\"");

			// A program that calls the same tools
			model.says(program("""
					import asyncio
					await asyncio.gather(stock(sku="A"), rates(currency="EUR"))
					"""), "Both.");
			assertThat(turn(context, model)).isEqualTo("Both.");
			assertThat(value(model))
				.isEqualTo(JsonValue.of(List.of("stock {\"sku\":\"A\"}", "rates {\"currency\":\"EUR\"}")));

			// A tool that is withdrawn between two turns is gone from both
			this.offered.removeIf((tool) -> tool.getToolDefinition().name().equals("rates"));
			model.says(program("""
					try:
					    await call_tool("rates", {"currency": "EUR"})
					except ToolError as error:
					    kind = error.kind
					[kind, "rates" in TOOLS]
					"""), "It is gone.");
			assertThat(turn(context, model)).isEqualTo("It is gone.");
			assertThat(model.offered).doesNotContain("rates");
			assertThat(value(model)).isEqualTo(JsonValue.of(List.of("not_offered", false)));

			// What policy refuses is refused both ways, with the same words
			model.says(call("delete_order", Map.of("id", 1)), program(caught("delete_order")), "It is not allowed.");
			assertThat(turn(context, model)).isEqualTo("It is not allowed.");
			assertThat(model.answers.get(0)).isEqualTo("denied: Orders are never deleted.");
			assertThat(value(model))
				.isEqualTo(JsonValue.of(List.of("denied", "delete_order: Orders are never deleted.")));

			// What needs approval is refused to a program before it runs, and asked for
			// directly
			model.says(program(caught("refund")), call("refund", Map.of("id", 7)), "Refunded.");
			assertThat(turn(context, model)).isEqualTo("Refunded.");
			assertThat(model.answers.get(0)).contains("approval_required").contains("directly");
			assertThat(this.asked).containsExactly("refund {\"id\":7}");
			assertThat(model.answers.get(1)).isEqualTo("\"refund {\\\"id\\\":7}\"");

			List<String> record = record(context);
			assertThat(record).startsWith("model stock DONE");
			// These two were asked for at once, and are accepted in either order
			assertThat(record.subList(1, 3)).containsExactlyInAnyOrder("program stock DONE", "program rates DONE");
			assertThat(record.subList(3, record.size())).containsExactly("program rates REFUSED",
					"model delete_order REFUSED", "program delete_order REFUSED", "program refund REFUSED",
					"model refund DONE");
		});
	}

	@Test
	void anAgentIsShownAndCanCallWhatItsSpecGrants() {
		this.runner
			.withPropertyValues("psych.sandbox.specs.clerk.tools=stock,refund",
					"psych.sandbox.specs.clerk.bindings=stock")
			.run((context) -> {
				ToolCallback[] agent = context.getBean(AgentToolCallbacks.class).forAgent(Scope.NONE, "clerk");
				assertThat(agent).extracting((callback) -> callback.getToolDefinition().name())
					.containsExactlyInAnyOrder("stock", "refund", "run_code", "read_attachment");
				assertThat(agent).filteredOn((callback) -> callback.getToolDefinition().name().equals("run_code"))
					.singleElement()
					.satisfies((runCode) -> assertThat(runCode.getToolDefinition().description())
						.contains("async def stock(")
						.doesNotContain("async def refund(", "async def rates("));

				ScriptedModel model = new ScriptedModel();
				Map<String, Object> clerk = new HashMap<>(CONTEXT);
				clerk.put(RunCodeTool.SPEC, "clerk");
				model.says(call("stock", Map.of("sku", "A")), call("rates", Map.of("currency", "EUR")),
						program("[name for name in TOOLS if name in ('stock', 'refund', 'rates')]"), "Done.");
				// All tools were handed to the model, the context names the agent.
				assertThat(client(context, model).prompt("Go.")
					.tools(context.getBean(AgentToolCallbacks.class), function("rates_of_its_own"))
					.toolContext(clerk)
					.call()
					.content()).isEqualTo("Done.");
				assertThat(model.answers.get(0)).isEqualTo("\"stock {\\\"sku\\\":\\\"A\\\"}\"");
				assertThat(model.answers.get(1)).isEqualTo("not_offered: No tool of that name is offered now.");
				assertThat(value(model)).isEqualTo(JsonValue.of(List.of("stock")));

				model.answers.clear();
				model.says(call("rates_of_its_own", Map.of("currency", "EUR")), "No.");
				assertThat(client(context, model).prompt("Go.")
					.tools(function("rates_of_its_own"))
					.toolContext(clerk)
					.call()
					.content()).isEqualTo("No.");
				assertThat(model.answers.get(0)).startsWith("not_offered: ");

				clerk.put(RunCodeTool.SPEC, "clark");
				model.says(call("stock", Map.of("sku", "A")), "Never said.");
				assertThatExceptionOfType(UnknownSpecException.class)
					.isThrownBy(() -> client(context, model).prompt("Go.")
						.tools(context.getBean(AgentToolCallbacks.class))
						.toolContext(clerk)
						.call()
						.content())
					.withMessageContaining("There is no Spec 'clark' (psych.sandbox.specs has [clerk])");
			});
	}

	@Test
	void callbacksThatAnApplicationHandsToTheModelItselfPassTheSamePolicy() {
		this.runner.run((context) -> {
			ScriptedModel model = new ScriptedModel();
			model.says(call("delete_order", Map.of("id", 1)), "No.");
			String answer = client(context, model).prompt("Delete it.")
				.tools(function("delete_order"))
				.toolContext(CONTEXT)
				.call()
				.content();
			assertThat(answer).isEqualTo("No.");
			assertThat(model.answers).containsExactly("denied: Orders are never deleted.");
			assertThat(record(context)).containsExactly("model delete_order REFUSED");
		});
	}

	@Test
	void toolThatIsWithdrawnWithinATurnIsNotCalledAnyMore() {
		this.runner.run((context) -> {
			ScriptedModel model = new ScriptedModel();
			model.before = () -> this.offered.clear();
			model.says(call("stock", Map.of()), "Gone.");
			assertThat(turn(context, model)).isEqualTo("Gone.");
			assertThat(model.answers.get(0)).startsWith("not_offered: ");
		});
	}

	private static String caught(String tool) {
		return """
				try:
				    await %s(id=1)
				except ToolError as error:
				    caught = [error.kind, str(error)]
				caught
				""".formatted(tool);
	}

	private static String turn(AssertableApplicationContext context, ScriptedModel model) {
		model.answers.clear();
		return client(context, model).prompt("Go on.")
			.tools(context.getBean(AgentToolCallbacks.class))
			.toolContext(CONTEXT)
			.call()
			.content();
	}

	private static ChatClient client(AssertableApplicationContext context, ScriptedModel model) {
		return ChatClient
			.builder(model, ObservationRegistry.NOOP, null, null,
					ToolCallingAdvisor.builder().toolCallingManager(context.getBean(ToolCallingManager.class)))
			.build();
	}

	private static JsonValue value(ScriptedModel model) {
		return JsonValue.parse(model.answers.get(model.answers.size() - 1)).member("value");
	}

	/** What the log says of the run, in the order in which calls were accepted. */
	private static List<String> record(AssertableApplicationContext context) {
		List<RunEvent> events = context.getBean(RunLog.class)
			.read(RunKey.of(new Scope("acme", "run-1", null), ""), 0, 100)
			.stream()
			.map(RunLog.Entry::event)
			.toList();
		List<String> told = new ArrayList<>();
		for (RunEvent event : events) {
			if (event instanceof RunEvent.CallAccepted accepted) {
				CallState state = events.stream()
					.filter(RunEvent.CallEnded.class::isInstance)
					.map(RunEvent.CallEnded.class::cast)
					.filter((ended) -> ended.call().equals(accepted.call()))
					.map(RunEvent.CallEnded::state)
					.findFirst()
					.orElseThrow();
				told.add(((accepted.origin() != CallOrigin.MODEL) ? "program " : "model ") + accepted.tool() + " "
						+ state);
			}
		}
		return told;
	}

	private static ToolCallback function(String name) {
		return FunctionToolCallback
			.<Map<String, Object>, String>builder(name, (arguments) -> name + " " + JsonValue.of(arguments).toJson())
			.description("Answers with its name and its arguments.")
			.inputType(Map.class)
			.inputSchema("{\"type\":\"object\"}")
			.build();
	}

	private static AssistantMessage.ToolCall call(String tool, Map<String, Object> arguments) {
		return new AssistantMessage.ToolCall("call-" + tool, "function", tool, JsonValue.of(arguments).toJson());
	}

	private static AssistantMessage.ToolCall program(String program) {
		return call("run_code", Map.of("program", program));
	}

	/**
	 * Approves what it is asked for.
	 */
	private final class Person implements ToolApproval {

		@Override
		public boolean isRequired(ToolCall call) {
			return call.tool().name().equals("refund");
		}

		@Override
		public ToolDecision ask(ToolCall call) {
			ScriptedConversationTests.this.asked.add(call.tool().name() + " " + call.arguments());
			return ToolDecision.ALLOWED;
		}

	}

	/**
	 * A model that says what it was told to, and keeps what it is told.
	 */
	private static final class ScriptedModel implements ChatModel {

		private final Deque<Object> script = new ArrayDeque<>();

		private final List<String> answers = new ArrayList<>();

		private List<String> offered = List.of();

		private Runnable before = () -> {
		};

		void says(Object... parts) {
			this.script.addAll(List.of(parts));
		}

		@Override
		public ChatResponse call(Prompt prompt) {
			this.offered = ((ToolCallingChatOptions) prompt.getOptions()).getToolCallbacks()
				.stream()
				.map((tool) -> tool.getToolDefinition().name())
				.toList();
			List<Message> messages = prompt.getInstructions();
			if (messages.get(messages.size() - 1) instanceof ToolResponseMessage answer) {
				answer.getResponses().forEach((response) -> this.answers.add(response.responseData()));
			}
			this.before.run();
			Object next = this.script.remove();
			AssistantMessage message = (next instanceof AssistantMessage.ToolCall call)
					? AssistantMessage.builder().content("").toolCalls(List.of(call)).build()
					: new AssistantMessage((String) next);
			return new ChatResponse(List.of(new Generation(message)));
		}

		@Override
		public ChatOptions getOptions() {
			return ToolCallingChatOptions.builder().build();
		}

	}

}
