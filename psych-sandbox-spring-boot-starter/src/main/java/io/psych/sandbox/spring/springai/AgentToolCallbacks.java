package io.psych.sandbox.spring.springai;

import java.util.ArrayList;
import java.util.List;

import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.terms.Grant;
import io.psych.sandbox.tool.AttachmentReader;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolGateway;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;

/**
 * All that an agent can call right now: the tools of the catalogue, from which programs
 * are given theirs too, and {@code run_code} with the reader of attachments where there
 * is a backend. Asked anew for each turn, so that the model's list and what programs can
 * call never differ. <pre class="code">
 * chatClient.prompt().user(question).tools(agentToolCallbacks).call();
 * </pre>
 *
 * @since 0.1.0
 */
public final class AgentToolCallbacks implements ToolCallbackProvider {

	private final ToolGateway gateway;

	private final AgentResolver agents;

	private final @Nullable RunCodeToolCallback runCode;

	private final AttachmentReader reader;

	/**
	 * Create a new provider.
	 * @param gateway the gateway
	 * @param agents tells whose call it is and what the agent may call
	 * @param runCode the tool that executes programs, or {@code null} where there is none
	 * @param reader the tool that reads what programs left behind
	 */
	public AgentToolCallbacks(ToolGateway gateway, AgentResolver agents, @Nullable RunCodeToolCallback runCode,
			AttachmentReader reader) {
		this.gateway = gateway;
		this.agents = agents;
		this.runCode = runCode;
		this.reader = reader;
	}

	@Override
	public ToolCallback[] getToolCallbacks() {
		return forScope(Scope.NONE);
	}

	/**
	 * Return what an agent can call for somebody.
	 * @param scope for whom
	 * @return the callbacks
	 */
	public ToolCallback[] forScope(Scope scope) {
		return callbacks(scope, Grant.ALL, this.runCode);
	}

	/**
	 * Return what one agent can call for somebody.
	 * @param scope for whom
	 * @param spec the name of the agent's published Spec, which the tool context of its
	 * calls has to name as {@value io.psych.sandbox.spring.RunCodeTool#SPEC}
	 * @return the callbacks
	 */
	public ToolCallback[] forAgent(Scope scope, String spec) {
		return callbacks(scope, this.agents.specs().apply(spec).tools(),
				(this.runCode != null) ? this.runCode.forSpec(spec) : null);
	}

	private ToolCallback[] callbacks(Scope scope, Grant tools, @Nullable RunCodeToolCallback runCode) {
		List<ToolCallback> callbacks = new ArrayList<>();
		for (HostTool tool : this.gateway.tools(scope)) {
			if (tools.allows(tool.name())) {
				callbacks.add(new DirectToolCallback(tool, this.gateway, this.agents));
			}
		}
		if (runCode != null) {
			callbacks.add(runCode);
			callbacks.add(DirectToolCallback.beside(this.reader, this.gateway, this.agents));
		}
		return callbacks.toArray(ToolCallback[]::new);
	}

}
