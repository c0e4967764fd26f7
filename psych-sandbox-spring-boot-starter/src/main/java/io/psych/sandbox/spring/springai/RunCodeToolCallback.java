package io.psych.sandbox.spring.springai;

import java.util.Map;

import io.psych.sandbox.spring.RunCodeTool;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;

/**
 * {@link RunCodeTool} as Spring AI knows tools. The tools a program calls are given the
 * {@link ToolContext} that this one was given.
 *
 * @since 0.1.0
 */
public final class RunCodeToolCallback implements ToolCallback {

	/** The attribute of an execution that carries the tool context to its tool calls. */
	static final String TOOL_CONTEXT = RunCodeToolCallback.class.getName() + ".TOOL_CONTEXT";

	private final RunCodeTool tool;

	private final ToolDefinition definition;

	/**
	 * Create the callback for a tool.
	 * @param tool the tool
	 */
	public RunCodeToolCallback(RunCodeTool tool) {
		this.tool = tool;
		this.definition = new LiveDefinition(tool);
	}

	@Override
	public ToolDefinition getToolDefinition() {
		return this.definition;
	}

	@Override
	public String call(String toolInput) {
		return call(toolInput, null);
	}

	@Override
	public String call(String toolInput, @Nullable ToolContext toolContext) {
		try {
			return this.tool.call(toolInput, (toolContext != null) ? Map.of(TOOL_CONTEXT, toolContext) : Map.of());
		}
		catch (IllegalArgumentException ex) {
			// The one exception Spring AI hands to the model as text instead of failing
			// the chat.
			throw new ToolExecutionException(this.definition, ex);
		}
	}

	/**
	 * A definition whose description is rendered when it is asked for: it lists the tools
	 * of the moment, while the name alone is asked for many times a turn.
	 */
	private record LiveDefinition(RunCodeTool tool) implements ToolDefinition {

		@Override
		public String name() {
			return this.tool.name();
		}

		@Override
		public String description() {
			return this.tool.description();
		}

		@Override
		public String inputSchema() {
			return this.tool.inputSchema().toJson();
		}

	}

}
