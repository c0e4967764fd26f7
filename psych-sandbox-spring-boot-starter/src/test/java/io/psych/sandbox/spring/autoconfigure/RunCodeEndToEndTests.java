package io.psych.sandbox.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.RunCodeTool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real programs of a Spring application, on the real backends of this host.
 */
class RunCodeEndToEndTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxSpringAiAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES);

	@ParameterizedTest
	@ValueSource(strings = { "auto", "process" })
	void programJoinsTwoToolsOfTheApplication(String backend) {
		this.runner.withPropertyValues("psych.sandbox.backend=" + backend)
			.withBean(Orders.class, Orders::new)
			.withBean(Rates.class, Rates::new)
			.run((context) -> {
				RunResult result = context.getBean(RunCodeTool.class).run(RunRequest.of("""
						import asyncio

						orders, rate = await asyncio.gather(orders_of(customer="C-1"), exchange_rate(currency="EUR"))
						print(f"{len(orders)} orders")
						{"total": sum(order["total"] for order in orders) * rate}
						"""));
				assertThat(result.failure()).isNull();
				assertThat(result.stdout().text()).isEqualTo("2 orders\n");
				assertThat(result.value()).isEqualTo(JsonValue.parse("{\"total\": 60.0}"));
				assertThat(result.calls()).extracting(CallRecord::name)
					.containsExactlyInAnyOrder("orders_of", "exchange_rate");
				assertThat(result.calls()).extracting(CallRecord::state).containsOnly(CallState.DONE);
			});
	}

	@Test
	void modelCallsProgramThatCallsToolWithItsToolContext() {
		this.runner.withBean(Orders.class, Orders::new).run((context) -> {
			ToolCallback runCode = context.getBean("runCodeToolCallback", ToolCallback.class);
			String answer = runCode.call(JsonValue.of(Map.of("program", "await whose_tenant()")).toJson(),
					new ToolContext(Map.of("tenant", "acme")));
			assertThat(JsonValue.parse(answer).string("value")).isEqualTo("acme");
			assertThat(runCode.getToolDefinition().description()).contains("orders_of").contains("whose_tenant");
		});
	}

	@Test
	void programCatchesErrorOfTool() {
		this.runner.withBean(Orders.class, Orders::new).run((context) -> {
			RunResult result = context.getBean(RunCodeTool.class).run(RunRequest.of("""
					try:
					    await orders_of(customer="C-404")
					except ToolError as error:
					    caught = [error.kind, str(error)]
					caught
					"""));
			assertThat(result.failure()).isNull();
			assertThat(result.value().toJson()).startsWith("[\"tool_error\",").contains("no customer C-404");
		});
	}

	@Test
	void toolThatIsWithdrawnBetweenExecutionsIsGone() {
		List<ToolCallback> offered = new CopyOnWriteArrayList<>(List.of(function("ping"), function("pong")));
		ToolCallbackProvider provider = () -> offered.toArray(ToolCallback[]::new);
		this.runner.withBean(ToolCallbackProvider.class, () -> provider).run((context) -> {
			RunCodeTool tool = context.getBean(RunCodeTool.class);
			RunRequest request = RunRequest.of("await call_tool(\"ping\", {\"text\": \"hello\"})");
			assertThat(tool.run(request).value()).isEqualTo(JsonValue.of("ping hello"));
			assertThat(tool.description()).contains("ping");
			offered.remove(0);
			assertThat(tool.description()).doesNotContain("ping");
			RunResult result = tool.run(request);
			assertThat(result.failure().kind()).isEqualTo(FailureKind.PROGRAM_EXCEPTION);
			assertThat(result.failure().traceback()).contains("ToolError");
			assertThat(result.calls()).extracting(CallRecord::state).containsExactly(CallState.REFUSED);
		});
	}

	@Test
	void toolThatIsExcludedIsNotOffered() {
		this.runner.withBean(Orders.class, Orders::new)
			.withBean(Rates.class, Rates::new)
			.withPropertyValues("psych.sandbox.tools.include=orders_*,exchange_*", "psych.sandbox.tools.exclude=*_rate")
			.run((context) -> {
				RunResult result = context.getBean(RunCodeTool.class).run(RunRequest.of("sorted(TOOLS)"));
				assertThat(result.value())
					.isEqualTo(JsonValue.of(List.of("get_tool_info", "list_tools", "orders_of", "read_tool_output")));
			});
	}

	@Test
	void profileGivesItsLimits() {
		this.runner.withPropertyValues("psych.sandbox.profiles.tiny.value=1KB").run((context) -> {
			RunRequest request = RunRequest.of("'x' * 2000");
			assertThat(context.getBean(RunCodeTool.class).run(request).failure()).isNull();
			assertThat(context.getBean(RunCodeTool.class).run(request.withProfile("tiny")).failure().kind())
				.isEqualTo(FailureKind.OUTPUT_LIMIT);
		});
	}

	@Test
	void programCallsHostToolWithoutSpringAi() {
		List<JsonValue> seen = new ArrayList<>();
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.ai"))
			.withBean(FixedTool.class, () -> new FixedTool("note", (arguments) -> {
				seen.add(arguments);
				return JsonValue.of(seen.size());
			}))
			.run((context) -> {
				String answer = context.getBean(RunCodeTool.class)
					.call("{\"program\": \"await note(text='one') + await note(text='two')\"}", Map.of());
				assertThat(JsonValue.parse(answer).integer("value")).isEqualTo(3);
				assertThat(seen).containsExactly(JsonValue.of(Map.of("text", "one")),
						JsonValue.of(Map.of("text", "two")));
			});
	}

	private static ToolCallback function(String name) {
		return FunctionToolCallback.builder(name, (Text input) -> name + " " + input.text())
			.description("Answers " + name)
			.inputType(Text.class)
			.build();
	}

	record Text(String text) {

	}

	record Order(String id, double total) {

	}

	static class Orders {

		@Tool(name = "orders_of", description = "The orders of a customer")
		List<Order> find(String customer) {
			if (!"C-1".equals(customer)) {
				throw new IllegalArgumentException("no customer " + customer);
			}
			return List.of(new Order("A-1", 10), new Order("A-2", 20));
		}

		@Tool(name = "whose_tenant", description = "The tenant of the caller")
		String tenant(ToolContext context) {
			return (String) context.getContext().get("tenant");
		}

	}

	static class Rates {

		@Tool(name = "exchange_rate", description = "The rate of a currency")
		double rate(String currency) {
			return "EUR".equals(currency) ? 2 : 1;
		}

	}

}
