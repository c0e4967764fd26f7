package io.psych.sandbox.spring.autoconfigure;

import java.util.Map;
import java.util.function.UnaryOperator;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;

/**
 * A tool of the host that answers by a function.
 */
final class FixedTool implements HostTool {

	private final String name;

	private final UnaryOperator<JsonValue> answer;

	FixedTool(String name, UnaryOperator<JsonValue> answer) {
		this.name = name;
		this.answer = answer;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String description() {
		return "Answers by a function";
	}

	@Override
	public JsonValue inputSchema() {
		return JsonValue.of(Map.of("type", "object"));
	}

	@Override
	public JsonValue call(JsonValue arguments, ToolCallContext context) {
		return this.answer.apply(arguments);
	}

}
