package io.psych.sandbox.tool;

import java.util.Map;

import io.psych.sandbox.contract.Scope;

/**
 * Whose call it is.
 *
 * @param scope the scope of the execution
 * @param attributes the attributes of the request the program came with
 * @since 0.1.0
 */
public record ToolCallContext(Scope scope, Map<String, Object> attributes) {

}
