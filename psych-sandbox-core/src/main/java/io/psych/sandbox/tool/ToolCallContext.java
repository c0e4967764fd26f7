package io.psych.sandbox.tool;

import java.util.Map;

import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.Scope;

/**
 * Whose call it is.
 *
 * @param scope the scope of the execution
 * @param attributes the attributes of the request the program came with
 * @param origin who calls
 * @since 0.1.0
 */
public record ToolCallContext(Scope scope, Map<String, Object> attributes, CallOrigin origin) {

	/**
	 * Create the context of a program's call.
	 * @param scope the scope of the execution
	 * @param attributes the attributes of the request the program came with
	 */
	public ToolCallContext(Scope scope, Map<String, Object> attributes) {
		this(scope, attributes, CallOrigin.PROGRAM);
	}

}
