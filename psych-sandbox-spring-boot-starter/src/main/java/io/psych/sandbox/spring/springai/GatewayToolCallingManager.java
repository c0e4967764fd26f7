package io.psych.sandbox.spring.springai;

import java.util.List;
import java.util.function.Supplier;

import io.psych.sandbox.tool.ToolGateway;

import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionExceptionProcessor;

/**
 * Leads the model's direct calls through the gateway that programs call through. All else
 * is left to Spring AI's own manager.
 *
 * @since 0.1.0
 */
public final class GatewayToolCallingManager implements ToolCallingManager {

	private final ToolCallingManager manager;

	private final Supplier<ToolGateway> gateway;

	private final Supplier<AgentResolver> agents;

	private final Supplier<ToolExecutionExceptionProcessor> errors;

	/**
	 * Create a new manager. Nothing is asked of the suppliers before the first call.
	 * @param manager the manager of Spring AI
	 * @param gateway the gateway
	 * @param agents tells whose call it is and what the agent may call
	 * @param errors decides what a tool's error means
	 */
	public GatewayToolCallingManager(ToolCallingManager manager, Supplier<ToolGateway> gateway,
			Supplier<AgentResolver> agents, Supplier<ToolExecutionExceptionProcessor> errors) {
		this.manager = manager;
		this.gateway = gateway;
		this.agents = agents;
		this.errors = errors;
	}

	@Override
	public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions chatOptions) {
		return this.manager.resolveToolDefinitions(chatOptions);
	}

	@Override
	public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
		if (!(prompt.getOptions() instanceof ToolCallingChatOptions options) || options.getToolCallbacks() == null) {
			return this.manager.executeToolCalls(prompt, chatResponse);
		}
		List<ToolCallback> gated = options.getToolCallbacks().stream().map(this::gated).toList();
		ToolCallingChatOptions through = options.mutate().toolCallbacks(gated).build();
		return this.manager.executeToolCalls(prompt.mutate().chatOptions(through).build(), chatResponse);
	}

	/** Those of ours pass the gateway themselves; run_code has no tool behind it. */
	private ToolCallback gated(ToolCallback callback) {
		if (callback instanceof RunCodeToolCallback || callback instanceof DirectToolCallback
				|| callback instanceof GatedToolCallback) {
			return callback;
		}
		return new GatedToolCallback(callback, this.gateway.get(), this.agents.get(), this.errors.get());
	}

}
