package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.Collection;
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
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.log.Quoted;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks arguments against a tool's JSON Schema and says what is wrong in the tool's own
 * words: which argument, what was given, what is accepted.
 */
final class Arguments {

	private static final Logger logger = LoggerFactory.getLogger(Arguments.class);

	private static final int MOST_SHOWN = 80;

	/** Of the names a tool accepts, so many are told. */
	private static final int MOST_NAMES = 40;

	private static final int MOST_PROBLEMS = 5;

	/**
	 * A program can be wrong a million times in one call, and each problem costs a
	 * hundred times its characters. Beyond that many the first problem has to do.
	 */
	private static final int MOST_CHARACTERS_TO_CHECK_WHOLE = 64 * 1024;

	/**
	 * A schema can double the work with every level of itself. A million strings in one
	 * list take two million steps, a second or two.
	 */
	private static final long MOST_STEPS = 3_000_000;

	/**
	 * More schemas than that are not kept: a catalogue that changes all the time must not
	 * grow.
	 */
	private static final int MOST_KEPT = 4096;

	// No schema is ever loaded from elsewhere: a reference to an address is a broken
	// schema.
	// What a format is, its draft decides: to check none of them is the same for all.
	private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12,
			(builder) -> builder.schemaRegistryConfig(SchemaRegistryConfig.builder()
				.regularExpressionFactory(new LinearPatterns())
				.formatAssertionsEnabled(false)
				.build()));

	private final Map<JsonValue, Known> known = new ConcurrentHashMap<>();

	/**
	 * Return the arguments under the names the schema has: a trailing underscore that
	 * only evades a keyword is taken off.
	 */
	JsonValue named(JsonValue arguments, JsonValue schema) {
		Map<String, @Nullable Object> properties = known(schema).parameters().schemas();
		Set<String> given = arguments.members().keySet();
		boolean evades = false;
		for (String name : given) {
			evades = evades || evaded(name, given, properties) != null;
		}
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
		if (!name.endsWith("_")) {
			return null;
		}
		String keyword = name.substring(0, name.length() - 1);
		return (PythonNames.KEYWORDS.contains(keyword) && properties.containsKey(keyword)
				&& !properties.containsKey(name) && !given.contains(keyword)) ? keyword : null;
	}

	/**
	 * Return what is wrong with arguments.
	 * @param tool the name of the tool
	 * @param arguments the arguments
	 * @param schema the tool's schema
	 * @return what is wrong, or {@code null} when nothing is
	 */
	@Nullable String problem(String tool, JsonValue arguments, JsonValue schema) {
		Known known = known(schema);
		PlainSchema plain = known.plain();
		if (plain != null && plain.fits(arguments.toJava())) {
			return null;
		}
		Map<String, @Nullable Object> properties = known.parameters().schemas();
		List<String> problems = new ArrayList<>();
		boolean closed = Boolean.FALSE.equals(schema.members().get("additionalProperties"))
				&& !schema.members().containsKey("patternProperties");
		for (String name : arguments.members().keySet()) {
			if (closed && !properties.containsKey(name) && problems.size() < MOST_PROBLEMS) {
				String nearest = Nearest.to(name, properties.keySet());
				problems.add("`" + shown(name) + "` is not an argument of " + shown(tool)
						+ ((nearest != null) ? "; did you mean `" + shown(nearest) + "`?" : ""));
			}
		}
		for (String name : known.parameters().required()) {
			if (!arguments.members().containsKey(name) && problems.size() < 2 * MOST_PROBLEMS) {
				problems.add("the argument `" + shown(name) + "` is missing");
			}
		}
		if (problems.isEmpty()) {
			problems.addAll(invalid(tool, arguments, schema, known));
		}
		if (problems.isEmpty()) {
			return null;
		}
		String told = String.join("; ", problems);
		return told + (told.endsWith("?") ? " " : ". ") + shown(tool) + " takes " + accepted(known.parameters()) + ".";
	}

	private static String shown(String name) {
		return PythonText.prose(name, MOST_SHOWN);
	}

	private Collection<String> invalid(String tool, JsonValue arguments, JsonValue schema, Known known) {
		Schema compiled = known.schema();
		if (compiled == null) {
			return List.of();
		}
		try {
			String json = arguments.toJson();
			boolean firstOnly = json.length() > MOST_CHARACTERS_TO_CHECK_WHOLE;
			List<Error> errors = LinearPatterns
				.validated(() -> compiled.validate(json, InputFormat.JSON, (context) -> context
					.executionConfig((config) -> config.failFast(firstOnly).maxEvaluationSteps(MOST_STEPS))));
			return WrongArguments.of(errors, schema, arguments, MOST_PROBLEMS);
		}
		catch (SchemaException ex) {
			warn(ex);
			return List.of();
		}
		catch (RuntimeException | StackOverflowError ex) {
			// The validator reads shorter numbers and names than we do, and goes on for
			// so
			// many steps. A program must not evade it with what takes longer.
			if (logger.isDebugEnabled()) {
				logger.debug("Arguments for tool {} can't be checked", Quoted.text(tool), Quoted.problem(ex));
			}
			return List
				.of("the arguments can't be checked: a number, name or text in them is too long, or they are too deep");
		}
	}

	private Known known(JsonValue schema) {
		if (this.known.size() >= MOST_KEPT) {
			this.known.clear();
		}
		return this.known.computeIfAbsent(schema, this::read);
	}

	private Known read(JsonValue schema) {
		Parameters parameters = Parameters.of(new Schemas(schema));
		try {
			return new Known(parameters, this.registry.getSchema(schema.toJson(), InputFormat.JSON),
					PlainSchema.of(schema.toJava()));
		}
		catch (SchemaException ex) {
			warn(ex);
			return new Known(parameters, null, null);
		}
	}

	/**
	 * A third party's schema that is itself broken: the tool checks its arguments itself.
	 */
	private static void warn(SchemaException ex) {
		logger.warn("The input schema of a tool can't be applied: {}", Quoted.text(ex.toString()));
	}

	private static String accepted(Parameters parameters) {
		List<String> names = new ArrayList<>();
		for (String name : parameters.names()) {
			if (names.size() == MOST_NAMES) {
				names.add((parameters.schemas().size() - MOST_NAMES) + " more");
				break;
			}
			names.add("`" + shown(name) + "`" + (parameters.required().contains(name) ? "" : " (optional)"));
		}
		return names.isEmpty() ? "no arguments" : String.join(", ", names);
	}

	/**
	 * What is known of a schema.
	 *
	 * @param parameters the arguments it names
	 * @param schema what checks them, or {@code null} when it is broken
	 * @param plain what finds most of them right without it, or {@code null} where there
	 * is none
	 */
	private record Known(Parameters parameters, @Nullable Schema schema, @Nullable PlainSchema plain) {

	}

}
