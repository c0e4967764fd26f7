package io.psych.sandbox.spring.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.ToolCallException;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one call, in the forms a request has a place for. An argument that is
 * {@code null} counts as not given, except in a body.
 */
final class CallArguments {

	private final Map<String, @Nullable Object> members;

	CallArguments(JsonValue arguments) {
		this.members = arguments.members();
	}

	boolean has(String name) {
		return this.members.containsKey(name);
	}

	boolean isGiven(String name) {
		return this.members.get(name) != null;
	}

	boolean areGiven(Set<String> names) {
		return names.stream().allMatch(this::isGiven);
	}

	@Nullable Object value(String name) {
		return this.members.get(name);
	}

	/**
	 * Return an argument as text: a string as it is, all else as JSON.
	 * @param name the name of the argument
	 * @return the text
	 */
	String text(String name) {
		return asText(this.members.get(name));
	}

	static String asText(@Nullable Object value) {
		return (value instanceof String string) ? string : JsonValue.of(value).toJson();
	}

	/**
	 * Return an argument as text that has no inner structure.
	 * @param name the name of the argument
	 * @return the text
	 * @throws ToolCallException if it is an object or an array
	 */
	String scalar(String name) throws ToolCallException {
		Object value = this.members.get(name);
		if (value instanceof Map || value instanceof List) {
			throw bad(name, "is an object or an array, and has its place where only a text can be");
		}
		return asText(value);
	}

	/**
	 * Return an argument as texts: each element of an array, or the argument alone.
	 * @param name the name of the argument
	 * @return the texts
	 */
	List<String> texts(String name) {
		return (this.members.get(name) instanceof List<?> elements)
				? elements.stream().map(CallArguments::asText).toList() : List.of(text(name));
	}

	/**
	 * Return the arguments without some.
	 * @param names their names
	 * @return the rest
	 */
	Map<String, @Nullable Object> without(Set<String> names) {
		Map<String, @Nullable Object> rest = new LinkedHashMap<>(this.members);
		rest.keySet().removeAll(names);
		return rest;
	}

	static ToolCallException bad(String name, String problem) {
		return new ToolCallException(ToolFailureKind.BAD_ARGUMENTS, "argument `" + name + "` " + problem + ".", null);
	}

}
