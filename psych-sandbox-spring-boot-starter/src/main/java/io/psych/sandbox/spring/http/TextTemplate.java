package io.psych.sandbox.spring.http;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A text with arguments in it: {@code {name}} stands for an argument, two braces for one.
 */
final class TextTemplate {

	private final List<Part> parts;

	/**
	 * A piece of a template.
	 *
	 * @param text a text as it is, or the name of an argument
	 * @param isArgument which of the two
	 */
	record Part(String text, boolean isArgument) {

	}

	TextTemplate(List<Part> parts) {
		this.parts = List.copyOf(parts);
	}

	/**
	 * Read a template.
	 * @param text the text
	 * @return the template
	 * @throws IllegalArgumentException if a brace has no partner; the message continues a
	 * sentence that begins with the text
	 */
	static TextTemplate parse(String text) {
		List<Part> parts = new ArrayList<>();
		StringBuilder literal = new StringBuilder();
		int at = 0;
		while (at < text.length()) {
			char next = text.charAt(at);
			boolean isDoubled = at + 1 < text.length() && text.charAt(at + 1) == next;
			if ((next == '{' || next == '}') && isDoubled) {
				literal.append(next);
				at += 2;
			}
			else if (next == '{') {
				int end = text.indexOf('}', at);
				if (end < 0 || end == at + 1 || text.substring(at + 1, end).indexOf('{') >= 0) {
					throw new IllegalArgumentException(
							"has a brace that is not one of a pair around the name of an argument; a brace as such is"
									+ " written twice");
				}
				add(parts, literal);
				parts.add(new Part(text.substring(at + 1, end), true));
				at = end + 1;
			}
			else if (next == '}') {
				throw new IllegalArgumentException(
						"has a brace that is not one of a pair around the name of an argument; a brace as such is"
								+ " written twice");
			}
			else {
				literal.append(next);
				at++;
			}
		}
		add(parts, literal);
		return new TextTemplate(parts);
	}

	private static void add(List<Part> parts, StringBuilder literal) {
		if (!literal.isEmpty()) {
			parts.add(new Part(literal.toString(), false));
			literal.setLength(0);
		}
	}

	List<Part> parts() {
		return this.parts;
	}

	/**
	 * Return the arguments it names.
	 * @return the names, in their order
	 */
	Set<String> arguments() {
		Set<String> names = new LinkedHashSet<>();
		this.parts.stream().filter(Part::isArgument).map(Part::text).forEach(names::add);
		return names;
	}

	/**
	 * Return the argument that is all there is.
	 * @return its name, or {@code null} when there is more, or none
	 */
	@Nullable String only() {
		return (this.parts.size() == 1 && this.parts.get(0).isArgument()) ? this.parts.get(0).text() : null;
	}

	/**
	 * Return the text with its arguments filled in.
	 * @param texts returns what to fill in for an argument
	 * @return the text
	 */
	String fill(Function<String, String> texts) {
		StringBuilder filled = new StringBuilder();
		this.parts.forEach((part) -> filled.append(part.isArgument() ? texts.apply(part.text()) : part.text()));
		return filled.toString();
	}

}
