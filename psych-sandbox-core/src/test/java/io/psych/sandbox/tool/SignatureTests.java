package io.psych.sandbox.tool;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.CallLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SignatureTests {

	@Test
	void signatureOfAToolIsWhatAProgramIsToldOfIt() {
		HostTool tool = tool("orders", "{\"properties\":{\"since\":{\"type\":\"string\"}},\"required\":[\"since\"]}");
		CallOutcome outcome = ToolGateway.of(ToolCatalog.of(tool))
			.bind(Scope.NONE, Map.of(), CallLimits.defaults(), "x1")
			.call("get_tool_info", JsonValue.parse("{\"name\":\"orders\"}"));
		assertThat(outcome).isInstanceOfSatisfying(CallOutcome.Value.class,
				(value) -> assertThat(value.value().string("signature")).isEqualTo(Signature.of(tool))
					.startsWith("async def orders(*, since: str) -> Any:"));
	}

	@Test
	void wholeSignatureSaysMoreThanAListedOneAndThatMoreThanAShortOne() {
		HostTool tool = FakeTool.described("orders", "Lists them. " + "And it does more than that. ".repeat(20),
				"{\"properties\":{\"filter\":{\"properties\":{\"a\":{\"properties\":{\"b\":{\"properties\":{\"c\":{\"properties\":"
						+ "{\"d\":{\"properties\":{\"e\":{\"type\":\"integer\"}}}}}}}}}}},\"s\":{\"type\":\"string\",\"maxLength\":3}}}");
		String whole = Signature.of(tool);
		String listed = Signature.of(tool, Detail.LISTED, new TypeNames(List.of()));
		String brief = Signature.of(tool, Detail.SHORT, new TypeNames(List.of()));
		assertThat(whole).contains("e: NotRequired[int]", "s: at most 3 characters")
			.hasSizeGreaterThan(listed.length());
		assertThat(listed).contains("d: NotRequired[dict[str, Any]]  # not shown deeper", "s: at most 3 characters");
		assertThat(brief).isEqualTo(
				"async def orders(*, filter: dict[str, Any] = ..., s: str = ...) -> Any:\n    \"\"\"Lists them.\"\"\"");
	}

	@ParameterizedTest
	@CsvSource({ "search, true", "list-repos, false", "print, false", "Any, false", "overload, false", "class, false",
			"call_tool, false", "\u540d\u524d, true" })
	void isFunctionWhereEveryProgramHasOneAndTheNameMeansNothingElse(String name, boolean function) {
		assertThat(Signature.isFunction(FakeTool.named(name))).isEqualTo(function);
		assertThat(Signature.of(FakeTool.named(name)))
			.contains(function ? "async def " + name + "(" : "call_tool(\"" + name + "\", {})");
	}

	@Test
	void classesHaveNamesOfTheirOwn() {
		TypeNames names = new TypeNames(Set.of("ToolResult"));
		HostTool tool = new AwkwardTool("here", JsonValue.parse("""
				{"name": "tool", "description": "", "input": {"type": "object", "properties": {}},
				"output": {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}}}}}"""));
		assertThat(Signature.of(tool, Detail.LISTED, names)).contains("class ToolResult2(TypedDict):",
				"class ToolResult2A(TypedDict):", "-> ToolResult2:");
		assertThat(Signature.of(tool, Detail.LISTED, names)).contains("class ToolResult3(TypedDict):");
	}

	@Test
	void namesThatWereGivenBackAreFree() {
		TypeNames names = new TypeNames(Set.of());
		assertThat(names.take("A")).isEqualTo("A");
		int mark = names.mark();
		assertThat(List.of(names.take("A"), names.take("B"))).containsExactly("A2", "B");
		names.backTo(mark);
		assertThat(names.take("B")).isEqualTo("B");
		assertThat(names.take("ValueError")).isNotEqualTo("ValueError");
		assertThat(names.take("TypedDict")).isNotEqualTo("TypedDict");
	}

	@ParameterizedTest
	@CsvSource({ "search_orders, SearchOrders", "getWeather, GetWeather", "list-repos, ListRepos", "2fa, 2Fa", "'', ''",
			"\u540d\u524d, ''", "a.b/c d, ABCD", "HTTPGet, HTTPGet" })
	void partOfANameHasItsWords(String text, String part) {
		assertThat(TypeNames.part(text)).isEqualTo(part);
	}

	private static HostTool tool(String name, String schema) {
		return FakeTool.of(name, schema, (arguments, context) -> arguments);
	}

}
