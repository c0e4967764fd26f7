package io.psych.sandbox.tool;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A schema of the most common keywords only, against which a value is checked in no time.
 * It says yes to nothing that the validator would refuse. To what it does not say yes to,
 * the validator may still, and only the validator tells what is wrong.
 */
final class PlainSchema {

	/** What says nothing about which values fit, in any draft. */
	private static final Set<String> REMARKS = Set.of("title", "description", "default", "examples", "example",
			"deprecated", "$comment", "readOnly", "writeOnly", "format");

	private static final Set<String> TYPES = Set.of("object", "array", "string", "integer", "number", "boolean",
			"null");

	private Set<String> types = TYPES;

	private final Map<String, PlainSchema> properties = new HashMap<>();

	private boolean closed;

	private Set<String> required = Set.of();

	private @Nullable Set<String> texts;

	private @Nullable PlainSchema items;

	private PlainSchema() {
	}

	/**
	 * Read a schema.
	 * @param schema the schema
	 * @return the same, or {@code null} when it says more than this class knows of
	 */
	static @Nullable PlainSchema of(@Nullable Object schema) {
		PlainSchema plain = new PlainSchema();
		if (Boolean.TRUE.equals(schema)) {
			return plain;
		}
		if (!(schema instanceof Map<?, ?> keywords)) {
			return null;
		}
		for (Map.Entry<?, ?> keyword : keywords.entrySet()) {
			String name = String.valueOf(keyword.getKey());
			if (!REMARKS.contains(name) && !plain.takes(name, keyword.getValue())) {
				return null;
			}
		}
		return plain;
	}

	private boolean takes(String keyword, @Nullable Object value) {
		switch (keyword) {
			case "type" -> {
				Set<String> known = strings((value instanceof String) ? List.of(value) : value);
				if (known == null || !TYPES.containsAll(known)) {
					return false;
				}
				this.types = known;
				return true;
			}
			case "required" -> {
				Set<String> known = strings(value);
				this.required = (known != null) ? known : Set.of();
				return known != null;
			}
			case "enum" -> {
				this.texts = strings(value);
				return this.texts != null;
			}
			case "additionalProperties" -> {
				this.closed = Boolean.FALSE.equals(value);
				return value instanceof Boolean;
			}
			case "items" -> {
				this.items = of(value);
				return this.items != null;
			}
			case "properties" -> {
				return value instanceof Map<?, ?> map && map.entrySet().stream().allMatch(this::takesProperty);
			}
			default -> {
				return false;
			}
		}
	}

	private boolean takesProperty(Map.Entry<?, ?> property) {
		PlainSchema schema = of(property.getValue());
		if (schema != null) {
			this.properties.put(String.valueOf(property.getKey()), schema);
		}
		return schema != null;
	}

	private static @Nullable Set<String> strings(@Nullable Object value) {
		if (!(value instanceof List<?> list)) {
			return null;
		}
		Set<String> strings = new HashSet<>();
		for (Object element : list) {
			if (!(element instanceof String text)) {
				return null;
			}
			strings.add(text);
		}
		return strings;
	}

	/**
	 * Return whether a value surely fits.
	 * @param value the value as plain Java
	 * @return whether it does
	 */
	boolean fits(@Nullable Object value) {
		if (this.texts != null && !(value instanceof String text && this.texts.contains(text))) {
			return false;
		}
		if (value instanceof Map<?, ?> object) {
			return this.types.contains("object") && fits(object);
		}
		if (value instanceof List<?> array) {
			return this.types.contains("array") && fits(array);
		}
		return fitsType(value);
	}

	private boolean fitsType(@Nullable Object value) {
		if (value instanceof String) {
			return this.types.contains("string");
		}
		if (value instanceof Number) {
			// Whether 1.0 is an integer depends on the draft.
			return this.types.contains("number") || (value instanceof Long && this.types.contains("integer"));
		}
		return this.types.contains((value instanceof Boolean) ? "boolean" : "null");
	}

	private boolean fits(Map<?, ?> object) {
		if (!object.keySet().containsAll(this.required)) {
			return false;
		}
		for (Map.Entry<?, ?> member : object.entrySet()) {
			PlainSchema schema = this.properties.get(member.getKey());
			if ((schema != null) ? !schema.fits(member.getValue()) : this.closed) {
				return false;
			}
		}
		return true;
	}

	private boolean fits(List<?> array) {
		PlainSchema each = this.items;
		if (each != null) {
			for (Object element : array) {
				if (!each.fits(element)) {
					return false;
				}
			}
		}
		return true;
	}

}
