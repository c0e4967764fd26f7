package io.psych.sandbox.tool;

import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolSchemas}.
 */
class ToolSchemasTests {

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{'type': 'object'}",
			"{'type': 'object', 'properties': {'a': {'type': ['string', 'null']}}, 'required': ['a']}",
			"{'$defs': {'n': {'type': 'object', 'properties': {'next': {'$ref': '#/$defs/n'}}}}, '$ref': '#/$defs/n'}",
			"{'$schema': 'http://json-schema.org/draft-07/schema#', 'definitions': {'x': {}}, 'items': [{}, {}]}",
			"{'type': 'object', 'x-vendor': 1}", "{'properties': {'$ref': {'type': 'string'}}}" })
	void problemWhenSchemaIsOneIsNone(String schema) {
		assertThat(ToolSchemas.problem(JsonValue.parse(schema.replace('\'', '"')))).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "[] | is not a JSON object", "{'type': 'strng'} | is no JSON Schema: /type",
					"{'properties': []} | is no JSON Schema: /properties",
					"{'required': 'a'} | is no JSON Schema: /required",
					"{'properties': {'a': {'minimum': 'x'}}} | is no JSON Schema: /properties/a/minimum",
					"{'$ref': 'https://example.org/schema'} | refers to https://example.org/schema",
					"{'properties': {'a': {'$ref': 'file:///etc/passwd'}}} | refers to file:///etc/passwd",
					"{'$ref': '#/$defs/absent'} | can't be applied: ",
					"{'$schema': 'https://example.org/draft'} | names a draft of JSON Schema that is not known" })
	void problemWhenSchemaIsBrokenSaysWhere(String schema, String problem) {
		assertThat(ToolSchemas.problem(JsonValue.parse(schema.replace('\'', '"')))).startsWith(problem.strip());
	}

}
