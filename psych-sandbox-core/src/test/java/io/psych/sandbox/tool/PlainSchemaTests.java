package io.psych.sandbox.tool;

import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PlainSchemaTests {

	private static final String WEATHER = """
			{"type":"object","title":"t","properties":{"city":{"type":"string","description":"d"},
			"days":{"type":["integer","null"],"default":1},"unit":{"enum":["celsius","kelvin"]},
			"tags":{"type":"array","items":{"type":"string"}},"more":{"type":"object"},"any":true,"far":{"type":"number"},
			"sure":{"type":"boolean"}},"required":["city"],"additionalProperties":false}""";

	/** That the validator agrees is checked as well. */
	@ParameterizedTest
	@CsvSource(delimiter = ';',
			textBlock = """
					{"city":"Oslo"};true
					{"city":"Oslo","days":3,"unit":"kelvin","tags":["a","b"],"more":{"x":1},"any":[1],"far":1.5,"sure":true};true
					{"city":"Oslo","days":null,"tags":[],"far":1,"any":null,"sure":false};true
					{};false
					{"city":1};false
					{"city":null};false
					{"city":"Oslo","days":"3"};false
					{"city":"Oslo","days":1.5};false
					{"city":"Oslo","days":true};false
					{"city":"Oslo","unit":"rankine"};false
					{"city":"Oslo","unit":1};false
					{"city":"Oslo","tags":["a",1]};false
					{"city":"Oslo","tags":"a"};false
					{"city":"Oslo","tags":{}};false
					{"city":"Oslo","more":[]};false
					{"city":"Oslo","far":"1"};false
					{"city":"Oslo","sure":1};false
					{"city":"Oslo","another":1};false
					""")
	void fitsWhatTheValidatorTakes(String given, boolean fits) {
		JsonValue schema = JsonValue.parse(WEATHER);
		JsonValue arguments = JsonValue.parse(given);
		PlainSchema plain = PlainSchema.of(schema.toJava());
		assertThat(plain).isNotNull();
		assertThat(plain.fits(arguments.toJava())).isEqualTo(fits);
		assertThat(new Arguments().problem("weather", arguments, schema) == null).isEqualTo(fits);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'$ref':'#/$defs/a'}", "{'anyOf':[{}]}", "{'allOf':[]}", "{'not':{}}", "{'const':1}",
			"{'enum':[1]}", "{'enum':'a'}", "{'type':'text'}", "{'type':1}", "{'pattern':'a'}", "{'minimum':1}",
			"{'maxLength':1}", "{'patternProperties':{}}", "{'additionalProperties':{}}", "{'items':[{}]}",
			"{'items':{'minimum':1}}", "{'properties':{'a':{'minimum':1}}}", "{'properties':1}", "{'required':true}",
			"{'$schema':'http://json-schema.org/draft-04/schema#'}", "{'unheardOf':1}", "false", "1" })
	void saysNothingOfASchemaThatSaysMore(String schema) {
		assertThat(PlainSchema.of(JsonValue.parse(schema.replace('\'', '"')).toJava())).isNull();
	}

	@Test
	void leavesToTheValidatorWhatDependsOnTheDraft() {
		PlainSchema integer = PlainSchema.of(JsonValue.parse("{\"type\":\"integer\"}").toJava());
		assertThat(integer).isNotNull();
		assertThat(integer.fits(1.0)).isFalse();
		assertThat(new Arguments().problem("t", JsonValue.parse("{\"n\":1.0}"),
				JsonValue.parse("{\"properties\":{\"n\":{\"type\":\"integer\"}}}")))
			.isNull();
	}

}
