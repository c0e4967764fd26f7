package io.psych.sandbox.spring.springai;

import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;
import io.psych.sandbox.tool.ToolGateway;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionExceptionProcessor;
import org.springframework.ai.tool.metadata.ToolMetadata;

/**
 * A tool that an application handed to the model, called through the gateway. What the
 * tool answers or throws reaches Spring AI as it is: the gateway only decides whether it
 * is called, and records that it was.
 */
final class GatedToolCallback implements ToolCallback {

	private final ToolCallback callback;

	private final ToolGateway gateway;

	private final AgentResolver agents;

	private final ToolExecutionExceptionProcessor errors;

	GatedToolCallback(ToolCallback callback, ToolGateway gateway, AgentResolver agents,
			ToolExecutionExceptionProcessor errors) {
		this.callback = callback;
		this.gateway = gateway;
		this.agents = agents;
		this.errors = errors;
	}

	@Override
	public ToolDefinition getToolDefinition() {
		return this.callback.getToolDefinition();
	}

	@Override
	public ToolMetadata getToolMetadata() {
		return this.callback.getToolMetadata();
	}

	@Override
	public String call(String toolInput) {
		return call(toolInput, null);
	}

	@Override
	public String call(String toolInput, @Nullable ToolContext toolContext) {
		ToolDefinition definition = getToolDefinition();
		JsonValue arguments = DirectToolCallback.arguments(definition, toolInput);
		Once tool = new Once(new ToolCallbackTool(this.callback, this.errors), toolInput, toolContext);
		CallOutcome outcome = this.gateway.call(tool, arguments, this.agents.scope(toolContext),
				this.agents.tools(toolContext), DirectToolCallback.attributes(toolContext));
		return tool.answer(definition, outcome);
	}

	/**
	 * The tool for one call: keeps what the tool answered or threw, word for word.
	 */
	private final class Once implements HostTool {

		private final ToolCallbackTool tool;

		private final String input;

		private final @Nullable ToolContext toolContext;

		private @Nullable String answer;

		private @Nullable RuntimeException thrown;

		private boolean called;

		Once(ToolCallbackTool tool, String input, @Nullable ToolContext toolContext) {
			this.tool = tool;
			this.input = input;
			this.toolContext = toolContext;
		}

		@Override
		public String name() {
			return this.tool.name();
		}

		@Override
		public String description() {
			return this.tool.description();
		}

		@Override
		public String origin() {
			return this.tool.origin();
		}

		@Override
		public JsonValue inputSchema() {
			return this.tool.inputSchema();
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) throws ToolCallException {
			this.called = true;
			try {
				this.answer = GatedToolCallback.this.callback.call(this.input, this.toolContext);
				return this.tool.decode(this.answer);
			}
			catch (RuntimeException ex) {
				this.thrown = ex;
				throw ex;
			}
		}

		/** Return the tool's own answer, or throw what it threw. */
		String answer(ToolDefinition definition, CallOutcome outcome) {
			if (this.thrown != null) {
				throw this.thrown;
			}
			if (!this.called && outcome instanceof CallOutcome.Failed failed) {
				throw DirectToolCallback.refusal(definition, failed);
			}
			// A callback may answer null where its tool has nothing to say.
			return (this.answer != null) ? this.answer : "";
		}

	}

}
