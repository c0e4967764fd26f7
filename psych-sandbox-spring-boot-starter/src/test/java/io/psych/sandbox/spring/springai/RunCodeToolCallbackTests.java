package io.psych.sandbox.spring.springai;

import java.time.Duration;
import java.util.Map;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.terms.Spec;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.execution.DefaultToolExecutionExceptionProcessor;
import org.springframework.ai.tool.execution.ToolExecutionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link RunCodeToolCallback}.
 */
class RunCodeToolCallbackTests {

	private final Sandbox sandbox = mock(Sandbox.class);

	private final RunCodeTool tool = new RunCodeTool(this.sandbox);

	private final RunCodeToolCallback callback = new RunCodeToolCallback(this.tool);

	@Test
	void definitionIsThatOfTheTool() {
		given(this.sandbox.describe()).willReturn("Runs one program");
		assertThat(this.callback.getToolDefinition().name()).isEqualTo("run_code");
		assertThat(this.callback.getToolDefinition().description()).isEqualTo("Runs one program");
		assertThat(this.callback.getToolDefinition().inputSchema()).isEqualTo(this.tool.inputSchema().toJson());
	}

	@Test
	void nameAloneDoesNotRenderTheDescription() {
		assertThat(this.callback.getToolDefinition().name()).isEqualTo("run_code");
		verify(this.sandbox, never()).describe();
	}

	@Test
	void callAnswersWithTheResultRecord() {
		RunResult result = RunResult.refused("x1", Failure.of(FailureKind.CANCELLED, "stopped"), Duration.ZERO,
				IsolationReport.nothingStarted("none", "stopped"));
		given(this.sandbox.run(RunRequest.of("1"))).willReturn(result);
		assertThat(this.callback.call("{\"program\": \"1\"}")).contains("\"kind\":\"cancelled\"")
			.isEqualTo(this.tool.call("{\"program\": \"1\"}", Map.of()));
	}

	@Test
	void callHandsToolContextToTheExecution() {
		given(this.sandbox.run(any(RunRequest.class))).willReturn(RunResult.refused("x1",
				Failure.of(FailureKind.CANCELLED, ""), Duration.ZERO, IsolationReport.nothingStarted("none", "")));
		ToolContext context = new ToolContext(Map.of("tenant", "acme"));
		this.callback.call("{\"program\": \"1\"}", context);
		ArgumentCaptor<RunRequest> request = ArgumentCaptor.forClass(RunRequest.class);
		verify(this.sandbox).run(request.capture());
		assertThat(request.getValue().attributes()).containsValue(context).hasSize(1);
	}

	@Test
	void callbackOfAnAgentRunsAndDescribesUnderItsSpec() {
		Spec reader = Spec.of("reader");
		given(this.sandbox.spec("reader")).willReturn(reader);
		given(this.sandbox.describe(Scope.NONE, reader)).willReturn("Runs one program of a reader");
		given(this.sandbox.run(any(RunRequest.class))).willReturn(RunResult.refused("x1",
				Failure.of(FailureKind.CANCELLED, ""), Duration.ZERO, IsolationReport.nothingStarted("none", "")));
		RunCodeToolCallback agent = this.callback.forSpec("reader");
		assertThat(agent.getToolDefinition().description()).isEqualTo("Runs one program of a reader");
		agent.call("{\"program\": \"1\"}");
		agent.call("{\"program\": \"1\"}", new ToolContext(Map.of(RunCodeTool.SPEC, "reader")));
		ArgumentCaptor<RunRequest> request = ArgumentCaptor.forClass(RunRequest.class);
		verify(this.sandbox, times(2)).run(request.capture());
		assertThat(request.getAllValues()).allSatisfy((run) -> assertThat(run.spec()).isEqualTo(reader));
		assertThatIllegalStateException()
			.isThrownBy(() -> agent.call("{\"program\": \"1\"}", new ToolContext(Map.of(RunCodeTool.SPEC, "writer"))))
			.withMessage(
					"The tool context names Spec 'writer' in psych.spec, but this run_code is that of Spec 'reader'.");
	}

	@Test
	void callWhenArgumentsAreOthersReachesTheModelAsText() {
		ToolExecutionException failure = catchThrowableOfType(ToolExecutionException.class,
				() -> this.callback.call("print(1)"));
		assertThat(DefaultToolExecutionExceptionProcessor.builder().build().process(failure))
			.contains("Send one JSON object: {\"program\": ");
	}

}
