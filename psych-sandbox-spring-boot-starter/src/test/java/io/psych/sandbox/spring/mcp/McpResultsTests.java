package io.psych.sandbox.spring.mcp;

import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.ToolCallException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link McpResults}.
 */
class McpResultsTests {

	@Test
	void valueIsTheStructuredContentWhereThereIsOne() throws Exception {
		CallToolResult result = CallToolResult.builder()
			.addTextContent("{\"celsius\": 1}")
			.structuredContent(Map.of("celsius", 21))
			.build();
		assertThat(McpResults.value(result)).isEqualTo(JsonValue.of(Map.of("celsius", 21)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"celsius\": 21}", " [1, 2]", "[]" })
	void valueOfTextOfAnObjectOrArrayIsThat(String text) throws Exception {
		assertThat(value(text(text))).isEqualTo(JsonValue.parse(text));
	}

	@ParameterizedTest
	@ValueSource(strings = { "sunny", "42", "true", "null", "\"quoted\"", "{not json", "[1, 2", "" })
	void valueOfAnyOtherTextIsTheText(String text) throws Exception {
		assertThat(value(text(text))).isEqualTo(JsonValue.of(text));
	}

	@Test
	void valueOfOneOtherBlockIsItsObject() throws Exception {
		assertThat(value(ImageContent.builder("AAAA", "image/png").build()))
			.isEqualTo(JsonValue.parse("{\"type\":\"image\",\"data\":\"AAAA\",\"mimeType\":\"image/png\"}"));
	}

	@Test
	void valueOfSeveralBlocksIsAllOfThem() throws Exception {
		assertThat(value(text("{\"a\": 1}"), AudioContent.builder("BBBB", "audio/wav").build()))
			.isEqualTo(JsonValue.parse("""
					[{"type": "text", "text": "{\\"a\\": 1}"},
					 {"type": "audio", "data": "BBBB", "mimeType": "audio/wav"}]"""));
	}

	@Test
	void valueOfNoBlockIsNull() throws Exception {
		assertThat(value()).isEqualTo(JsonValue.NULL);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "null", textBlock = """
			no such order | null       | no such order
			''            | {"code":7} | {"code":7}
			''            | null       | The tool reported an error and did not say which.
			""")
	void valueOfAnErrorIsNoneButItsText(String text, String structured, String message) {
		CallToolResult.Builder result = CallToolResult.builder().addTextContent(text).isError(true);
		if (structured != null) {
			result.structuredContent(JsonValue.parse(structured).toJava());
		}
		assertThatExceptionOfType(ToolCallException.class).isThrownBy(() -> McpResults.value(result.build()))
			.withMessage(message)
			.satisfies((ex) -> assertThat(ex.kind()).isEqualTo(ToolFailureKind.TOOL_ERROR));
	}

	@Test
	void valueThatIsTooDeepIsRefusedAsAWhole() {
		Object deep = "bottom";
		for (int i = 0; i < 300; i++) {
			deep = List.of(deep);
		}
		CallToolResult result = CallToolResult.builder()
			.structuredContent(Map.of("deep", deep))
			.content(List.of())
			.build();
		assertThatExceptionOfType(ToolCallException.class).isThrownBy(() -> McpResults.value(result))
			.withMessageContaining("can't be handed on")
			.satisfies((ex) -> assertThat(ex.kind()).isEqualTo(ToolFailureKind.TOOL_ERROR));
	}

	@Test
	void shortenedNeverCutsACharacterInHalf() {
		String text = "x".repeat(3_999) + "\ud83d\ude00".repeat(2);
		assertThat(McpResults.shortened(text)).isEqualTo("x".repeat(3_999) + " (4 more characters)");
		assertThat(McpResults.shortened("short")).isEqualTo("short");
	}

	private static JsonValue value(Content... blocks) throws ToolCallException {
		return McpResults.value(CallToolResult.builder().content(List.of(blocks)).build());
	}

	private static TextContent text(String text) {
		return TextContent.builder(text).build();
	}

}
