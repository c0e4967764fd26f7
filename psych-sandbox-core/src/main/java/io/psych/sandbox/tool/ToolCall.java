package io.psych.sandbox.tool;

import io.psych.sandbox.json.JsonValue;

/**
 * A call that is about to be made, for those who decide on it.
 *
 * @param tool the tool
 * @param arguments the arguments, which fit its schema
 * @param context whose call it is
 * @since 0.1.0
 */
public record ToolCall(HostTool tool, JsonValue arguments, ToolCallContext context) {

}
