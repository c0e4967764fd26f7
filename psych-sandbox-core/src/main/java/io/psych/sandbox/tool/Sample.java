package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Values to show a call with: what the schema gives as an example, or else the plainest
 * that could fit.
 */
final class Sample {

	private static final int MOST_DEPTH = 4;

	private static final int MOST_ELEMENTS = 3;

	private static final int MOST_CHARACTERS = 60;

	private final Schemas schemas;

	private Sample(Schemas schemas) {
		this.schemas = schemas;
	}

	/**
	 * Return the arguments of a call with as few of them as the schema allows.
	 */
	static Map<String, @Nullable Object> arguments(JsonValue schema) {
		Schemas schemas = new Schemas(schema);
		Map<String, @Nullable Object> root = schemas.resolve(schemas.root());
		List<?> ways = Schemas.list(root.get("anyOf"));
		if (!ways.isEmpty()) {
			root = schemas.merge(schemas.resolve(ways.get(0)), root);
		}
		return new Sample(schemas).object(root, 0);
	}

	private Map<String, @Nullable Object> object(Map<String, @Nullable Object> schema, int depth) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		Map<String, @Nullable Object> properties = Schemas.members(schema.get("properties"));
		Schemas.required(schema)
			.stream()
			.sorted()
			.forEach((name) -> members.put(name, value(properties.get(name), depth + 1)));
		return members;
	}

	private @Nullable Object value(@Nullable Object unresolved, int depth) {
		Map<String, @Nullable Object> schema = this.schemas.resolve(unresolved);
		Object given = given(schema);
		if (given != null && PythonText.literal(given).length() <= MOST_CHARACTERS) {
			return given;
		}
		List<?> ways = Schemas.list(schema.get("anyOf"));
		if (!ways.isEmpty()) {
			schema = this.schemas.merge(this.schemas.resolve(ways.get(0)), schema);
		}
		if (depth > MOST_DEPTH) {
			return null;
		}
		List<String> types = Schemas.strings(schema.get("type"));
		String type = types.isEmpty() ? (schema.containsKey("properties") ? "object" : "string") : types.get(0);
		return switch (type) {
			case "object" -> object(schema, depth);
			case "array" -> array(schema, depth);
			case "boolean" -> true;
			case "integer", "number" -> number(schema);
			case "null" -> null;
			default -> text(schema);
		};
	}

	private static @Nullable Object given(Map<String, @Nullable Object> schema) {
		for (String keyword : List.of("examples", "enum")) {
			List<?> values = Schemas.list(schema.get(keyword));
			if (!values.isEmpty() && values.get(0) != null) {
				return values.get(0);
			}
		}
		return (schema.get("example") != null) ? schema.get("example") : schema.get("default");
	}

	private List<@Nullable Object> array(Map<String, @Nullable Object> schema, int depth) {
		List<@Nullable Object> elements = new ArrayList<>();
		for (Object element : Schemas.list(schema.get("prefixItems"))) {
			elements.add(value(element, depth + 1));
		}
		long least = (schema.get("minItems") instanceof Long number) ? number : 0;
		while (elements.size() < Math.min(least, MOST_ELEMENTS)) {
			elements.add(value(schema.get("items"), depth + 1));
		}
		return elements;
	}

	private static Number number(Map<String, @Nullable Object> schema) {
		if (schema.get("minimum") instanceof Number least) {
			return least;
		}
		if (schema.get("exclusiveMinimum") instanceof Long above) {
			return above + 1;
		}
		return (schema.get("maximum") instanceof Long most && most < 1) ? most : 1L;
	}

	private static String text(Map<String, @Nullable Object> schema) {
		String format = (schema.get("format") instanceof String text) ? text : "";
		String text = switch (format) {
			case "date" -> "2026-01-31";
			case "date-time" -> "2026-01-31T12:00:00Z";
			case "time" -> "12:00:00Z";
			case "duration" -> "PT1H";
			case "email" -> "name@example.com";
			case "uri", "url" -> "https://example.com/";
			case "uuid" -> "00000000-0000-0000-0000-000000000001";
			default -> "...";
		};
		long least = (schema.get("minLength") instanceof Long number) ? number : 0;
		long most = (schema.get("maxLength") instanceof Long number) ? number : Long.MAX_VALUE;
		return text.repeat((int) Math.min(MOST_CHARACTERS, (least + text.length() - 1) / text.length() + 1))
			.substring(0, (int) Math.max(0, Math.min(most, Math.min(MOST_CHARACTERS, Math.max(least, text.length())))));
	}

}
