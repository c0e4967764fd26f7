package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One short program that calls one of the tools of the moment. A model copies what it is
 * shown, so the tool is real, one that reads if there is one, and the arguments pass its
 * schema.
 */
final class Example {

	private static final Set<String> READS = Set.of("get", "list", "search", "find", "read", "fetch", "query", "lookup",
			"show", "count", "describe", "check", "browse", "view", "status", "info", "stat", "current", "latest");

	private static final Set<String> CHANGES = Set.of("add", "approve", "assign", "book", "buy", "cancel", "charge",
			"clear", "close", "commit", "create", "delete", "deploy", "disable", "drop", "edit", "enable", "execute",
			"insert", "kill", "merge", "modify", "move", "order", "pay", "post", "publish", "purge", "push", "put",
			"reboot", "refund", "remove", "rename", "replace", "reset", "restart", "revoke", "run", "save", "send",
			"set", "shutdown", "start", "stop", "submit", "terminate", "transfer", "truncate", "update", "upload",
			"write");

	/** So many tools are tried, the plainest first. */
	private static final int MOST_TRIED = 8;

	private static final int MOST_CHARACTERS = 400;

	private Example() {
	}

	/**
	 * Return a program.
	 * @param tools the tools a program may call
	 * @param arguments knows which arguments a tool would refuse
	 * @return the program, or {@code null} when no tool is fit to be called for show
	 */
	static @Nullable String of(List<HostTool> tools, Arguments arguments) {
		List<Candidate> candidates = tools.stream()
			.map((tool) -> new Candidate(tool, rank(tool.name())))
			.filter((candidate) -> candidate.rank() >= 0)
			.sorted(Comparator.comparingInt(Candidate::rank)
				.thenComparing((candidate) -> !Signature.isFunction(candidate.tool()))
				.thenComparing((candidate) -> candidate.tool().outputSchema() == null)
				.thenComparing((candidate) -> candidate.required())
				.thenComparing((candidate) -> candidate.tool().name()))
			.limit(MOST_TRIED)
			.toList();
		for (Candidate candidate : candidates) {
			HostTool tool = candidate.tool();
			Map<String, @Nullable Object> sample = Sample.arguments(tool.inputSchema());
			String program = program(tool, sample);
			if (program.length() <= MOST_CHARACTERS
					&& arguments.problem(tool.name(), JsonValue.of(sample), tool.inputSchema()) == null) {
				return program;
			}
		}
		return null;
	}

	/**
	 * Return whether a tool reads, by its name: 0 when it does, 1 when that is not known,
	 * -1 when it seems to change something.
	 */
	private static int rank(String name) {
		boolean reads = false;
		for (String word : name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT).split("[^a-z]+")) {
			if (CHANGES.contains(word)) {
				return -1;
			}
			reads |= READS.contains(word);
		}
		return reads ? 0 : 1;
	}

	private static String program(HostTool tool, Map<String, @Nullable Object> sample) {
		String call = "await " + call(tool, sample);
		JsonValue output = tool.outputSchema();
		Schemas schemas = new Schemas((output != null) ? output : JsonValue.of(true));
		Map<String, @Nullable Object> result = schemas.resolve(schemas.root());
		String member = isOnly("array", result) ? member(schemas.resolve(result.get("items"))) : null;
		if (member != null) {
			return "rows = " + call + "\nprint(len(rows))\n[row[" + PythonText.literal(member)
					+ "] for row in rows[:10]]";
		}
		member = member(result);
		if (member != null) {
			return "result = " + call + "\nresult[" + PythonText.literal(member) + "]";
		}
		return (output != null) ? "result = " + call + "\nresult" : "result = " + call + "\nprint(str(result)[:500])";
	}

	/** Return a member that whatever fits a schema has. */
	private static @Nullable String member(Map<String, @Nullable Object> schema) {
		if (!isOnly("object", schema)) {
			return null;
		}
		return Schemas.required(schema)
			.stream()
			.filter(Schemas.members(schema.get("properties"))::containsKey)
			.min(Comparator.naturalOrder())
			.orElse(null);
	}

	private static boolean isOnly(String type, Map<String, @Nullable Object> schema) {
		return Schemas.strings(schema.get("type")).equals(List.of(type))
				&& !Boolean.TRUE.equals(schema.get("nullable"));
	}

	private static String call(HostTool tool, Map<String, @Nullable Object> sample) {
		boolean plain = Signature.isFunction(tool) && sample.keySet().stream().allMatch(PythonNames::isArgument);
		if (!plain) {
			return "call_tool(" + PythonText.literal(tool.name()) + ", " + PythonText.literal(sample) + ")";
		}
		List<String> given = new ArrayList<>();
		sample.forEach((name, value) -> given.add(name + "=" + PythonText.literal(value)));
		return tool.name() + "(" + String.join(", ", given) + ")";
	}

	/**
	 * A tool the example may call.
	 *
	 * @param tool the tool
	 * @param rank how little is known of what it does
	 */
	private record Candidate(HostTool tool, int rank) {

		int required() {
			return Schemas.list(this.tool.inputSchema().members().get("required")).size();
		}

	}

}
