package io.psych.sandbox.spring.springai;

import java.util.Map;
import java.util.function.Function;

import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.spring.RunCodeTool;
import io.psych.sandbox.spring.ScopeResolver;
import io.psych.sandbox.terms.Grant;
import io.psych.sandbox.terms.Spec;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;

/**
 * Tells from a tool context whose call it is, and which tools the agent may call.
 *
 * @param scopes tells whose call it is
 * @param specs finds a published Spec by its name, and throws where there is none
 * @since 0.1.0
 */
public record AgentResolver(ScopeResolver scopes, Function<String, Spec> specs) {

	/**
	 * Return whose call it is.
	 * @param toolContext the tool context of the call, or {@code null}
	 * @return the scope
	 */
	Scope scope(@Nullable ToolContext toolContext) {
		return this.scopes.resolve((toolContext != null) ? toolContext.getContext() : Map.of());
	}

	/**
	 * Return which tools the agent may call.
	 * @param toolContext the tool context of the call, or {@code null}
	 * @return those of the Spec it names; all where it names none
	 */
	Grant tools(@Nullable ToolContext toolContext) {
		String spec = spec(toolContext);
		return (spec != null) ? this.specs.apply(spec).tools() : Grant.ALL;
	}

	/** What is no name is the name of no Spec: never as if there were no entry. */
	static @Nullable String spec(@Nullable ToolContext toolContext) {
		Object named = (toolContext != null) ? toolContext.getContext().get(RunCodeTool.SPEC) : null;
		return (named != null) ? named.toString() : null;
	}

}
