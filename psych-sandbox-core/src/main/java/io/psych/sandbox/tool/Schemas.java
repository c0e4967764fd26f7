package io.psych.sandbox.tool;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON Schema of a third party: follows references within it, and brings what
 * holds together into one place. Never fails: a part that is no schema says nothing, and
 * one that is too entangled to follow says nothing from there on.
 */
final class Schemas {

	/** What everything fits. */
	static final Map<String, @Nullable Object> ANYTHING = Map.of();

	/** What nothing fits. */
	static final Map<String, @Nullable Object> NOTHING = Map.of("not", Map.of());

	/**
	 * A schema can double itself with every level, {@code "allOf": [a, a]}. The largest
	 * of real tools take a few hundred steps.
	 */
	private static final int MOST_STEPS = 20_000;

	/** References to references go on for so long. */
	static final int MOST_REFERENCES = 64;

	/** So many ways to read two unions at once are still read. */
	private static final int MOST_COMBINATIONS = 36;

	/** What says nothing about which values fit. */
	private static final Set<String> REMARKS = Set.of("title", "description", "default", "examples", "example",
			"deprecated", "$comment", "readOnly", "writeOnly", "$schema", "$defs", "definitions", "$id", "unit",
			"x-unit", "nullable");

	/** What decides on the type. */
	private static final Set<String> SHAPES = Set.of("type", "enum", "const", "properties", "patternProperties",
			"additionalProperties", "propertyNames", "items", "prefixItems", "anyOf", "oneOf", "allOf", "$ref",
			"$dynamicRef");

	private static final Set<String> LOWER_BOUNDS = Set.of("minimum", "exclusiveMinimum", "minLength", "minItems",
			"minProperties");

	private static final Set<String> UPPER_BOUNDS = Set.of("maximum", "exclusiveMaximum", "maxLength", "maxItems",
			"maxProperties");

	private final @Nullable Object root;

	private int left = MOST_STEPS;

	Schemas(JsonValue schema) {
		this.root = schema.toJava();
	}

	/**
	 * Return the schema as it was given.
	 */
	@Nullable Object root() {
		return this.root;
	}

	/**
	 * Return where a schema refers to when it says nothing else about what fits.
	 * @return the reference, or {@code null} when it is no mere reference
	 */
	@Nullable String reference(@Nullable Object schema) {
		if (!(schema instanceof Map<?, ?> map)) {
			return null;
		}
		if (map.get("$ref") instanceof String reference) {
			return saysNothingBeside(map, "$ref") ? reference : null;
		}
		return (map.get("allOf") instanceof List<?> list && list.size() == 1 && saysNothingBeside(map, "allOf"))
				? reference(list.get(0)) : null;
	}

	private static boolean saysNothingBeside(Map<?, ?> map, String keyword) {
		return map.keySet().stream().allMatch((key) -> key.equals(keyword) || REMARKS.contains(key));
	}

	/**
	 * Return whether a schema decides on the type of what fits.
	 */
	static boolean shapes(@Nullable Object schema) {
		return !(schema instanceof Map<?, ?> map) || map.keySet().stream().anyMatch(SHAPES::contains);
	}

	/**
	 * Return a schema with its references followed and its {@code allOf} merged. What is
	 * below its members is left as it is.
	 * @return the keywords, of which these have one form each: {@code enum} for
	 * {@code const}, {@code anyOf} for {@code oneOf}, {@code prefixItems} with
	 * {@code items} for a list of {@code items}, bounds that are exclusive as numbers
	 */
	Map<String, @Nullable Object> resolve(@Nullable Object schema) {
		return resolve(schema, new HashSet<>());
	}

	private Map<String, @Nullable Object> resolve(@Nullable Object schema, Set<String> followed) {
		if (Boolean.FALSE.equals(schema)) {
			return NOTHING;
		}
		this.left--;
		if (!(schema instanceof Map<?, ?> map) || this.left < 0) {
			return ANYTHING;
		}
		Map<String, @Nullable Object> resolved = oneForm(map);
		Object reference = (map.get("$ref") != null) ? map.get("$ref") : map.get("$dynamicRef");
		if (reference instanceof String to && followed.size() < MOST_REFERENCES && followed.add(to)) {
			resolved = merge(resolved, resolve(find(to), followed));
			followed.remove(to);
		}
		if (map.get("allOf") instanceof List<?> parts) {
			for (Object part : parts) {
				resolved = merge(resolved, resolve(part, followed));
			}
		}
		return resolved;
	}

	/**
	 * Return whether everything could be followed so far.
	 */
	boolean isComplete() {
		return this.left >= 0;
	}

	/**
	 * Return what a reference leads to, by way of mere references.
	 * @return the part of the schema, or {@code null} when there is none
	 */
	@Nullable Object target(String reference) {
		Object found = find(reference);
		for (int i = 0; i < MOST_REFERENCES; i++) {
			String next = reference(found);
			if (next == null) {
				return found;
			}
			found = find(next);
		}
		return found;
	}

	private @Nullable Object find(String reference) {
		if (reference.equals("#")) {
			return this.root;
		}
		if (reference.startsWith("#/")) {
			return at(reference.substring(2).split("/", -1));
		}
		return reference.startsWith("#") ? anchor(reference.substring(1)) : null;
	}

	private @Nullable Object at(String[] steps) {
		Object current = this.root;
		for (String step : steps) {
			String name = decoded(step).replace("~1", "/").replace("~0", "~");
			if (current instanceof Map<?, ?> map) {
				current = map.get(name);
			}
			else if (current instanceof List<?> list && name.matches("[0-9]{1,6}")
					&& Integer.parseInt(name) < list.size()) {
				current = list.get(Integer.parseInt(name));
			}
			else {
				return null;
			}
		}
		return current;
	}

	private static String decoded(String step) {
		try {
			return URLDecoder.decode(step.replace("+", "%2B"), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			return step;
		}
	}

	private @Nullable Object anchor(String name) {
		for (String keyword : List.of("$defs", "definitions")) {
			for (Object candidate : members(member(this.root, keyword)).values()) {
				if (name.equals(member(candidate, "$anchor")) || name.equals(member(candidate, "$dynamicAnchor"))
						|| ("#" + name).equals(member(candidate, "$id"))) {
					return candidate;
				}
			}
		}
		return (name.equals(member(this.root, "$anchor")) || name.equals(member(this.root, "$dynamicAnchor")))
				? this.root : null;
	}

	private static Map<String, @Nullable Object> oneForm(Map<?, ?> map) {
		Map<String, @Nullable Object> form = new LinkedHashMap<>();
		map.forEach((key, value) -> form.put(String.valueOf(key), value));
		form.keySet().removeAll(List.of("$ref", "$dynamicRef", "allOf", "oneOf", "$defs", "definitions"));
		if (form.containsKey("const")) {
			List<@Nullable Object> values = new ArrayList<>();
			values.add(form.remove("const"));
			restrict(form, values);
		}
		if (map.get("oneOf") instanceof List<?> ways) {
			combine(form, ways);
		}
		if (form.get("items") instanceof List<?> each) {
			form.remove("items");
			form.putIfAbsent("prefixItems", each);
			Object rest = map.get("additionalItems");
			if (rest != null) {
				form.put("items", rest);
			}
		}
		exclusive(form, "minimum", "exclusiveMinimum");
		exclusive(form, "maximum", "exclusiveMaximum");
		return form;
	}

	/** Draft 4 says that a bound is exclusive where later drafts have the bound. */
	private static void exclusive(Map<String, @Nullable Object> form, String bound, String exclusive) {
		if (form.get(exclusive) instanceof Boolean isExclusive) {
			form.remove(exclusive);
			Object value = form.get(bound);
			if (isExclusive && value != null) {
				form.remove(bound);
				form.put(exclusive, value);
			}
		}
	}

	private static void restrict(Map<String, @Nullable Object> form, List<?> values) {
		List<@Nullable Object> both = new ArrayList<>(values);
		if (form.get("enum") instanceof List<?> others) {
			both.retainAll(new HashSet<>(others));
		}
		form.put("enum", both);
	}

	/** Two unions at once are one of the combinations. */
	private static void combine(Map<String, @Nullable Object> form, List<?> ways) {
		Object others = form.get("anyOf");
		if (!(others instanceof List<?> list)) {
			form.put("anyOf", ways);
		}
		else if ((long) list.size() * ways.size() <= MOST_COMBINATIONS) {
			List<Object> combinations = new ArrayList<>();
			list.forEach((one) -> ways.forEach((other) -> combinations.add(both(one, other))));
			form.put("anyOf", combinations);
		}
	}

	private static Object both(@Nullable Object one, @Nullable Object other) {
		List<@Nullable Object> parts = new ArrayList<>();
		if (one instanceof Map<?, ?> map && map.size() == 1 && map.get("allOf") instanceof List<?> already) {
			// One list grows where one within another would.
			parts.addAll(already);
		}
		else {
			parts.add(one);
		}
		parts.add(other);
		return Map.of("allOf", parts);
	}

	/**
	 * Return what both of two resolved schemas demand. Where they remark on the same
	 * thing, the first one's remark stays.
	 */
	Map<String, @Nullable Object> merge(Map<String, @Nullable Object> first, Map<String, @Nullable Object> second) {
		if (first == NOTHING || second == NOTHING) {
			return NOTHING;
		}
		if (first.isEmpty() || second.isEmpty()) {
			return first.isEmpty() ? second : first;
		}
		this.left--;
		Map<String, @Nullable Object> merged = new LinkedHashMap<>(first);
		second.forEach(merged::putIfAbsent);
		if (first.containsKey("type") && second.containsKey("type")) {
			List<String> types = common(strings(first.get("type")), strings(second.get("type")));
			if (types.isEmpty()) {
				return NOTHING;
			}
			merged.put("type", types);
		}
		if (first.get("enum") instanceof List<?> values && second.containsKey("enum")) {
			merged.put("enum", second.get("enum"));
			restrict(merged, values);
		}
		if (first.containsKey("anyOf") && second.get("anyOf") instanceof List<?> ways) {
			combine(merged, ways);
		}
		properties(merged, first, second);
		items(merged, first, second);
		Set<String> required = new LinkedHashSet<>(required(first));
		required.addAll(required(second));
		if (!required.isEmpty()) {
			merged.put("required", List.copyOf(required));
		}
		bounds(merged, first, second);
		return merged;
	}

	private static List<String> common(List<String> first, List<String> second) {
		List<String> common = new ArrayList<>();
		for (String type : first) {
			if (second.contains(type) || (type.equals("integer") && second.contains("number"))) {
				common.add(type);
			}
			else if (type.equals("number") && second.contains("integer")) {
				common.add("integer");
			}
		}
		return common;
	}

	private void properties(Map<String, @Nullable Object> merged, Map<String, @Nullable Object> first,
			Map<String, @Nullable Object> second) {
		Map<String, @Nullable Object> ours = members(first.get("properties"));
		Map<String, @Nullable Object> theirs = members(second.get("properties"));
		Map<String, @Nullable Object> all = new LinkedHashMap<>();
		ours.forEach((name, schema) -> all.put(name, other(name, schema, theirs, second)));
		theirs.forEach((name, schema) -> all.computeIfAbsent(name, (absent) -> other(name, schema, ours, first)));
		this.left -= all.size();
		if (!all.isEmpty()) {
			merged.put("properties", all);
		}
		Map<String, @Nullable Object> patterns = new LinkedHashMap<>(members(first.get("patternProperties")));
		members(second.get("patternProperties"))
			.forEach((pattern, schema) -> patterns.merge(pattern, orTrue(schema), Schemas::both));
		if (!patterns.isEmpty()) {
			merged.put("patternProperties", patterns);
		}
		if (first.containsKey("additionalProperties") && second.containsKey("additionalProperties")) {
			merged.put("additionalProperties",
					narrower(first.get("additionalProperties"), second.get("additionalProperties")));
		}
	}

	/**
	 * Return what a member of one schema must fit when another one, which may not name
	 * it, holds as well.
	 */
	private static Object other(String name, @Nullable Object schema, Map<String, @Nullable Object> theirs,
			Map<String, @Nullable Object> their) {
		if (theirs.containsKey(name)) {
			Object twin = theirs.get(name);
			return Objects.equals(schema, twin) ? orTrue(schema) : both(schema, twin);
		}
		Object additional = their.get("additionalProperties");
		boolean patterns = !members(their.get("patternProperties")).isEmpty();
		return (additional == null || additional.equals(true) || patterns) ? orTrue(schema) : both(schema, additional);
	}

	static Object orTrue(@Nullable Object schema) {
		return (schema != null) ? schema : Boolean.TRUE;
	}

	private static @Nullable Object narrower(@Nullable Object one, @Nullable Object other) {
		if (Boolean.FALSE.equals(one) || Boolean.FALSE.equals(other)) {
			return Boolean.FALSE;
		}
		if (one == null || one.equals(true) || one.equals(other)) {
			return other;
		}
		return (other == null || other.equals(true)) ? one : both(one, other);
	}

	private static void items(Map<String, @Nullable Object> merged, Map<String, @Nullable Object> first,
			Map<String, @Nullable Object> second) {
		List<?> ours = list(first.get("prefixItems"));
		List<?> theirs = list(second.get("prefixItems"));
		List<@Nullable Object> prefix = new ArrayList<>();
		for (int i = 0; i < Math.max(ours.size(), theirs.size()); i++) {
			prefix.add(narrower((i < ours.size()) ? ours.get(i) : first.get("items"),
					(i < theirs.size()) ? theirs.get(i) : second.get("items")));
		}
		if (!prefix.isEmpty()) {
			merged.put("prefixItems", prefix);
		}
		if (first.containsKey("items") && second.containsKey("items")) {
			merged.put("items", narrower(first.get("items"), second.get("items")));
		}
	}

	private static void bounds(Map<String, @Nullable Object> merged, Map<String, @Nullable Object> first,
			Map<String, @Nullable Object> second) {
		for (String keyword : LOWER_BOUNDS) {
			tighten(merged, keyword, first, second, true);
		}
		for (String keyword : UPPER_BOUNDS) {
			tighten(merged, keyword, first, second, false);
		}
	}

	private static void tighten(Map<String, @Nullable Object> merged, String keyword,
			Map<String, @Nullable Object> first, Map<String, @Nullable Object> second, boolean larger) {
		if (first.get(keyword) instanceof Number one && second.get(keyword) instanceof Number other) {
			boolean isLarger = one.doubleValue() >= other.doubleValue();
			merged.put(keyword, (isLarger == larger) ? one : other);
		}
	}

	/**
	 * Return the names of the members an object must have.
	 */
	static List<String> required(Map<String, @Nullable Object> schema) {
		return strings(list(schema.get("required")));
	}

	/**
	 * Return the strings of a string or an array.
	 */
	static List<String> strings(@Nullable Object value) {
		if (value instanceof String string) {
			return List.of(string);
		}
		List<String> strings = new ArrayList<>();
		list(value).forEach((element) -> {
			if (element instanceof String string) {
				strings.add(string);
			}
		});
		return strings;
	}

	/**
	 * Return the elements of an array, none of what is no array.
	 */
	static List<?> list(@Nullable Object value) {
		return (value instanceof List<?> list) ? list : List.of();
	}

	/**
	 * Return the members of an object, none of what is no object.
	 */
	@SuppressWarnings("unchecked")
	static Map<String, @Nullable Object> members(@Nullable Object value) {
		return (value instanceof Map) ? (Map<String, @Nullable Object>) value : Map.of();
	}

	private static @Nullable Object member(@Nullable Object value, String name) {
		return members(value).get(name);
	}

}
