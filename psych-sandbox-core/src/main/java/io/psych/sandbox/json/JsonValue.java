package io.psych.sandbox.json;

import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * One JSON value, immutable and within bounds: at most {@value JsonCodec#MAX_DEPTH}
 * levels deep, numbers exact to {@value JsonCodec#MAX_NUMBER_LENGTH} digits, no NaN or
 * Infinity. A text that is read has at most {@value JsonCodec#MAX_VALUES} values,
 * counting each element, each member and whatever holds them; what is made of Java values
 * is on the heap already and is not counted. An unpaired surrogate, which UTF-8 can't
 * carry, is replaced by U+FFFD, and refused in a name that is read. A value that was read
 * whole may have one level around it, as a frame has.
 *
 * @since 0.1.0
 */
public final class JsonValue {

	/** The JSON value {@code null}. */
	public static final JsonValue NULL = new JsonValue(null);

	private final @Nullable Object tree;

	/** Of the tree, zero until it is asked for. Whoever races computes the same. */
	private int hash;

	/** Of the tree, zero until it is asked for, as there is no JSON of no bytes. */
	private volatile long length;

	JsonValue(@Nullable Object tree) {
		this.tree = tree;
	}

	/**
	 * Parse a JSON text.
	 * @param text the text
	 * @return the value
	 * @throws JsonFormatException if the text is not JSON within the bounds
	 */
	public static JsonValue parse(String text) {
		return new JsonValue(JsonCodec.read(new StringReader(text), JsonCodec.MAX_VALUES));
	}

	/**
	 * Parse JSON in UTF-8.
	 * @param utf8 the bytes
	 * @return the value
	 * @throws JsonFormatException if the bytes are not JSON within the bounds
	 */
	public static JsonValue parse(byte[] utf8) {
		return parse(utf8, 0, utf8.length, JsonCodec.MAX_VALUES);
	}

	/**
	 * Parse JSON in UTF-8 within a bound of one's own, where it lies.
	 * @param utf8 the bytes, of which nothing is kept
	 * @param offset where the text begins
	 * @param length how many bytes it has
	 * @param mostValues the most values it may have
	 * @return the value
	 * @throws JsonFormatException if the bytes are not JSON within the bounds
	 */
	public static JsonValue parse(byte[] utf8, int offset, int length, int mostValues) {
		return new JsonValue(JsonCodec.read(utf8, offset, length, mostValues));
	}

	/**
	 * Make a JSON value of a Java one.
	 * @param value {@code null}, a {@link Boolean}, {@link String}, {@link Number},
	 * {@link JsonValue}, a {@link Map} with string keys, or an {@link Iterable}. A number
	 * that is not finite becomes the string Java prints for it; a class of numbers that
	 * is not the JDK's has no JSON form.
	 * @return the value
	 * @throws JsonFormatException if it has no JSON form
	 */
	public static JsonValue of(@Nullable Object value) {
		return (value instanceof JsonValue json) ? json : new JsonValue(copy(value, 0));
	}

	/**
	 * Return the value as plain Java: {@code null}, {@link Boolean}, {@link String},
	 * {@link Long}, {@link java.math.BigInteger}, {@link Double} (a
	 * {@link java.math.BigDecimal} where a double would not be exact), or an unmodifiable
	 * {@link List} or {@link Map} of these.
	 * @return the value
	 */
	public @Nullable Object toJava() {
		return this.tree;
	}

	/**
	 * Return whether this is a JSON object.
	 * @return whether it is
	 */
	public boolean isObject() {
		return this.tree instanceof Map;
	}

	/**
	 * Return whether this is JSON's {@code null}.
	 * @return whether it is
	 */
	public boolean isNull() {
		return this.tree == null;
	}

	/**
	 * Return the members of this object.
	 * @return the members in their order; empty if this is not an object
	 */
	@SuppressWarnings("unchecked")
	public Map<String, @Nullable Object> members() {
		return (this.tree instanceof Map) ? (Map<String, @Nullable Object>) this.tree : Map.of();
	}

	/**
	 * Return one member of this object.
	 * @param name its name
	 * @return the member, or {@code null} when there is none
	 */
	public @Nullable JsonValue member(String name) {
		Map<String, @Nullable Object> members = members();
		return members.containsKey(name) ? new JsonValue(members.get(name)) : null;
	}

	/**
	 * Return one member of this object that must be a string.
	 * @param name its name
	 * @return the string, or {@code null} when there is no such member or it is something
	 * else
	 */
	public @Nullable String string(String name) {
		return (members().get(name) instanceof String string) ? string : null;
	}

	/**
	 * Return one member of this object that must be an integer.
	 * @param name its name
	 * @return the integer, or {@code null} when there is no such member or it is
	 * something else
	 */
	public @Nullable Long integer(String name) {
		return (members().get(name) instanceof Long number) ? number : null;
	}

	/**
	 * Return the elements of one member of this object that must be an array of strings.
	 * @param name its name
	 * @return the strings, or {@code null} when there is no such member or it is
	 * something else
	 */
	public @Nullable List<String> strings(String name) {
		if (!(members().get(name) instanceof List<?> list)) {
			return null;
		}
		List<String> strings = new ArrayList<>(list.size());
		for (Object element : list) {
			if (!(element instanceof String string)) {
				return null;
			}
			strings.add(string);
		}
		return strings;
	}

	/**
	 * Return the value as one line of JSON.
	 * @return the text
	 */
	public String toJson() {
		return new String(toUtf8(), StandardCharsets.UTF_8);
	}

	/**
	 * Return the value as one line of JSON in UTF-8.
	 * @return the bytes
	 */
	public byte[] toUtf8() {
		return toUtf8("", "");
	}

	/**
	 * Return the value as one line of JSON in UTF-8, as a part of more.
	 * @param before what, in ASCII, goes before it
	 * @param after what, in ASCII, goes behind it
	 * @return the bytes
	 */
	@SuppressWarnings("deprecation") // of what is not ASCII
	public byte[] toUtf8(String before, String after) {
		int end = Math.toIntExact(before.length() + utf8Length());
		byte[] bytes = new byte[end + after.length()];
		before.getBytes(0, before.length(), bytes, 0);
		TreeWriter writer = new TreeWriter(bytes, before.length());
		writer.write(this.tree);
		if (writer.position() != end) {
			throw new IllegalStateException(
					"a value of " + utf8Length() + " bytes was written as " + (writer.position() - before.length()));
		}
		after.getBytes(0, after.length(), bytes, end);
		return bytes;
	}

	/**
	 * Return how many bytes this value is as one line of JSON in UTF-8. Costs time when
	 * it is first asked for.
	 * @return the length of what {@link #toUtf8()} returns
	 */
	public long utf8Length() {
		if (this.length == 0) {
			this.length = TreeWriter.length(this.tree);
		}
		return this.length;
	}

	/**
	 * Return the value as indented JSON for people.
	 * @return the text
	 */
	public String toPrettyJson() {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		JsonCodec.writePretty(this.tree, bytes);
		return bytes.toString(StandardCharsets.UTF_8);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof JsonValue value && Objects.equals(this.tree, value.tree));
	}

	@Override
	public int hashCode() {
		int known = this.hash;
		if (known == 0) {
			known = Objects.hashCode(this.tree);
			this.hash = known;
		}
		return known;
	}

	@Override
	public String toString() {
		return toJson();
	}

	private static @Nullable Object copy(@Nullable Object value, int depth) {
		if (value == null || value instanceof Boolean) {
			return value;
		}
		if (value instanceof String text) {
			return JsonCodec.wellFormed(text);
		}
		if (value instanceof Number number) {
			return JsonCodec.number(number);
		}
		if (value instanceof JsonValue json) {
			checkDepth(json.tree, depth, JsonCodec.MAX_DEPTH + 1);
			return json.tree;
		}
		if (value instanceof Map<?, ?> map) {
			checkDepth(depth, JsonCodec.MAX_DEPTH);
			Map<String, @Nullable Object> members = new LinkedHashMap<>();
			map.forEach((key, member) -> {
				if (!(key instanceof String name)) {
					throw new JsonFormatException("a JSON object has string keys, but " + key + " is none");
				}
				JsonCodec.put(members, name, copy(member, depth + 1));
			});
			return JsonCodec.compact(members);
		}
		if (value instanceof Iterable<?> iterable) {
			checkDepth(depth, JsonCodec.MAX_DEPTH);
			List<@Nullable Object> elements = new ArrayList<>();
			iterable.forEach((element) -> elements.add(copy(element, depth + 1)));
			return JsonCodec.compact(elements);
		}
		throw new JsonFormatException("a " + value.getClass().getName() + " has no JSON form");
	}

	private static void checkDepth(@Nullable Object tree, int depth, int most) {
		if (tree instanceof Map<?, ?> map) {
			checkDepth(depth, most);
			map.values().forEach((member) -> checkDepth(member, depth + 1, most));
		}
		else if (tree instanceof List<?> list) {
			checkDepth(depth, most);
			list.forEach((element) -> checkDepth(element, depth + 1, most));
		}
	}

	/** Check that one more level may lie within so many. */
	private static void checkDepth(int depth, int most) {
		if (depth >= most) {
			throw new JsonFormatException("the value is more than " + most + " levels deep");
		}
	}

}
