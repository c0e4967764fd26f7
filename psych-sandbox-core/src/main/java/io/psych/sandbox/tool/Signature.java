package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A tool as the head of a Python function, with the classes it needs before it. What is
 * no function is shown as {@code call_tool} would be called for it.
 */
final class Signature {

	/** What a model reads where it is not told the shape of a result. */
	static final String SHAPE_UNKNOWN = "shape unknown: print one item first";

	private static final String INDENT = "    ";

	/** What an optional argument without a default is given in signatures. */
	private static final String ABSENT = " = ...";

	private static final int MOST_DEFAULT = 60;

	private final HostTool tool;

	private final Detail detail;

	private final TypeNames names;

	private final String prefix;

	private final Schemas input;

	private final Parameters parameters;

	private Signature(HostTool tool, Detail detail, TypeNames names) {
		this.tool = tool;
		this.detail = detail;
		this.names = names;
		String part = TypeNames.part(tool.name());
		this.prefix = (part.isEmpty() || Character.isDigit(part.charAt(0))) ? "Tool" + part : part;
		this.input = new Schemas(tool.inputSchema());
		this.parameters = Parameters.of(this.input);
	}

	/**
	 * Return all that is known of the shape of one tool.
	 * @param tool the tool
	 * @return the signature, without a line end after it
	 */
	static String of(HostTool tool) {
		return of(tool, Detail.WHOLE, new TypeNames(List.of(tool.name())));
	}

	/**
	 * Return a signature in a text of several.
	 * @param tool the tool
	 * @param detail how much is shown
	 * @param names the names of classes in the same text
	 * @return the signature, without a line end after it
	 */
	static String of(HostTool tool, Detail detail, TypeNames names) {
		return new Signature(tool, detail, names).render();
	}

	/**
	 * Return whether a tool is shown as a function: it is one in every program, and its
	 * name means nothing else in signatures.
	 */
	static boolean isFunction(HostTool tool) {
		return PythonNames.problem(tool.name()) == null && !TypeNames.TYPING.contains(tool.name());
	}

	private String render() {
		Map<String, @Nullable Object> root = this.input.resolve(this.input.root());
		List<String> remarks = new ArrayList<>();
		PythonTypes given = new PythonTypes(this.input, this.prefix, this.detail, true, this.names);
		String head = isFunction(this.tool) ? function(given, root, remarks) : overload(given, remarks);
		if (!this.parameters.ways().isEmpty() && this.detail.remark() > 0) {
			remarks.add("Needs " + PythonText.prose(this.parameters.waysInWords(), this.detail.description()) + ".");
		}
		JsonValue output = this.tool.outputSchema();
		String result = "Any";
		List<String> definitions = new ArrayList<>(given.definitions());
		if (output != null) {
			Schemas schemas = new Schemas(output);
			PythonTypes received = new PythonTypes(schemas, this.prefix, this.detail, false, this.names);
			result = received.of(output.toJava(), this.prefix + "Result");
			String remark = received.remark(schemas.resolve(output.toJava()), received.takeNotes());
			if (!remark.isEmpty()) {
				remarks.add("Returns: " + remark);
			}
			definitions.addAll(received.definitions());
		}
		boolean unknown = result.equals("Any") && this.detail.remark() > 0;
		return String.join("", definitions) + head + " -> " + result + ":" + (unknown ? "  # " + SHAPE_UNKNOWN : "")
				+ "\n" + docstring(remarks);
	}

	private String function(PythonTypes types, Map<String, @Nullable Object> root, List<String> remarks) {
		List<String> parameters = new ArrayList<>();
		Map<String, @Nullable Object> others = new LinkedHashMap<>();
		List<String> lines = new ArrayList<>();
		int left = 0;
		for (String name : this.parameters.names()) {
			Object schema = this.parameters.schemas().get(name);
			String given = spelled(name);
			if (given == null) {
				others.put(name, schema);
				continue;
			}
			if (parameters.size() >= this.detail.members()) {
				left++;
				continue;
			}
			String type = types.of(schema, this.prefix + TypeNames.part(name));
			Map<String, @Nullable Object> resolved = this.input.resolve(schema);
			String remark = types.remark(resolved, types.takeNotes());
			if (!type.equals("Never") || this.parameters.required().contains(name)) {
				parameters
					.add(given + ": " + type + (this.parameters.required().contains(name) ? "" : defaultOf(resolved)));
				add(lines, given, (this.detail.remark() == 0) ? ""
						: given.equals(name) ? remark : joined("sent as " + PythonText.literal(name), remark));
			}
		}
		if (left > 0 && this.detail.remark() > 0) {
			lines.add("And " + left + " more arguments that are not shown.");
		}
		String more = more(types, root, others, left, lines);
		remarks.addAll(lines);
		StringBuilder head = new StringBuilder("async def ").append(this.tool.name()).append('(');
		head.append(parameters.isEmpty() ? "" : "*, " + String.join(", ", parameters));
		head.append((parameters.isEmpty() || more.isEmpty()) ? "" : ", ").append(more);
		return head.append(')').toString();
	}

	/** Arguments that can't be spelled, or have no names. */
	private String more(PythonTypes types, Map<String, @Nullable Object> root, Map<String, @Nullable Object> others,
			int left, List<String> lines) {
		Object additional = root.get("additionalProperties");
		String type = "";
		if (left > 0) {
			type = "Any";
		}
		else if (!others.isEmpty()) {
			Set<String> needed = new LinkedHashSet<>(this.parameters.required());
			needed.retainAll(others.keySet());
			type = "Unpack[" + types.others(others, needed) + "]";
			if (this.detail.remark() > 0) {
				lines.add("Names that can't be spelled are given as **{"
						+ PythonText.literal(others.keySet().iterator().next()) + ": value}.");
			}
		}
		else if (additional instanceof Map) {
			type = types.of(additional, this.prefix + "Value");
			lines.addAll(types.takeNotes());
		}
		else if (!root.containsKey("properties") && !Boolean.FALSE.equals(additional)) {
			type = "Any";
		}
		String name = this.parameters.schemas().isEmpty() ? "arguments" : "others";
		while (this.parameters.schemas().containsKey(name)) {
			name += "_";
		}
		return type.isEmpty() ? "" : "**" + name + ": " + type;
	}

	/**
	 * Return how the argument is spelled in a call.
	 * @return the name, for a keyword with an underscore that the gateway takes off, or
	 * {@code null} when it can't be spelled
	 */
	private @Nullable String spelled(String name) {
		if (PythonNames.isArgument(name)) {
			return name;
		}
		String evading = name + "_";
		return (PythonNames.KEYWORDS.contains(name) && !this.parameters.schemas().containsKey(evading)) ? evading
				: null;
	}

	private static String defaultOf(Map<String, @Nullable Object> schema) {
		if (!schema.containsKey("default")) {
			return ABSENT;
		}
		String literal = PythonText.literal(schema.get("default"));
		return (literal.length() <= MOST_DEFAULT) ? " = " + literal : ABSENT;
	}

	private String overload(PythonTypes types, List<String> remarks) {
		String literal = PythonText.literal(this.tool.name());
		String type = this.parameters.schemas().isEmpty() ? "dict[str, Any]"
				: types.arguments(this.parameters.schemas(), this.parameters.required());
		Map<String, @Nullable Object> sample = Sample.arguments(this.tool.inputSchema());
		if (this.detail.remark() > 0) {
			remarks.add("await call_tool(" + literal + ", " + PythonText.literal(sample) + ")");
		}
		return "@overload\nasync def call_tool(name: Literal[" + literal + "], arguments: " + type
				+ (this.parameters.required().isEmpty() ? ABSENT : "") + ")";
	}

	private String docstring(List<String> remarks) {
		List<String> lines = new ArrayList<>();
		String refusal = ToolGateway.whyDirect(this.tool);
		if (refusal != null) {
			lines.add("Refused to programs (" + refusal + "): call it directly.");
		}
		String prose = PythonText.prose(this.tool.description(), this.detail.description());
		String description = (this.detail.remark() > 0) ? prose : PythonText.sentence(prose);
		if (!description.isEmpty()) {
			lines.add(description);
		}
		if (!remarks.isEmpty()) {
			if (!lines.isEmpty()) {
				lines.add("");
			}
			lines.addAll(remarks);
		}
		if (lines.isEmpty()) {
			return INDENT + "...";
		}
		String quotes = "\"\"\"";
		if (lines.size() == 1) {
			return INDENT + quotes + PythonText.inDocstring(lines.get(0)) + quotes;
		}
		String text = PythonText.inDocstring(String.join("\n", lines) + "\n");
		return INDENT + quotes + text.replaceAll("\n(?!\n|$)", "\n" + INDENT) + INDENT + quotes;
	}

	private static void add(Collection<String> lines, String name, String remark) {
		if (!remark.isEmpty()) {
			lines.add(name + ": " + remark);
		}
	}

	private static String joined(String one, String other) {
		return other.isEmpty() ? one : one + "; " + other;
	}

}
