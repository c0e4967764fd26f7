package io.psych.sandbox.spring.mcp;

import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.log.Quoted;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tool as its server lists it.
 *
 * @param listed what the server says
 * @param description what it is for
 * @param inputSchema the shape of its arguments
 * @param outputSchema the shape of its structured result, or {@code null} when the server
 * does not say
 * @param hints its hints
 * @param isTask whether it only runs as a task of its own, beyond the call
 */
record RemoteTool(Tool listed, String description, JsonValue inputSchema, @Nullable JsonValue outputSchema,
		McpHints hints, boolean isTask) {

	private static final Logger logger = LoggerFactory.getLogger(RemoteTool.class);

	private static final JsonValue ANY_OBJECT = JsonValue.of(Map.of("type", "object"));

	static RemoteTool of(Tool listed, boolean isTask) {
		JsonValue input = schema(listed, listed.inputSchema());
		String description = (listed.description() != null) ? listed.description() : listed.title();
		return new RemoteTool(listed, (description != null) ? description : "", (input != null) ? input : ANY_OBJECT,
				schema(listed, listed.outputSchema()), McpHints.of(listed.annotations()), isTask);
	}

	String name() {
		return this.listed.name();
	}

	private static @Nullable JsonValue schema(Tool tool, @Nullable Map<String, Object> schema) {
		if (schema == null || schema.isEmpty()) {
			return null;
		}
		try {
			return JsonValue.of(schema);
		}
		catch (JsonFormatException ex) {
			logger.warn("MCP tool {}: a schema can't be read ({}) and is ignored", Quoted.text(tool.name()),
					Quoted.text(String.valueOf(ex.getMessage())));
			return null;
		}
	}

}
