package io.psych.sandbox.tool;

import io.psych.sandbox.json.JsonValue;

/**
 * A tool of a test.
 *
 * @param name its name
 * @param description its description
 * @param inputSchema the shape of its arguments
 * @param action what it does
 */
record FakeTool(String name, String description, JsonValue inputSchema, Action action) implements HostTool {

	static final String ANYTHING = "{\"type\":\"object\"}";

	static FakeTool named(String name) {
		return of(name, ANYTHING, (arguments, context) -> arguments);
	}

	static FakeTool of(String name, String schema, Action action) {
		return new FakeTool(name, "Does something. And more.", JsonValue.parse(schema), action);
	}

	static FakeTool described(String name, String description, String schema) {
		return new FakeTool(name, description, JsonValue.parse(schema), (arguments, context) -> arguments);
	}

	@Override
	public JsonValue call(JsonValue arguments, ToolCallContext context) throws ToolCallException, InterruptedException {
		return this.action.call(arguments, context);
	}

	/**
	 * What a tool does.
	 */
	@FunctionalInterface
	interface Action {

		JsonValue call(JsonValue arguments, ToolCallContext context) throws ToolCallException, InterruptedException;

	}

}
