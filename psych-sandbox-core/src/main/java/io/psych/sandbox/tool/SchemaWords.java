package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a JSON Schema demands beside a type, in plain words.
 */
final class SchemaWords {

	private static final int MOST_PATTERN = 100;

	private SchemaWords() {
	}

	/**
	 * Return the bounds of what fits.
	 * @param schema a resolved schema
	 * @return one phrase for each, such as {@code 1 to 50}
	 */
	static List<String> bounds(Map<String, @Nullable Object> schema) {
		List<String> words = new ArrayList<>();
		add(words, range(schema));
		add(words, counted(schema, "Length", "characters"));
		add(words, counted(schema, "Items", "items"));
		add(words, counted(schema, "Properties", "names"));
		if (schema.get("multipleOf") instanceof Number step) {
			words.add("a multiple of " + PythonText.literal(step));
		}
		if (Boolean.TRUE.equals(schema.get("uniqueItems"))) {
			words.add("none twice");
		}
		text(words, schema, "pattern", "pattern ");
		text(words, schema, "format", "format ");
		text(words, schema, "contentEncoding", "encoded as ");
		text(words, schema, "unit", "in ");
		text(words, schema, "x-unit", "in ");
		return words;
	}

	private static @Nullable String range(Map<String, @Nullable Object> schema) {
		String least = bound(schema, "minimum");
		String most = bound(schema, "maximum");
		if (least != null && most != null) {
			return least + " to " + most;
		}
		List<String> words = new ArrayList<>();
		add(words, (least != null) ? "at least " + least : null);
		add(words, (most != null) ? "at most " + most : null);
		String above = bound(schema, "exclusiveMinimum");
		String below = bound(schema, "exclusiveMaximum");
		add(words, (above != null) ? "more than " + above : null);
		add(words, (below != null) ? "less than " + below : null);
		return words.isEmpty() ? null : String.join(" and ", words);
	}

	private static @Nullable String counted(Map<String, @Nullable Object> schema, String what, String units) {
		String least = bound(schema, "min" + what);
		String most = bound(schema, "max" + what);
		if (least == null || least.equals("0")) {
			return (most != null) ? "at most " + most + " " + units(most, units) : null;
		}
		if (most == null) {
			return "at least " + least + " " + units(least, units);
		}
		return (least.equals(most) ? "exactly " + most : least + " to " + most) + " " + units(most, units);
	}

	private static String units(String number, String units) {
		return number.equals("1") ? units.substring(0, units.length() - 1) : units;
	}

	private static @Nullable String bound(Map<String, @Nullable Object> schema, String keyword) {
		return (schema.get(keyword) instanceof Number number) ? PythonText.literal(number) : null;
	}

	private static void text(List<String> words, Map<String, @Nullable Object> schema, String keyword, String before) {
		if (schema.get(keyword) instanceof String text && !text.isBlank()) {
			words.add(before + PythonText.prose(text, MOST_PATTERN));
		}
	}

	private static void add(List<String> words, @Nullable String word) {
		if (word != null) {
			words.add(word);
		}
	}

}
