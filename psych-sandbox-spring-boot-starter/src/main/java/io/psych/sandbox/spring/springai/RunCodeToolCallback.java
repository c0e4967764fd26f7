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

	private final @Nullable String spec;

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
		this(tool, scopes, null);
	}

	private RunCodeToolCallback(RunCodeTool tool, ScopeResolver scopes, @Nullable String spec) {
		this.tool = tool;
		this.scopes = scopes;
		this.spec = spec;
		this.definition = new LiveDefinition(tool, spec);
	}

	/**
	 * Return this callback for one agent: its programs run under the agent's Spec,
	 * whether or not the tool context names it, and its description lists no tool that
	 * they may not call.
	 * @param spec the name of a published Spec
	 * @return the callback
	 */
	public RunCodeToolCallback forSpec(String spec) {
		return new RunCodeToolCallback(this.tool, this.scopes, spec);
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

	private @Nullable String spec(@Nullable ToolContext toolContext) {
		String named = AgentResolver.spec(toolContext);
		if (this.spec == null) {
			return named;
		}
		if (named != null && !named.equals(this.spec)) {
			throw new IllegalStateException("The tool context names Spec '%s' in %s, but this %s is that of Spec '%s'."
				.formatted(named, RunCodeTool.SPEC, this.tool.name(), this.spec));
		}
		return this.spec;
	}

	/**
	 * A definition whose description is rendered when it is asked for: it lists the tools
	 * of the moment, while the name alone is asked for many times a turn.
	 */
	private record LiveDefinition(RunCodeTool tool, @Nullable String spec) implements ToolDefinition {

		@Override
		public String name() {
			return this.tool.name();
		}

		@Override
		public String description() {
			return (this.spec != null) ? this.tool.description(this.spec) : this.tool.description();
		}

		@Override
		public String inputSchema() {
			return this.tool.inputSchema().toJson();
		}

	}

}
