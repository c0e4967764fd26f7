package io.psych.sandbox.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;

/**
 * What is the same for several benchmarks.
 */
final class Given {

	private Given() {
	}

	/**
	 * Return an object whose one member has as many rows as come to so many bytes.
	 */
	static JsonValue rows(int bytes) {
		List<Object> rows = new ArrayList<>();
		JsonValue object = JsonValue.of(Map.of("rows", rows));
		while (object.utf8Length() < bytes) {
			int i = rows.size();
			rows.add(Map.of("id", i, "name", "article number " + i, "price", i * 1.25, "sold", i % 2 == 0));
			object = JsonValue.of(Map.of("rows", rows));
		}
		return object;
	}

	static List<HostTool> tools(int count) {
		List<HostTool> tools = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			tools.add(new Numbered(i));
		}
		return tools;
	}

	/**
	 * One of many tools, which does nothing.
	 *
	 * @param number tells it from the others
	 */
	record Numbered(int number) implements HostTool {

		private static final JsonValue INPUT = JsonValue.parse("""
				{"type": "object", "properties": {"text": {"type": "string", "description": "What to look for."},
				"count": {"type": "integer"}}, "required": ["text"]}""");

		@Override
		public String name() {
			return "tool_" + this.number;
		}

		@Override
		public String description() {
			return "Does nothing, as number " + this.number + " of many.";
		}

		@Override
		public JsonValue inputSchema() {
			return INPUT;
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) {
			return arguments;
		}

	}

}
