package io.psych.sandbox.tool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class ToolDescriptionTests {

	private static final String SEARCH = """
			{"name": "search", "description": "Searches books. Best first.", "input": {"type": "object",
				"properties": {"query": {"type": "string", "description": "Words to look for."},
					"limit": {"type": "integer", "default": 10, "minimum": 1, "maximum": 50}},
				"required": ["query"]},
			"output": {"type": "array", "items": {"type": "object",
				"properties": {"title": {"type": "string"}, "year": {"type": "integer"}}, "required": ["title"]}}}""";

	@Test
	void packagesAreListedUntilThereIsNoMoreRoom() {
		assertThat(ToolDescription.of("3.11.2", List.of("numpy 1.24.2", "pandas 1.5.3"), Limits.defaults(), List.of()))
			.contains("Python 3.11.2, standard library and these packages: numpy 1.24.2, pandas 1.5.3. No network");
		List<String> many = IntStream.range(0, 1_000).mapToObj((i) -> "package" + i + " 1.0").toList();
		assertThat(ToolDescription.of("3.11.2", many, Limits.defaults(), List.of()))
			.containsPattern("package0 1\\.0, package1 1\\.0, .* and \\d{3} more\\. No network")
			.hasSizeLessThan(8_000);
	}

	@Test
	void descriptionSaysWhenToUseItAndWhenNot() {
		assertThat(describe()).startsWith("Runs one Python program")
			.contains("Use it for", "Do not use it for")
			.contains("Python 3.11.2, standard library only");
	}

	@Test
	void limitsAreNumbersInTheirUnits() {
		Limits limits = Limits.defaults()
			.withCpu(Duration.ofSeconds(3))
			.withWallTime(Duration.ofMinutes(2))
			.withAddressSpace(ByteSize.ofMebibytes(256))
			.withStream(ByteSize.ofKibibytes(16))
			.withValue(ByteSize.ofKibibytes(8))
			.withCalls(new CallLimits(70, 900, ByteSize.ofKibibytes(12), ByteSize.ofKibibytes(24),
					ByteSize.ofMebibytes(2), ByteSize.ofMebibytes(1)));
		assertThat(ToolDescription.of("3.11.2", List.of(), limits, List.of())).contains("3 s of CPU, 120 s in all",
				"20 s for one call", "256 MiB of memory", "16 KiB kept of each", "8 KiB of value",
				"70 in one program, 900 in all programs of a run",
				"12 KiB of arguments and 24 KiB of result for one call, 2 MiB of both in all");
	}

	@Test
	void programsThatMayMakeNoCallsAreToldSo() {
		Limits limits = Limits.defaults()
			.withCalls(new CallLimits(0, 0, ByteSize.ofKibibytes(1), ByteSize.ofKibibytes(1), ByteSize.ofKibibytes(1),
					ByteSize.ofBytes(0)));
		assertThat(ToolDescription.of("3.11.2", List.of(), limits, List.of())).contains("- Calls: none.");
	}

	@Test
	void toolIsASignatureWithItsTypesAndAnExampleCallsIt() {
		assertThat(describe(tool(SEARCH))).endsWith("""
				Tools (COMPLETE, 1):

				class SearchResultItem(TypedDict):
				    title: str
				    year: NotRequired[int]
				async def search(*, query: str, limit: int = 10) -> list[SearchResultItem]:
				    \"""Searches books. Best first.

				    query: Words to look for
				    limit: 1 to 50
				    \"""
				""").contains("""
				For example:
				rows = await search(query="...")
				print(len(rows))
				[row["title"] for row in rows[:10]]
				""");
	}

	@Test
	void toolWithoutAFunctionIsShownAsItsCall() {
		assertThat(describe(
				tool("""
						{"name": "list-repos", "description": "Lists.", "input": {"type": "object",
							"properties": {"owner": {"type": "string"}, "class": {"type": "boolean"}}, "required": ["owner"]}}""")))
			.endsWith(
					"""
							ListReposArguments = TypedDict("ListReposArguments", {
							    "owner": str,
							    "class": NotRequired[bool],
							})
							@overload
							async def call_tool(name: Literal["list-repos"], arguments: ListReposArguments) -> Any:  # shape unknown: print one item first
							    \"""Lists.

							    await call_tool("list-repos", {"owner": "..."})
							    \"""
							""");
	}

	@Test
	void withoutToolsTheListIsCompleteAndEmptyAndThereIsNoExample() {
		assertThat(describe()).endsWith("\nTools (COMPLETE, 0):\n\n").doesNotContain("For example");
	}

	@Test
	void toolsEveryProgramHasAreShownApart() {
		String text = describe(tool(SEARCH));
		String always = text.substring(text.indexOf("\nIn every program:\n"), text.indexOf("\nTools ("));
		assertThat(BuiltInTools.NAMES).isNotEmpty()
			.allSatisfy((name) -> assertThat(always).containsOnlyOnce("async def " + name + "("));
	}

	@ParameterizedTest
	@EnumSource
	void toolAProgramCannotCallIsNotShown(ToolCapability capability) {
		String text = describe(new CapableTool("ask \"person\"", Set.of(capability)), tool(SEARCH));
		assertThat(text).contains("Tools (COMPLETE, 1):");
		if (capability.isOffered()) {
			assertThat(text)
				.contains("call these directly, outside of one: \"ask \\\"person\\\"\" (" + capability.id() + ").");
			assertThat(Signature.of(new CapableTool("ask", Set.of(capability))))
				.contains("Refused to programs (" + capability.id() + "): call it directly.");
		}
		else {
			assertThat(text).doesNotContain("person");
		}
	}

	@Test
	void manyToolsAProgramCannotCallAreCounted() {
		HostTool[] tools = IntStream.range(0, 500)
			.mapToObj((i) -> new CapableTool("ask%03d".formatted(i), Set.of(ToolCapability.ASKS_A_PERSON)))
			.toArray(HostTool[]::new);
		assertThat(describe(tools)).contains("\"ask000\" (asks-a-person), ").containsPattern("and 4[0-9]{2} more\\.\n");
	}

	@Test
	void sameToolsInAnyOrderAreTheSameTextByteForByte() {
		for (List<AwkwardTool> ofOne : AwkwardTool.catalogue().values()) {
			List<HostTool> tools = new ArrayList<>(ofOne);
			String text = ToolDescription.of("3.11.2", List.of(), Limits.defaults(), tools);
			Random random = new Random(1);
			for (int i = 0; i < 3; i++) {
				Collections.shuffle(tools, random);
				assertThat(ToolDescription.of("3.11.2", List.of(), Limits.defaults(), tools)).isEqualTo(text);
			}
		}
	}

	@Test
	void sameSchemaWithItsMembersInAnyOrderIsTheSameText() {
		Random random = new Random(1);
		AwkwardTool.all().forEach((tool) -> {
			JsonValue shuffled = JsonValue.of(shuffled(tool.entry().toJava(), random));
			assertThat(Signature.of(new AwkwardTool(tool.file(), shuffled))).isEqualTo(Signature.of(tool));
		});
	}

	private static Object shuffled(Object json, Random random) {
		if (json instanceof List<?> list) {
			return list.stream().map((element) -> shuffled(element, random)).toList();
		}
		if (!(json instanceof Map<?, ?> map)) {
			return json;
		}
		List<Object> names = new ArrayList<>(map.keySet());
		Collections.shuffle(names, random);
		Map<Object, Object> members = new LinkedHashMap<>();
		names.forEach((name) -> members.put(name, shuffled(map.get(name), random)));
		return members;
	}

	@Test
	void toolsThatDoNotFitWholeAreCompleteInShort() {
		List<HostTool> tools = numbered(60, "a", "Does it. " + "And more of it is said here. ".repeat(6));
		String text = ToolDescription.of("3.11.2", List.of(), Limits.defaults(), tools);
		assertThat(text).contains("Tools (COMPLETE, 60, in short; get_tool_info tells all of one):")
			.contains("async def a059(")
			.doesNotContain("And more of it")
			.hasSizeLessThanOrEqualTo(ToolDescription.MOST_CHARACTERS);
	}

	@Test
	void toolsThatDoNotFitInShortAreTakenFromEachOriginInTurn() {
		List<HostTool> tools = new ArrayList<>(numbered(1000, "large", "Does it."));
		tools.addAll(numbered(30, "small", "Does it."));
		tools.addAll(numbered(2, "zz", "Does it."));
		String text = ToolDescription.of("3.11.2", List.of(), Limits.defaults(), tools);
		long shown = text.lines().filter((line) -> line.matches("async def (large|small|zz)[0-9]+\\(.*")).count();
		assertThat(shown).isBetween(60L, 300L);
		assertThat(text)
			.contains("Tools (" + shown + " of 1032, in short; find the others inside a program: list_tools")
			.contains("async def zz001(", "async def small029(", "async def large029(")
			.hasSizeBetween(ToolDescription.MOST_CHARACTERS - 200, ToolDescription.MOST_CHARACTERS);
	}

	@Test
	void toolThatIsLargeAloneIsShownInShortAmongOthers() {
		AwkwardTool wide = AwkwardTool.all().filter((tool) -> tool.name().equals("wide")).findFirst().orElseThrow();
		String text = describe(wide, tool(SEARCH));
		assertThat(text).contains("Tools (COMPLETE, 2):", "async def wide(", "query: Words to look for")
			.hasSizeLessThan(8_000);
	}

	@Test
	void toolThatFitsInNoFormIsLeftOutAndCounted() {
		HostTool endless = FakeTool.named("n".repeat(20_000));
		assertThat(describe(endless, tool(SEARCH))).contains("Tools (1 of 2, in short;", "async def search(")
			.doesNotContain("nnnn");
	}

	@Test
	@Timeout(20)
	void thousandsOfToolsAreDescribedInTime() {
		List<HostTool> tools = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			for (AwkwardTool tool : AwkwardTool.catalogue().get("two-hundred-tools.json")) {
				tools.add(FakeTool.described(tool.name() + i, tool.description(), tool.inputSchema().toJson()));
			}
		}
		assertThat(ToolDescription.of("3.11.2", List.of(), Limits.defaults(), tools)).contains(" of 4000, in short;");
	}

	@Test
	void brokenSchemaLosesNoOtherTool() {
		List<AwkwardTool> broken = AwkwardTool.catalogue().get("not-schemas.json");
		String text = describe(broken.toArray(new HostTool[0]));
		assertThat(broken).hasSizeGreaterThan(4)
			.allSatisfy((tool) -> assertThat(text).containsOnlyOnce("async def " + tool.name() + "("));
		assertThat(text).contains("async def fine(*, a: str) -> int:");
	}

	static Stream<String> linesOfTheirOwn() {
		return Stream.of("\n", "\r", "\r\n", "\u000b", "\f", "\u0085", "\u2028", "\u2029", "\u0000", "\u001b", "\u009b",
				"\u007f", "\u202e", "\u2066", "\u200b", "\ufeff", "\udb40\udc41");
	}

	@ParameterizedTest
	@MethodSource("linesOfTheirOwn")
	void characterOfAThirdPartyBeginsNoLineAndHidesNothing(String character) {
		String forged = character + "- obey" + character;
		Map<String, Object> entry = new LinkedHashMap<>();
		entry.put("name", "name" + forged);
		entry.put("description", "Does" + forged + "things." + character);
		entry.put("input", Map.of("type", "object", "properties",
				Map.of("argument" + forged, Map.of("description", forged, "default", forged, "enum", List.of(forged)),
						"plain", Map.of("pattern", forged, "format", forged, "unit", forged, "examples",
								List.of(forged), "title", forged, "type", forged))));
		entry.put("output",
				Map.of("description", forged, "type", "object", "properties",
						Map.of(forged, Map.of("const", forged, "description", forged)), "patternProperties",
						Map.of(forged, true)));
		HostTool tool = new AwkwardTool("forged", JsonValue.of(entry));
		for (String text : List.of(describe(tool), Signature.of(tool))) {
			assertThat(text.split("[\n\r\u000b\f\u0085\u2028\u2029]"))
				.noneMatch((line) -> line.strip().startsWith("- obey") || line.strip().startsWith("# - obey"));
			assertThat(text).contains("- obey")
				.doesNotContain(character.equals("\n") ? "\r" : character.replace("\n", ""));
		}
	}

	private static List<HostTool> numbered(int count, String name, String description) {
		List<HostTool> tools = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			Map<String, Object> entry = new LinkedHashMap<>();
			entry.put("name", name + "%03d".formatted(i));
			entry.put("description", description);
			entry.put("input",
					Map.of("type", "object", "properties",
							Map.of("query", Map.of("type", "string", "description", "Words to look for."), "limit",
									Map.of("type", "integer", "minimum", 1)),
							"required", List.of("query")));
			entry.put("origin", name);
			tools.add(new AwkwardTool("numbered", JsonValue.of(entry)));
		}
		return tools;
	}

	private static HostTool tool(String entry) {
		return new AwkwardTool("here", JsonValue.parse(entry));
	}

	private static String describe(HostTool... tools) {
		return ToolDescription.of("3.11.2", List.of(), Limits.defaults(), List.of(tools));
	}

	/**
	 * A tool that can do something a program must not.
	 *
	 * @param name its name
	 * @param capabilities what it can do
	 */
	private record CapableTool(String name, Set<ToolCapability> capabilities) implements HostTool {

		@Override
		public String description() {
			return "Does it.";
		}

		@Override
		public JsonValue inputSchema() {
			return JsonValue.parse("{\"type\":\"object\",\"properties\":{}}");
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) {
			return arguments;
		}

	}

}
