package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The tools every program has: to find the others, to learn of one, and to read a result
 * that is too large for a reply. Each of them is called, counted and recorded as any
 * other tool is.
 */
final class BuiltInTools {

	static final String LIST_TOOLS = "list_tools";

	static final String GET_TOOL_INFO = "get_tool_info";

	static final String READ_TOOL_OUTPUT = "read_tool_output";

	/** No other tool can have these names. */
	static final Set<String> NAMES = Set.of(LIST_TOOLS, GET_TOOL_INFO, READ_TOOL_OUTPUT);

	private static final int MOST_LISTED = 200;

	private static final int MOST_SENTENCE = 200;

	private static final JsonValue LIST_INPUT = JsonValue.parse("""
			{
				"type": "object",
				"properties": {
					"query": {
						"type": "string",
						"description": "Only tools whose name or description has this text, in any case."
					},
					"offset": {"type": "integer", "minimum": 0, "default": 0},
					"limit": {"type": "integer", "minimum": 1, "maximum": %d, "default": %d}
				},
				"additionalProperties": false
			}""".formatted(MOST_LISTED, MOST_LISTED));

	private static final JsonValue LIST_OUTPUT = JsonValue.parse("""
			{
				"type": "object",
				"properties": {
					"tools": {
						"type": "array",
						"items": {
							"type": "object",
							"properties": {
								"name": {"type": "string"},
								"description": {"type": "string"}
							},
							"required": ["name", "description"]
						}
					},
					"total": {"type": "integer"},
					"next": {"type": ["integer", "null"], "description": "The offset of the next page."}
				},
				"required": ["tools", "total", "next"]
			}""");

	private static final JsonValue INFO_INPUT = JsonValue.parse("""
			{
				"type": "object",
				"properties": {"name": {"type": "string", "description": "The name of a tool, as in TOOLS."}},
				"required": ["name"],
				"additionalProperties": false
			}""");

	private static final JsonValue INFO_OUTPUT = JsonValue.parse("""
			{
				"type": "object",
				"properties": {
					"name": {"type": "string"},
					"description": {"type": "string"},
					"signature": {"type": "string", "description": "How to call it, with all types, as Python."},
					"inputSchema": {"type": "object"},
					"outputSchema": {"type": ["object", "null"]},
					"note": {"type": ["string", "null"]}
				},
				"required": ["name", "description", "signature", "inputSchema", "outputSchema", "note"]
			}""");

	private BuiltInTools() {
	}

	/**
	 * Return the tools for one execution.
	 * @param offered the tools it may call
	 * @param stored the large results of its calls
	 * @return the tools
	 */
	static List<HostTool> of(List<HostTool> offered, StoredResults stored) {
		Map<String, HostTool> named = new LinkedHashMap<>();
		offered.forEach((tool) -> named.put(tool.name(), tool));
		return List.of(
				new BuiltIn(LIST_TOOLS, "Lists the tools this program may call, a page at a time.", LIST_INPUT,
						LIST_OUTPUT, (arguments) -> list(named, arguments)),
				new BuiltIn(GET_TOOL_INFO, "Tells all there is to know of one tool.", INFO_INPUT, INFO_OUTPUT,
						(arguments) -> info(named, arguments)),
				new BuiltIn(READ_TOOL_OUTPUT, StoredResults.DESCRIPTION, StoredResults.INPUT, Pages.OUTPUT,
						stored::read));
	}

	private static JsonValue list(Map<String, HostTool> named, JsonValue arguments) {
		String query = arguments.string("query");
		int offset = number(arguments, "offset", 0);
		int limit = number(arguments, "limit", MOST_LISTED);
		List<HostTool> found = named.values().stream().filter((tool) -> matches(tool, query)).toList();
		List<Map<String, String>> page = new ArrayList<>();
		found.stream()
			.skip(offset)
			.limit(limit)
			.forEach((tool) -> page
				.add(Map.of("name", tool.name(), "description", clip(tool.description().strip(), MOST_SENTENCE))));
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("tools", page);
		json.put("total", found.size());
		json.put("next", (offset + page.size() < found.size()) ? offset + page.size() : null);
		return JsonValue.of(json);
	}

	private static boolean matches(HostTool tool, @Nullable String query) {
		return query == null || contains(tool.name(), query) || contains(tool.description(), query);
	}

	private static boolean contains(String text, String part) {
		return text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
	}

	private static JsonValue info(Map<String, HostTool> named, JsonValue arguments) throws ToolCallException {
		String name = String.valueOf(arguments.string("name"));
		HostTool tool = named.get(name);
		if (tool == null) {
			String nearest = Nearest.to(name, named.keySet());
			throw new ToolCallException(ToolFailureKind.BAD_ARGUMENTS,
					"No tool of that name is offered to this program."
							+ ((nearest != null) ? " The nearest name is `" + nearest + "`." : ""));
		}
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("name", tool.name());
		json.put("description", tool.description());
		json.put("signature", Signature.of(tool));
		json.put("inputSchema", tool.inputSchema());
		json.put("outputSchema", tool.outputSchema());
		json.put("note", note(tool));
		return JsonValue.of(json);
	}

	private static @Nullable String note(HostTool tool) {
		if (tool.capabilities().stream().anyMatch(ToolCapability::isOffered)) {
			return "A program's call of it is refused. Call it directly, outside of a program.";
		}
		String problem = PythonNames.problem(tool.name());
		return (problem != null) ? "It has no function, since " + problem + ": call it by call_tool." : null;
	}

	private static String clip(String text, int most) {
		if (text.length() <= most) {
			return text;
		}
		return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most) + "...";
	}

	static int number(JsonValue arguments, String name, int absent) {
		Long given = arguments.integer(name);
		return (given != null) ? (int) Math.min(given, Integer.MAX_VALUE) : absent;
	}

	/**
	 * One of the tools.
	 *
	 * @param name its name
	 * @param description what it is for
	 * @param inputSchema the shape of its arguments
	 * @param outputSchema the shape of its result
	 * @param action what it does
	 */
	private record BuiltIn(String name, String description, JsonValue inputSchema, JsonValue outputSchema,
			Action action) implements HostTool {

		@Override
		public String origin() {
			return "psych-sandbox";
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) throws ToolCallException {
			return this.action.call(arguments);
		}

	}

	/**
	 * What a tool does.
	 */
	@FunctionalInterface
	private interface Action {

		JsonValue call(JsonValue arguments) throws ToolCallException;

	}

}
