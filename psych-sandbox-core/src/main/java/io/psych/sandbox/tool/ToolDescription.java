package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import org.jspecify.annotations.Nullable;

/**
 * What the model is told of the program's world: when to write a program, the rules, the
 * limits as numbers and the tools with their arguments. The same tools and limits give
 * the same text, byte for byte.
 *
 * @since 0.1.0
 */
public final class ToolDescription {

	/** Beyond that the list is cut and says so. */
	private static final int MOST_CHARACTERS = 16_000;

	private static final int MOST_SENTENCE = 200;

	private static final String RULES = """
			Runs one Python program and returns what it printed and the value of its last expression. Use it for \
			several tool calls, loops, filtering, joining and computing. Do not use it for a single small call: call \
			that tool directly.

			The program's world:
			- Python %s, standard library only. No network, no files of the host, no input(). Files are relative to \
			the working folder. Nothing is kept between programs: each starts fresh.
			- The tools below are already in scope. Do not import or redefine them. Call them with keyword arguments \
			and await them: `rows = await name(argument=value)`. A tool whose name is no usable identifier is called \
			by `await call_tool("its-name", {"argument": value})`. Top-level await, asyncio.gather and return work. \
			In a thread, `name(argument=value).result()` waits for the result.
			- Calls return parsed objects, not JSON text. An argument named like a keyword gets a trailing \
			underscore: `from_=`.
			- A call that fails raises ToolError with `kind` and `tool`; siblings in asyncio.gather go on only with \
			return_exceptions=True.
			- Return the answer as the last expression or print it. Return plain data, and little of it.
			- Limits: %d s of CPU, %d s in all with waiting for tools, %d MiB of memory, %d KiB kept of each of stdout \
			and stderr (head and tail), %d KiB of value.
			""";

	private ToolDescription() {
	}

	/**
	 * Return the description.
	 * @param pythonVersion the version of the interpreter
	 * @param limits the limits of a program
	 * @param tools the tools it may call
	 * @return the text
	 */
	public static String of(String pythonVersion, Limits limits, List<HostTool> tools) {
		StringBuilder text = new StringBuilder(RULES.formatted(pythonVersion, limits.cpu().toSeconds(),
				limits.wallTime().toSeconds(), limits.addressSpace().bytes() >> 20, limits.stream().bytes() >> 10,
				limits.value().bytes() >> 10));
		List<HostTool> sorted = new ArrayList<>(tools);
		sorted.sort(Comparator.comparing(HostTool::name));
		List<String> lines = new ArrayList<>();
		int length = text.length();
		for (HostTool tool : sorted) {
			String line = line(tool);
			if (length + line.length() > MOST_CHARACTERS) {
				break;
			}
			length += line.length();
			lines.add(line);
		}
		text.append("\nTools (")
			.append((lines.size() == sorted.size()) ? "complete"
					: lines.size() + " of " + sorted.size() + ", the names of all are in TOOLS")
			.append("):\n");
		lines.forEach(text::append);
		return text.toString();
	}

	private static String line(HostTool tool) {
		List<String> arguments = new ArrayList<>();
		List<String> required = tool.inputSchema().strings("required");
		JsonValue properties = tool.inputSchema().member("properties");
		if (properties != null) {
			properties.members()
				.forEach((name, schema) -> arguments.add(oneLine(name) + type(schema)
						+ ((required != null && required.contains(name)) ? "" : " = ...")));
		}
		return "- " + oneLine(tool.name()) + "(" + String.join(", ", arguments) + "): " + sentence(tool.description())
				+ "\n";
	}

	private static String type(@Nullable Object schema) {
		Object type = (schema instanceof Map<?, ?> map) ? map.get("type") : null;
		if (!(type instanceof String name)) {
			return "";
		}
		return ": " + switch (name) {
			case "string" -> "str";
			case "integer" -> "int";
			case "number" -> "float";
			case "boolean" -> "bool";
			case "array" -> "list";
			case "object" -> "dict";
			default -> "None";
		};
	}

	private static String sentence(String description) {
		String line = oneLine(description).strip();
		int end = line.indexOf(". ");
		String first = (end >= 0) ? line.substring(0, end + 1) : line;
		if (first.length() <= MOST_SENTENCE) {
			return first;
		}
		// Half a surrogate pair is no text.
		boolean cutsPair = Character.isHighSurrogate(first.charAt(MOST_SENTENCE - 1));
		return first.substring(0, cutsPair ? MOST_SENTENCE - 1 : MOST_SENTENCE) + "...";
	}

	/** What comes from third parties must not begin a line of its own. */
	private static String oneLine(String text) {
		return text.replaceAll("[\\s\\p{Cc}\\p{Zl}\\p{Zp}]+", " ");
	}

}
