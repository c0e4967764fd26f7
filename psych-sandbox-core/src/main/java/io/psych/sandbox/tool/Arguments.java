package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks arguments against a tool's JSON Schema and says what is wrong in the tool's own
 * words: which argument, what was given, what is accepted.
 */
final class Arguments {

	private static final Logger logger = LoggerFactory.getLogger(Arguments.class);

	/**
	 * Python's keywords can't be written as arguments: a program writes {@code from_}.
	 */
	private static final Set<String> KEYWORDS = Set.of("False", "None", "True", "and", "as", "assert", "async", "await",
			"break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
			"if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
			"with", "yield");

	private static final int MOST_SHOWN = 80;

	private static final int MOST_PROBLEMS = 5;

	/**
	 * More schemas than that are not kept: a catalogue that changes all the time must not
	 * grow.
	 */
	private static final int MOST_KEPT = 4096;

	// No schema is ever loaded from elsewhere: a reference to an address is a broken
	// schema.
	private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

	private final Map<JsonValue, Schema> schemas = new ConcurrentHashMap<>();

	/**
	 * Return the arguments under the names the schema has: a trailing underscore that
	 * only evades a keyword is taken off.
	 */
	JsonValue named(JsonValue arguments, JsonValue schema) {
		Map<String, @Nullable Object> properties = properties(schema);
		boolean evades = arguments.members().keySet().stream().anyMatch((name) -> evaded(name, properties) != null);
		if (!evades) {
			return arguments;
		}
		Map<String, @Nullable Object> renamed = new LinkedHashMap<>();
		arguments.members().forEach((name, value) -> {
			String evaded = evaded(name, properties);
			renamed.put((evaded != null) ? evaded : name, value);
		});
		return JsonValue.of(renamed);
	}

	private static @Nullable String evaded(String name, Map<String, @Nullable Object> properties) {
		String keyword = name.endsWith("_") ? name.substring(0, name.length() - 1) : "";
		return (KEYWORDS.contains(keyword) && properties.containsKey(keyword) && !properties.containsKey(name))
				? keyword : null;
	}

	/**
	 * Return what is wrong with arguments.
	 * @param tool the name of the tool
	 * @param arguments the arguments
	 * @param schema the tool's schema
	 * @return what is wrong, or {@code null} when nothing is
	 */
	@Nullable String problem(String tool, JsonValue arguments, JsonValue schema) {
		List<String> problems = new ArrayList<>();
		Map<String, @Nullable Object> properties = properties(schema);
		List<String> required = schema.strings("required");
		boolean closed = Boolean.FALSE.equals(schema.members().get("additionalProperties"));
		for (String name : arguments.members().keySet()) {
			if (closed && !properties.containsKey(name)) {
				String nearest = Nearest.to(name, properties.keySet());
				problems.add("`%s` is not an argument of %s%s".formatted(name, tool,
						(nearest != null) ? "; did you mean `" + nearest + "`?" : ""));
			}
		}
		for (String name : (required != null) ? required : List.<String>of()) {
			if (!arguments.members().containsKey(name)) {
				problems.add("the argument `%s` is missing".formatted(name));
			}
		}
		if (problems.isEmpty()) {
			problems.addAll(invalid(tool, arguments, schema));
		}
		if (problems.isEmpty()) {
			return null;
		}
		return String.join("; ", problems) + ". " + tool + " takes " + accepted(properties, required) + ".";
	}

	private List<String> invalid(String tool, JsonValue arguments, JsonValue schema) {
		List<String> problems = new ArrayList<>();
		try {
			for (Error error : compiled(schema).validate(arguments.toJson(), InputFormat.JSON)) {
				if (problems.size() < MOST_PROBLEMS) {
					problems.add("argument `%s` is %s, but %s".formatted(
							error.getInstanceLocation().toString().replaceFirst("^[$/.]+", ""),
							shown(error.getInstanceNode()), error.getMessage()));
				}
			}
		}
		catch (RuntimeException ex) {
			// A third party's schema that is itself broken, or one that its validator
			// can't
			// apply to these arguments: the tool checks its arguments itself.
			logger.warn("The input schema of tool {} can't be applied: {}", tool, ex.toString());
		}
		return problems;
	}

	private Schema compiled(JsonValue schema) {
		if (this.schemas.size() >= MOST_KEPT) {
			this.schemas.clear();
		}
		return this.schemas.computeIfAbsent(schema,
				(absent) -> this.registry.getSchema(absent.toJson(), InputFormat.JSON));
	}

	private static String shown(@Nullable Object value) {
		String text = String.valueOf(value);
		return (text.length() <= MOST_SHOWN) ? text : text.substring(0, MOST_SHOWN) + "...";
	}

	private static String accepted(Map<String, @Nullable Object> properties, @Nullable List<String> required) {
		if (properties.isEmpty()) {
			return "no arguments";
		}
		List<String> names = new ArrayList<>();
		properties.keySet()
			.forEach((name) -> names
				.add("`" + name + "`" + ((required == null || !required.contains(name)) ? " (optional)" : "")));
		return String.join(", ", names);
	}

	private static Map<String, @Nullable Object> properties(JsonValue schema) {
		JsonValue properties = schema.member("properties");
		return (properties != null) ? properties.members() : Map.of();
	}

}
