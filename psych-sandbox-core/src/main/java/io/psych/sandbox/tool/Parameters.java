package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The arguments a tool takes. Its schema may have several sets of them; a function has
 * one, in which what only some sets have is optional.
 *
 * @param schemas the schema of each, by its name
 * @param required those that each set requires
 * @param ways what each of several sets requires, empty when there is one set
 */
record Parameters(Map<String, @Nullable Object> schemas, Set<String> required, List<Set<String>> ways) {

	/**
	 * Read the arguments from a schema.
	 * @param input the schema of all arguments together
	 * @return the arguments
	 */
	static Parameters of(Schemas input) {
		Map<String, @Nullable Object> root = input.resolve(input.root());
		Map<String, @Nullable Object> schemas = new LinkedHashMap<>();
		Set<Set<String>> ways = new LinkedHashSet<>();
		Map<String, @Nullable Object> common = new LinkedHashMap<>(root);
		common.remove("anyOf");
		for (Object way : Schemas.list(root.get("anyOf"))) {
			Map<String, @Nullable Object> one = input.merge(common, input.resolve(way));
			if (one != Schemas.NOTHING) {
				Schemas.members(one.get("properties"))
					.forEach((name, schema) -> schemas.merge(name, Schemas.orTrue(schema), Parameters::either));
				ways.add(new LinkedHashSet<>(Schemas.required(one)));
			}
		}
		if (ways.isEmpty()) {
			schemas.putAll(Schemas.members(root.get("properties")));
			ways.add(new LinkedHashSet<>(Schemas.required(root)));
		}
		Set<String> required = new LinkedHashSet<>(ways.iterator().next());
		ways.forEach(required::retainAll);
		ways.forEach((way) -> way.forEach((name) -> schemas.putIfAbsent(name, true)));
		return new Parameters(schemas, required, (ways.size() > 1) ? List.copyOf(ways) : List.of());
	}

	private static Object either(Object one, Object other) {
		if (one.equals(other)) {
			return one;
		}
		boolean already = one instanceof Map<?, ?> map && map.size() == 1 && map.get("anyOf") instanceof List;
		List<Object> ways = new ArrayList<>(already ? Schemas.list(((Map<?, ?>) one).get("anyOf")) : List.of(one));
		if (!new HashSet<>(ways).contains(other)) {
			ways.add(other);
		}
		return Map.of("anyOf", ways);
	}

	/**
	 * Return their names, the required ones first.
	 */
	List<String> names() {
		return PythonNames.inOrder(this.schemas.keySet(), this.required);
	}

	/**
	 * Return what each of several sets requires, in words.
	 */
	String waysInWords() {
		return String.join("; or ",
				this.ways.stream().map((way) -> way.isEmpty() ? "nothing" : String.join(", ", way)).toList());
	}

}
