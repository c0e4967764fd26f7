package io.psych.sandbox.tool;

/**
 * Decides whether a call may be made at all, the same for a program and for the model.
 * Asked by many threads at once. What it throws denies the call.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolPolicy {

	/** Allows every call. */
	ToolPolicy ALLOW = (call) -> ToolDecision.ALLOWED;

	/**
	 * Decide on a call.
	 * @param call the call
	 * @return the decision
	 */
	ToolDecision decide(ToolCall call);

}
