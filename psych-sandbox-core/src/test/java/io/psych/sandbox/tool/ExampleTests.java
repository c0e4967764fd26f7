package io.psych.sandbox.tool;

import java.util.List;

import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ExampleTests {

	private final Arguments arguments = new Arguments();

	@Test
	void ofToolsThatReadIsPreferredAndTheOneWithAKnownShape() {
		assertThat(example("Zebra", "delete_everything", "list_orders", "update_order"))
			.isEqualTo("result = await list_orders()\nprint(str(result)[:500])");
		assertThat(example("zebra", "send_mail")).startsWith("result = await zebra()");
	}

	@ParameterizedTest
	@ValueSource(strings = { "delete_everything", "sendMail", "orders.create", "get_and_delete", "RebootHost", "pay" })
	void ofToolsThatChangeSomethingIsNone(String name) {
		assertThat(example(name)).isNull();
	}

	@Test
	void ofNoToolsIsNone() {
		assertThat(example()).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', value = { "{'type':'string'} | \"...\"",
			"{'type':'string','minLength':7} | \".......\"", "{'type':'string','maxLength':1} | \".\"",
			"{'type':'string','format':'date'} | \"2026-01-31\"", "{'type':'integer','minimum':3} | 3",
			"{'type':'integer','exclusiveMinimum':3} | 4", "{'type':'integer','maximum':0} | 0",
			"{'type':'number'} | 1", "{'type':'boolean'} | True", "{'enum':['b','a']} | \"b\"", "{'const':7} | 7",
			"{'type':'string','default':'d'} | \"d\"", "{'type':'string','examples':['e'],'default':'d'} | \"e\"",
			"{'type':'array','items':{'type':'integer'},'minItems':2} | [1, 1]", "{'type':'array'} | []",
			"{'type':'array','prefixItems':[{'type':'string'},{'type':'integer'}],'items':false} | [\"...\", 1]",
			"{'type':'object','properties':{'x':{'type':'integer'},'y':{}},'required':['x']} | {\"x\": 1}",
			"{'anyOf':[{'type':'null'},{'type':'string'}]} | None", "{} | \"...\"" })
	void argumentsAreThePlainestThatFit(String schema, String given) {
		String whole = "{\"type\":\"object\",\"properties\":{\"a\":%s,\"b\":{}},\"required\":[\"a\"]}";
		HostTool tool = FakeTool.described("find", "Finds.", whole.formatted(schema.replace('\'', '"')));
		assertThat(Example.of(List.of(tool), this.arguments)).startsWith("result = await find(a=" + given + ")\n");
	}

	@Test
	void toolWhoseArgumentsCannotBeMadeUpIsPassedOver() {
		HostTool strict = FakeTool.described("get_one", "Gets.",
				"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"pattern\":\"^[A-Z]{3}-[0-9]{4}$\"}},\"required\":[\"a\"]}");
		assertThat(Example.of(List.of(strict), this.arguments)).isNull();
		assertThat(Example.of(List.of(strict, FakeTool.named("get_other")), this.arguments)).contains("get_other()");
	}

	@Test
	void namesThatCannotBeSpelledAreGivenInADict() {
		String schema = "{\"type\":\"object\",\"properties\":{\"cik-A\":{\"type\":\"string\"}},\"required\":[\"cik-A\"]}";
		assertThat(Example.of(List.of(FakeTool.described("find", "", schema)), this.arguments))
			.startsWith("result = await call_tool(\"find\", {\"cik-A\": \"...\"})");
		assertThat(example("list-repos")).startsWith("result = await call_tool(\"list-repos\", {})");
	}

	static List<AwkwardTool> tools() {
		return AwkwardTool.all().toList();
	}

	@ParameterizedTest
	@MethodSource("tools")
	void sampleOfAnySchemaIsJson(AwkwardTool tool) {
		assertThat(JsonValue.of(Sample.arguments(tool.inputSchema())).toJson()).hasSizeLessThan(20_000);
	}

	private String example(String... names) {
		return Example.of(List.of(names).stream().map(FakeTool::named).map(HostTool.class::cast).toList(),
				this.arguments);
	}

}
