package io.psych.sandbox.spring.springai;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.DefaultToolExecutionExceptionProcessor;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.execution.ToolExecutionExceptionProcessor;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ToolCallbackTool}.
 */
class ToolCallbackToolTests {

	private static final ToolCallContext NO_CONTEXT = new ToolCallContext(Scope.NONE, Map.of());

	@Test
	void describesItselfAsTheCallbackDoes() {
		ToolCallbackTool tool = tool("echo");
		assertThat(tool.name()).isEqualTo("echo");
		assertThat(tool.description()).isEqualTo("Say it back");
		assertThat(tool.inputSchema().member("properties").members()).containsOnlyKeys("text");
		assertThat(tool.outputSchema()).isNull();
	}

	@Test
	void inputSchemaWhenBrokenAcceptsAnyObject() {
		assertThat(answering("1", "{nope").inputSchema()).isEqualTo(JsonValue.of(Map.of("type", "object")));
		assertThat(answering("1", "true").inputSchema()).isEqualTo(JsonValue.of(Map.of("type", "object")));
	}

	@Test
	void callDecodesStringResult() throws Exception {
		assertThat(call("echo", Map.of("text", "plain 1"))).isEqualTo(JsonValue.of("plain 1"));
	}

	@Test
	void callDecodesRecordAndListResults() throws Exception {
		assertThat(call("order", Map.of())).isEqualTo(JsonValue.parse("{\"id\":\"A-1\",\"total\":12.5}"));
		assertThat(call("numbers", Map.of())).isEqualTo(JsonValue.parse("[1,2,3]"));
	}

	@Test
	void callOfVoidMethodAnswersWhatTheModelWouldSee() throws Exception {
		assertThat(call("nothing", Map.of())).isEqualTo(JsonValue.of("Done"));
	}

	@Test
	void callWhenAnswerIsNotJsonFallsBackToText() throws Exception {
		assertThat(answering("12 apples", "{}").call(JsonValue.of(Map.of()), NO_CONTEXT))
			.isEqualTo(JsonValue.of("12 apples"));
		assertThat(answering(null, "{}").call(JsonValue.of(Map.of()), NO_CONTEXT)).isEqualTo(JsonValue.NULL);
	}

	@Test
	void callWithoutArgumentsSendsAnEmptyObject() throws Exception {
		ToolCallback callback = mock(ToolCallback.class);
		given(callback.getToolDefinition()).willReturn(definition("{}"));
		given(callback.call("{}", null)).willReturn("\"got it\"");
		assertThat(new ToolCallbackTool(callback, errors(false)).call(JsonValue.of(Map.of()), NO_CONTEXT))
			.isEqualTo(JsonValue.of("got it"));
	}

	@Test
	void callForwardsToolContextOfRunCode() throws Exception {
		ToolCallContext context = new ToolCallContext(Scope.NONE,
				Map.of(RunCodeToolCallback.TOOL_CONTEXT, new ToolContext(Map.of("tenant", "acme"))));
		assertThat(tool("tenant").call(JsonValue.of(Map.of()), context)).isEqualTo(JsonValue.of("acme"));
	}

	@Test
	void callWhenRunCodeHadNoToolContextHasNone() {
		assertThatIllegalArgumentException().isThrownBy(() -> call("tenant", Map.of()))
			.withMessageContaining("ToolContext is required");
	}

	@Test
	void callWhenToolThrowsIsToolErrorWithItsMessage() {
		assertThatExceptionOfType(ToolCallException.class).isThrownBy(() -> call("refuse", Map.of()))
			.withMessage("no such order")
			.withCauseInstanceOf(IllegalStateException.class)
			.satisfies((ex) -> assertThat(ex.kind()).isEqualTo(ToolFailureKind.TOOL_ERROR));
	}

	@Test
	void callWhenApplicationWantsErrorsThrownLetsThemPass() {
		assertThatExceptionOfType(ToolExecutionException.class).isThrownBy(
				() -> new ToolCallbackTool(callback("refuse"), errors(true)).call(JsonValue.of(Map.of()), NO_CONTEXT));
	}

	@Test
	void callWhenToolThrowsCheckedExceptionLetsItPass() {
		assertThatExceptionOfType(ToolExecutionException.class).isThrownBy(() -> call("disconnect", Map.of()))
			.withCauseInstanceOf(IOException.class);
	}

	@Test
	void callWhenToolThrowsErrorLetsItPass() {
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> call("overflow", Map.of()));
	}

	@Test
	void callWhenToolIsInterruptedIsInterrupted() {
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> call("interrupted", Map.of()));
	}

	private static JsonValue call(String name, Map<String, Object> arguments) throws Exception {
		return tool(name).call(JsonValue.of(new LinkedHashMap<>(arguments)), NO_CONTEXT);
	}

	private static ToolCallbackTool tool(String name) {
		return new ToolCallbackTool(callback(name), errors(false));
	}

	private static ToolCallback callback(String name) {
		ToolCallback[] callbacks = MethodToolCallbackProvider.builder()
			.toolObjects(new Tools())
			.build()
			.getToolCallbacks();
		return List.of(callbacks)
			.stream()
			.filter((callback) -> callback.getToolDefinition().name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	private static ToolCallbackTool answering(String answer, String schema) {
		ToolCallback callback = mock(ToolCallback.class);
		given(callback.getToolDefinition()).willReturn(definition(schema));
		given(callback.call(any(), any())).willReturn(answer);
		return new ToolCallbackTool(callback, errors(false));
	}

	private static ToolDefinition definition(String schema) {
		return ToolDefinition.builder().name("fixed").description("Always the same").inputSchema(schema).build();
	}

	private static ToolExecutionExceptionProcessor errors(boolean alwaysThrow) {
		return DefaultToolExecutionExceptionProcessor.builder().alwaysThrow(alwaysThrow).build();
	}

	static class Tools {

		@Tool(description = "Say it back")
		String echo(String text) {
			return text;
		}

		@Tool
		Order order() {
			return new Order("A-1", 12.5);
		}

		@Tool
		List<Integer> numbers() {
			return List.of(1, 2, 3);
		}

		@Tool
		void nothing() {
		}

		@Tool
		String tenant(ToolContext context) {
			return (String) context.getContext().get("tenant");
		}

		@Tool
		String refuse() {
			throw new IllegalStateException("no such order");
		}

		@Tool
		String disconnect() throws IOException {
			throw new IOException("connection reset");
		}

		@Tool
		String overflow() {
			throw new StackOverflowError();
		}

		@Tool
		String interrupted() throws InterruptedException {
			throw new InterruptedException("stop");
		}

	}

	record Order(String id, double total) {

	}

}
