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
import com.networknt.schema.SchemaException;
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

	private static final int MOST_MESSAGE = 500;

	private static final int MOST_PROBLEMS = 5;

	/**
	 * A program can be wrong a million times in one call, and each problem costs a
	 * hundred times its characters. Beyond that many the first problem has to do.
	 */
	private static final int MOST_CHARACTERS_TO_CHECK_WHOLE = 64 * 1024;

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
		Set<String> given = arguments.members().keySet();
		boolean evades = given.stream().anyMatch((name) -> evaded(name, given, properties) != null);
		if (!evades) {
			return arguments;
		}
		Map<String, @Nullable Object> renamed = new LinkedHashMap<>();
		arguments.members().forEach((name, value) -> {
			String evaded = evaded(name, given, properties);
			renamed.put((evaded != null) ? evaded : name, value);
		});
		return JsonValue.of(renamed);
	}

	private static @Nullable String evaded(String name, Set<String> given, Map<String, @Nullable Object> properties) {
		String keyword = name.endsWith("_") ? name.substring(0, name.length() - 1) : "";
		return (KEYWORDS.contains(keyword) && properties.containsKey(keyword) && !properties.containsKey(name)
				&& !given.contains(keyword)) ? keyword : null;
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
			if (closed && !properties.containsKey(name) && problems.size() < MOST_PROBLEMS) {
				String shown = clip(name, MOST_SHOWN);
				String nearest = Nearest.to(shown, properties.keySet());
				problems.add("`%s` is not an argument of %s%s".formatted(shown, tool,
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
			String json = arguments.toJson();
			boolean firstOnly = json.length() > MOST_CHARACTERS_TO_CHECK_WHOLE;
			List<Error> errors = compiled(schema).validate(json, InputFormat.JSON,
					(context) -> context.executionConfig((config) -> config.failFast(firstOnly)));
			for (Error error : errors.subList(0, Math.min(errors.size(), MOST_PROBLEMS))) {
				String path = error.getInstanceLocation().toString().replaceFirst("^[$/.]+", "");
				String what = path.isEmpty() ? "the whole of the arguments"
						: "argument `" + clip(path, MOST_SHOWN) + "`";
				problems
					.add("%s is %s, but %s".formatted(what, clip(String.valueOf(error.getInstanceNode()), MOST_SHOWN),
							clip(String.valueOf(error.getMessage()), MOST_MESSAGE)));
			}
		}
		catch (SchemaException ex) {
			// A third party's schema that is itself broken: the tool checks its arguments
			// itself.
			logger.warn("The input schema of tool {} can't be applied: {}", tool, ex.toString());
		}
		catch (RuntimeException | StackOverflowError ex) {
			// The validator reads shorter numbers and names than we do. A program must
			// not evade it with one that is longer.
			logger.debug("Arguments for tool {} can't be checked", tool, ex);
			problems
				.add("the arguments can't be checked: a number or a name in them is too long, or they are too deep");
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

	private static String clip(String text, int most) {
		return (text.length() <= most) ? text : text.substring(0, most) + "...";
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
