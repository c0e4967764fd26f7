package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Says what a validator found wrong in the tool's own words: which argument, what was
 * given, what is accepted.
 */
final class WrongArguments {

	private static final int MOST_SHOWN = 80;

	private static final int MOST_ACCEPTED = 300;

	private static final int MOST_VALUES = 20;

	private static final int MOST_DEPTH = 3;

	private static final Set<String> UNIONS = Set.of("anyOf", "oneOf");

	/** The keywords by which the validator goes one step into a value. */
	private static final Set<String> STEPS = Set.of("properties", "patternProperties", "additionalProperties", "items",
			"prefixItems", "additionalItems", "contains", "unevaluatedProperties", "unevaluatedItems");

	/** Those of them that are followed by a name or a number of the schema. */
	private static final Set<String> NAMED_STEPS = Set.of("properties", "patternProperties", "prefixItems");

	private static final Map<String, List<String>> MEANT = new TreeMap<>(
			Map.of("string", List.of("minLength", "maxLength", "pattern", "format"), "number",
					List.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "array",
					List.of("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"), "object",
					List.of("properties", "required", "minProperties", "maxProperties", "propertyNames")));

	private final Schemas schemas;

	private final JsonValue arguments;

	private final Set<String> problems = new LinkedHashSet<>();

	private final int most;

	private WrongArguments(JsonValue schema, JsonValue arguments, int most) {
		this.schemas = new Schemas(schema);
		this.arguments = arguments;
		this.most = most;
	}

	/**
	 * Return what is wrong.
	 * @param errors what the validator found
	 * @param schema the schema
	 * @param arguments the arguments
	 * @param most how many problems are told
	 * @return one phrase for each
	 */
	static Collection<String> of(List<Error> errors, JsonValue schema, JsonValue arguments, int most) {
		WrongArguments wrong = new WrongArguments(schema, arguments, most);
		wrong.tell(errors, 0);
		return wrong.problems;
	}

	/** Tell each error, those of one union together. */
	private void tell(List<Error> errors, int from) {
		Map<String, List<Error>> unions = new LinkedHashMap<>();
		for (Error error : errors) {
			int union = union(error, from);
			String key = (union < 0) ? "" : key(error, union);
			unions.computeIfAbsent(key, (absent) -> new ArrayList<>()).add(error);
			if (union < 0) {
				unions.remove(key);
				tellOne(error);
			}
			if (this.problems.size() >= this.most) {
				return;
			}
		}
		for (List<Error> ofOne : unions.values()) {
			if (this.problems.size() < this.most) {
				tellUnion(ofOne, union(ofOne.get(0), from));
			}
		}
	}

	/** Return where in the path of an error the next union stands. */
	private static int union(Error error, int from) {
		NodePath path = error.getEvaluationPath();
		for (int i = from; i < path.getNameCount(); i++) {
			boolean isName = i > 0 && NAMED_STEPS.contains(String.valueOf(path.getElement(i - 1)));
			if (!isName && UNIONS.contains(String.valueOf(path.getElement(i)))) {
				return i;
			}
		}
		return -1;
	}

	private String key(Error error, int union) {
		StringBuilder key = new StringBuilder();
		for (int i = 0; i <= union; i++) {
			key.append(error.getEvaluationPath().getElement(i)).append('\n');
		}
		int depth = depth(error, union);
		for (int i = 0; i < Math.min(depth, error.getInstanceLocation().getNameCount()); i++) {
			key.append(error.getInstanceLocation().getElement(i)).append('\n');
		}
		return key.toString();
	}

	/** Return how deep in the arguments a part of the schema applies. */
	private static int depth(Error error, int end) {
		int depth = 0;
		NodePath path = error.getEvaluationPath();
		for (int i = 0; i < end; i++) {
			String element = String.valueOf(path.getElement(i));
			if (STEPS.contains(element)) {
				depth++;
				i += NAMED_STEPS.contains(element) ? 1 : 0;
			}
		}
		return depth;
	}

	/**
	 * Tell of a value that fits none of several ways. Where it is plainly meant to be one
	 * of them, what keeps it from being that is told.
	 */
	private void tellUnion(List<Error> errors, int union) {
		Map<String, List<Error>> ways = new LinkedHashMap<>();
		Error whole = null;
		for (Error error : errors) {
			if (error.getEvaluationPath().getNameCount() <= union + 1) {
				whole = error;
			}
			else {
				String way = String.valueOf(error.getEvaluationPath().getElement(union + 1));
				ways.computeIfAbsent(way, (absent) -> new ArrayList<>()).add(error);
			}
		}
		int depth = depth(errors.get(0), union);
		List<List<Error>> close = ways.values().stream().filter((way) -> isClose(way, depth)).toList();
		if (close.size() == 1) {
			tell(close.get(0), union + 2);
			return;
		}
		if (ways.isEmpty() && whole != null) {
			this.problems.add(what(path(whole, depth)) + " is " + given(whole, depth)
					+ ", which fits several ways of which it must fit exactly one");
			return;
		}
		Error first = errors.get(0);
		Object schema = at(first.getEvaluationPath(), union);
		this.problems.add(what(path(first, depth)) + " is " + given(first, depth) + ", but must be "
				+ clip(accepted(schema, 0), MOST_ACCEPTED));
	}

	/** A value of the right type, whose marks are right, was meant to be of that way. */
	private static boolean isClose(List<Error> way, int depth) {
		return way.stream().noneMatch((error) -> {
			int deeper = error.getInstanceLocation().getNameCount() - depth;
			return switch (error.getKeyword()) {
				case "type", "enum", "const" -> deeper <= (error.getKeyword().equals("const") ? 1 : 0);
				default -> false;
			};
		});
	}

	private void tellOne(Error error) {
		NodePath location = error.getInstanceLocation();
		int depth = location.getNameCount();
		String path = path(error, depth);
		String name = (error.getProperty() != null) ? PythonText.prose(error.getProperty(), MOST_SHOWN) : "";
		Object schema = at(error.getEvaluationPath(), error.getEvaluationPath().getNameCount() - 1);
		String keyword = String.valueOf(error.getKeyword());
		this.problems.add(switch (keyword) {
			case "required" ->
				(depth == 0) ? "the argument `" + name + "` is missing" : what(path) + " lacks `" + name + "`";
			case "dependentRequired", "dependencies" -> what(path) + " needs more beside `" + name + "`: "
					+ PythonText.prose(String.valueOf(error.getMessage()), MOST_SHOWN);
			case "additionalProperties", "unevaluatedProperties" -> "`" + (path.isEmpty() ? "" : path + ".") + name
					+ "` is not accepted" + meant(String.valueOf(error.getProperty()), schema);
			case "propertyNames" -> "`" + name + "` is no name for a member of " + what(path) + ", which must be "
					+ accepted(Schemas.members(schema).get("propertyNames"), 0);
			case "items", "additionalItems", "unevaluatedItems", "prefixItems" ->
				what(path) + " is " + given(error, depth) + ", which has too many elements";
			case "not", "false" -> what(path) + " is " + given(error, depth) + ", which is not accepted";
			default -> what(path) + " is " + given(error, depth) + ", but must be "
					+ clip(accepted(schema, 0), MOST_ACCEPTED) + nearest(error, depth, schema);
		});
	}

	private String meant(String name, @Nullable Object schema) {
		Map<String, @Nullable Object> properties = Schemas.members(this.schemas.resolve(schema).get("properties"));
		String nearest = Nearest.to(name, properties.keySet());
		if (nearest != null) {
			return "; did you mean `" + PythonText.prose(nearest, MOST_SHOWN) + "`?";
		}
		return properties.isEmpty() ? "" : ", only " + quoted(properties.keySet().stream().sorted().toList());
	}

	private String nearest(Error error, int depth, @Nullable Object schema) {
		Object value = value(error, depth);
		List<String> values = Schemas.strings(this.schemas.resolve(schema).get("enum"));
		String nearest = (value instanceof String text && values.size() > 1) ? Nearest.to(text, values) : null;
		return (nearest != null) ? "; did you mean " + PythonText.literal(nearest) + "?" : "";
	}

	private static String what(String path) {
		return path.isEmpty() ? "the whole of the arguments" : "argument `" + path + "`";
	}

	private static String path(Error error, int depth) {
		StringBuilder path = new StringBuilder();
		NodePath location = error.getInstanceLocation();
		for (int i = 0; i < Math.min(depth, location.getNameCount()); i++) {
			Object element = location.getElement(i);
			if (element instanceof String name && PythonNames.isIdentifier(name)) {
				path.append((i > 0) ? "." : "").append(name);
			}
			else if (i == 0) {
				path.append(PythonText.prose(String.valueOf(element), MOST_SHOWN));
			}
			else {
				path.append('[').append(PythonText.literal(element)).append(']');
			}
		}
		return clip(path.toString(), MOST_SHOWN);
	}

	private String given(Error error, int depth) {
		return clip(PythonText.literal(value(error, depth)), MOST_SHOWN);
	}

	private @Nullable Object value(Error error, int depth) {
		Object value = this.arguments.toJava();
		NodePath location = error.getInstanceLocation();
		for (int i = 0; i < Math.min(depth, location.getNameCount()); i++) {
			Object element = location.getElement(i);
			if (value instanceof List<?> list && element instanceof Integer index && index < list.size()) {
				value = list.get(index);
			}
			else {
				value = Schemas.members(value).get(String.valueOf(element));
			}
		}
		return value;
	}

	/** Follow the path of an evaluation through the schema, references included. */
	private @Nullable Object at(NodePath path, int end) {
		Object schema = this.schemas.root();
		for (int i = 0; i < end; i++) {
			Object element = path.getElement(i);
			if (element.equals("$ref") && Schemas.members(schema).get("$ref") instanceof String reference) {
				schema = this.schemas.target(reference);
			}
			else if (schema instanceof List<?> list && element instanceof Integer index && index < list.size()) {
				schema = list.get(index);
			}
			else {
				schema = Schemas.members(schema).get(String.valueOf(element));
			}
		}
		return schema;
	}

	private String accepted(@Nullable Object unresolved, int depth) {
		Map<String, @Nullable Object> schema = this.schemas.resolve(unresolved);
		if (schema == Schemas.NOTHING) {
			return "absent";
		}
		if (schema.get("enum") instanceof List<?> values) {
			String shown = String.join(", ", values.stream().limit(MOST_VALUES).map(PythonText::literal).toList());
			return (values.size() == 1) ? shown
					: "one of " + shown + ((values.size() > MOST_VALUES) ? ", ... (" + values.size() + ")" : "");
		}
		List<?> ways = Schemas.list(schema.get("anyOf"));
		if (ways.stream().anyMatch(Schemas::shapes) && depth < MOST_DEPTH) {
			Set<String> words = new LinkedHashSet<>();
			ways.stream().limit(MOST_VALUES).forEach((way) -> words.add(accepted(way, depth + 1)));
			return String.join(" or ", words);
		}
		Set<String> words = new LinkedHashSet<>();
		List<String> types = Schemas.strings(schema.get("type"));
		for (String type : types.isEmpty() ? meant(schema) : types) {
			words.add(switch (type) {
				case "string" -> "text";
				case "integer" -> "a whole number";
				case "number" -> "a number";
				case "boolean" -> "True or False";
				case "null" -> "None";
				case "array" -> (schema.containsKey("items") && depth < MOST_DEPTH)
						? "a list, each " + accepted(schema.get("items"), depth + 1) : "a list";
				case "object" -> "a dict" + members(schema);
				default -> PythonText.prose(type, MOST_SHOWN);
			});
		}
		String bounds = String.join("; ", SchemaWords.bounds(schema));
		String kind = words.isEmpty() ? "something else" : String.join(" or ", words);
		return bounds.isEmpty() ? kind : kind + " (" + bounds + ")";
	}

	/** Return the types that bounds are about, where no type is demanded. */
	private static List<String> meant(Map<String, @Nullable Object> schema) {
		List<String> types = new ArrayList<>();
		MEANT.forEach((type, keywords) -> {
			if (keywords.stream().anyMatch(schema::containsKey)) {
				types.add(type);
			}
		});
		return types;
	}

	private static String members(Map<String, @Nullable Object> schema) {
		List<String> required = Schemas.required(schema);
		return required.isEmpty() ? "" : " with " + quoted(required);
	}

	private static String quoted(List<String> names) {
		return String.join(", ",
				names.stream()
					.limit(MOST_VALUES)
					.map((name) -> "`" + PythonText.prose(name, MOST_SHOWN) + "`")
					.toList());
	}

	private static String clip(String text, int most) {
		if (text.length() <= most) {
			return text;
		}
		return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most) + "...";
	}

}
