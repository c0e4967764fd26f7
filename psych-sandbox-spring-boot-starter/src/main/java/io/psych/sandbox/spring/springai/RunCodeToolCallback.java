package io.psych.sandbox.spring.springai;

import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.spring.ScopeResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;

/**
 * {@link RunCodeTool} as Spring AI knows tools. The tools a program calls are given the
 * {@link ToolContext} that this one was given; its entry {@value RunCodeTool#SPEC} names
 * the Spec of the agent.
 *
 * @since 0.1.0
 */
public final class RunCodeToolCallback implements ToolCallback {

	/** The attribute of an execution that carries the tool context to its tool calls. */
	public static final String TOOL_CONTEXT = RunCodeToolCallback.class.getName() + ".TOOL_CONTEXT";

	private final RunCodeTool tool;

	private final ScopeResolver scopes;

	private final ToolDefinition definition;

	/**
	 * Create the callback for a tool whose programs are told apart by
	 * {@link ScopeResolver#ENTRIES}.
	 * @param tool the tool
	 */
	public RunCodeToolCallback(RunCodeTool tool) {
		this(tool, ScopeResolver.ENTRIES);
	}

	/**
	 * Create the callback for a tool.
	 * @param tool the tool
	 * @param scopes tells whose program it is
	 */
	public RunCodeToolCallback(RunCodeTool tool, ScopeResolver scopes) {
		this.tool = tool;
		this.scopes = scopes;
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
			return this.tool.call(toolInput, DirectToolCallback.scope(this.scopes, toolContext), spec(toolContext),
					DirectToolCallback.attributes(toolContext));
		}
		catch (IllegalArgumentException ex) {
			// The one exception Spring AI hands to the model as text instead of failing
			// the chat.
			throw new ToolExecutionException(this.definition, ex);
		}
	}

	/** What is no name is the name of no Spec: never as if there were no entry. */
	private static @Nullable String spec(@Nullable ToolContext toolContext) {
		Object spec = (toolContext != null) ? toolContext.getContext().get(RunCodeTool.SPEC) : null;
		return (spec != null) ? spec.toString() : null;
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
