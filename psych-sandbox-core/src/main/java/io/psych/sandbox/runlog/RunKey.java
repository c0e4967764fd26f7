package io.psych.sandbox.runlog;

import io.psych.sandbox.contract.Scope;

/**
 * Which run an event belongs to.
 *
 * @param tenant the tenant; empty when the caller names none
 * @param run the run; a name of its own for an execution whose caller names none
 * @since 0.1.0
 */
public record RunKey(String tenant, String run) {

	/**
	 * Return the key of a scope.
	 * @param scope the scope
	 * @param execution the execution, which is its own run where the scope names none
	 * @return the key
	 */
	public static RunKey of(Scope scope, String execution) {
		String tenant = (scope.tenant() != null) ? scope.tenant() : "";
		return new RunKey(tenant, (scope.run() != null) ? "run:" + scope.run() : "execution:" + execution);
	}

}
