package io.psych.sandbox.spring.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.http.HttpToolProperties.BodyFormat;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request: either a structure with arguments in its texts, or all arguments
 * that have no other place.
 */
final class BodyTemplate {

	private final @Nullable Object structure;

	private final @Nullable Set<String> elsewhere;

	private final BodyFormat format;

	private BodyTemplate(@Nullable Object structure, @Nullable Set<String> elsewhere, BodyFormat format) {
		this.structure = structure;
		this.elsewhere = elsewhere;
		this.format = format;
	}

	/**
	 * Return a body of a structure.
	 * @param structure the structure
	 * @param format how it is sent
	 * @return the body
	 * @throws IllegalArgumentException if it is no template, or has no such format; the
	 * message continues a sentence that begins with the text
	 */
	static BodyTemplate of(JsonValue structure, BodyFormat format) {
		if (format == BodyFormat.FORM && !structure.isObject()) {
			throw new IllegalArgumentException("is no object, and so has no fields to send as a form");
		}
		return new BodyTemplate(parsed(structure.toJava()), null, format);
	}

	/**
	 * Return a body of the arguments that are in no other place.
	 * @param elsewhere the arguments that are
	 * @param format how it is sent
	 * @return the body
	 */
	static BodyTemplate rest(Set<String> elsewhere, BodyFormat format) {
		return new BodyTemplate(null, Set.copyOf(elsewhere), format);
	}

	private static @Nullable Object parsed(@Nullable Object tree) {
		if (tree instanceof String text) {
			return TextTemplate.parse(text);
		}
		if (tree instanceof List<?> elements) {
			List<@Nullable Object> parsed = new ArrayList<>();
			elements.forEach((element) -> parsed.add(parsed(element)));
			return parsed;
		}
		if (tree instanceof Map<?, ?> members) {
			Map<Object, @Nullable Object> parsed = new LinkedHashMap<>();
			members.forEach((name, member) -> parsed.put(name, parsed(member)));
			return parsed;
		}
		return tree;
	}

	/**
	 * Return the arguments it names.
	 * @return the names
	 */
	Set<String> arguments() {
		Set<String> names = new LinkedHashSet<>();
		collect(this.structure, names);
		return names;
	}

	boolean takesTheRest() {
		return this.elsewhere != null;
	}

	private static void collect(@Nullable Object tree, Set<String> names) {
		if (tree instanceof TextTemplate template) {
			names.addAll(template.arguments());
		}
		else if (tree instanceof List<?> elements) {
			elements.forEach((element) -> collect(element, names));
		}
		else if (tree instanceof Map<?, ?> members) {
			members.values().forEach((member) -> collect(member, names));
		}
	}

	HttpCall.Body fill(CallArguments arguments) {
		Object filled = (this.elsewhere != null) ? arguments.without(this.elsewhere)
				: filled(this.structure, arguments);
		if (this.format == BodyFormat.FORM) {
			return new HttpCall.Body(form(JsonValue.of(filled).members()).getBytes(StandardCharsets.US_ASCII),
					"application/x-www-form-urlencoded");
		}
		return new HttpCall.Body(JsonValue.of((filled == ABSENT) ? null : filled).toUtf8(), "application/json");
	}

	/** What an argument that was not given leaves behind. */
	private static final Object ABSENT = new Object();

	private static @Nullable Object filled(@Nullable Object tree, CallArguments arguments) {
		if (tree instanceof TextTemplate template) {
			String only = template.only();
			if (only != null) {
				return arguments.has(only) ? arguments.value(only) : ABSENT;
			}
			return arguments.areGiven(template.arguments()) ? template.fill(arguments::text) : ABSENT;
		}
		if (tree instanceof List<?> elements) {
			List<@Nullable Object> filled = new ArrayList<>();
			elements.forEach((element) -> {
				Object value = filled(element, arguments);
				if (value != ABSENT) {
					filled.add(value);
				}
			});
			return filled;
		}
		if (tree instanceof Map<?, ?> members) {
			Map<Object, @Nullable Object> filled = new LinkedHashMap<>();
			members.forEach((name, member) -> {
				Object value = filled(member, arguments);
				if (value != ABSENT) {
					filled.put(name, value);
				}
			});
			return filled;
		}
		return tree;
	}

	private static String form(Map<String, @Nullable Object> fields) {
		List<String> pairs = new ArrayList<>();
		fields.forEach((name, value) -> {
			if (value instanceof List<?> elements) {
				elements.forEach((element) -> pairs.add(pair(name, element)));
			}
			else if (value != null) {
				pairs.add(pair(name, value));
			}
		});
		return String.join("&", pairs);
	}

	private static String pair(String name, @Nullable Object value) {
		return UrlTemplate.encoded(name) + "=" + UrlTemplate.encoded(CallArguments.asText(value));
	}

}
