package io.psych.sandbox.spring.springai;

import java.util.HashMap;
import java.util.Map;

import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.ScopeResolver;
import io.psych.sandbox.terms.Grant;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolGateway;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;

/**
 * A tool of the catalogue as the model calls it directly: by its name and through the
 * gateway, so that a tool that was withdrawn since it was listed is not called any more.
 */
final class DirectToolCallback implements ToolCallback {

	private final ToolGateway gateway;

	private final AgentResolver agents;

	private final ToolDefinition definition;

	/** The tool, when it is not one of the catalogue. */
	private final @Nullable HostTool beside;

	DirectToolCallback(HostTool tool, ToolGateway gateway, AgentResolver agents) {
		this(tool, gateway, agents, null);
	}

	private DirectToolCallback(HostTool tool, ToolGateway gateway, AgentResolver agents, @Nullable HostTool beside) {
		this.beside = beside;
		this.gateway = gateway;
		this.agents = agents;
		this.definition = ToolDefinition.builder()
			.name(tool.name())
			.description(tool.description())
			.inputSchema(tool.inputSchema().toJson())
			.build();
	}

	/** Return the callback of a tool that is offered beside the catalogue. */
	static DirectToolCallback beside(HostTool tool, ToolGateway gateway, AgentResolver agents) {
		return new DirectToolCallback(tool, gateway, agents, tool);
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
		JsonValue arguments = arguments(this.definition, toolInput);
		Scope scope = this.agents.scope(toolContext);
		CallOutcome outcome = (this.beside != null)
				? this.gateway.call(this.beside, arguments, scope, Grant.ALL, attributes(toolContext))
				: this.gateway.call(this.definition.name(), arguments, scope, this.agents.tools(toolContext),
						attributes(toolContext));
		if (outcome instanceof CallOutcome.Value result) {
			return result.value().toJson();
		}
		throw refusal(this.definition, (CallOutcome.Failed) outcome);
	}

	/** What the model sent in place of arguments is told to it, as for every tool. */
	static JsonValue arguments(ToolDefinition definition, String toolInput) {
		try {
			JsonValue arguments = JsonValue.parse(toolInput.isBlank() ? "{}" : toolInput);
			if (arguments.isObject()) {
				return arguments;
			}
			throw new ToolExecutionException(definition, new IllegalArgumentException(
					"The arguments of " + definition.name() + " are no JSON object. Send one."));
		}
		catch (JsonFormatException ex) {
			throw new ToolExecutionException(definition, new IllegalArgumentException(
					"The arguments of " + definition.name() + " are not JSON: " + ex.getMessage() + ".", ex));
		}
	}

	static Scope scope(ScopeResolver scopes, @Nullable ToolContext toolContext) {
		return scopes.resolve((toolContext != null) ? toolContext.getContext() : Map.of());
	}

	static Map<String, Object> attributes(@Nullable ToolContext toolContext) {
		Map<String, Object> attributes = new HashMap<>();
		if (toolContext != null) {
			attributes.put(RunCodeToolCallback.TOOL_CONTEXT, toolContext);
		}
		return attributes;
	}

	static ToolExecutionException refusal(ToolDefinition definition, CallOutcome.Failed failed) {
		return new ToolExecutionException(definition,
				new ToolCallRefusedException(failed.kind(), failed.kind().id() + ": " + failed.message()));
	}

}
