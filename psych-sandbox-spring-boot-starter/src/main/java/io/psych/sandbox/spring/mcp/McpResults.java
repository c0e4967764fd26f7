package io.psych.sandbox.spring.mcp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.ToolCallException;
import org.jspecify.annotations.Nullable;

/**
 * What a server answered, as a program has it: the structured result where there is one.
 * Else one block of text is a JSON object or array where it is the text of one, and the
 * text where not; any other block is the object it is in MCP, and several are a list of
 * these.
 */
final class McpResults {

	/** An error is read, not processed. */
	private static final int MOST_OF_AN_ERROR = 4_000;

	private McpResults() {
	}

	/**
	 * Return the value of a result.
	 * @param result the result
	 * @return the value
	 * @throws ToolCallException if the tool ran and failed, or its answer has no JSON
	 * form within the bounds
	 */
	static JsonValue value(CallToolResult result) throws ToolCallException {
		try {
			if (Boolean.TRUE.equals(result.isError())) {
				throw new ToolCallException(ToolFailureKind.TOOL_ERROR, shortened(error(result)));
			}
			if (result.structuredContent() != null) {
				return JsonValue.of(result.structuredContent());
			}
			List<Content> content = result.content();
			if (content.isEmpty()) {
				return JsonValue.NULL;
			}
			if (content.size() == 1) {
				return (content.get(0) instanceof TextContent text) ? text(text.text()) : block(content.get(0));
			}
			List<JsonValue> blocks = new ArrayList<>(content.size());
			for (Content block : content) {
				blocks.add(block(block));
			}
			return JsonValue.of(blocks);
		}
		catch (JsonFormatException | IOException ex) {
			throw new ToolCallException(ToolFailureKind.TOOL_ERROR,
					"The tool ran, and its answer can't be handed on: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Shorten what an error says.
	 * @param text the text
	 * @return its beginning, and how much is missing
	 */
	static String shortened(String text) {
		if (text.length() <= MOST_OF_AN_ERROR) {
			return text;
		}
		int end = Character.isHighSurrogate(text.charAt(MOST_OF_AN_ERROR - 1)) ? MOST_OF_AN_ERROR - 1
				: MOST_OF_AN_ERROR;
		return text.substring(0, end) + " (" + (text.length() - end) + " more characters)";
	}

	private static JsonValue text(String text) {
		String trimmed = text.stripLeading();
		if (trimmed.startsWith("{") || trimmed.startsWith("[")) {
			JsonValue value = parsed(text);
			if (value != null) {
				return value;
			}
		}
		return JsonValue.of(text);
	}

	private static @Nullable JsonValue parsed(String text) {
		try {
			return JsonValue.parse(text);
		}
		catch (JsonFormatException ex) {
			return null;
		}
	}

	private static JsonValue block(Content block) throws IOException {
		return JsonValue.parse(McpJsonDefaults.getMapper().writeValueAsString(block));
	}

	private static String error(CallToolResult result) {
		String text = result.content()
			.stream()
			.map((block) -> (block instanceof TextContent said) ? said.text() : "[" + block.type() + "]")
			.collect(Collectors.joining("\n"));
		if (text.isBlank() && result.structuredContent() != null) {
			return JsonValue.of(result.structuredContent()).toJson();
		}
		return text.isBlank() ? "The tool reported an error and did not say which." : text;
	}

}
