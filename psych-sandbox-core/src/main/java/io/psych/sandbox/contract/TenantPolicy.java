package io.psych.sandbox.contract;

import io.psych.sandbox.terms.Narrowing;

/**
 * Decides what the executions of one tenant get less than others. Asked for each of them,
 * on the thread of its caller and before anything is started, so it must be quick. What
 * it throws refuses the execution.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TenantPolicy {

	/** Takes nothing from anybody. */
	TenantPolicy ALLOW = (scope) -> Narrowing.NONE;

	/**
	 * Decide on one execution.
	 * @param scope whose execution it is
	 * @return what it gets less, or {@link Narrowing#refused(String)}
	 */
	Narrowing narrowing(Scope scope);

}
