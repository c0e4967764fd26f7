package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names of the classes that signatures define, each once in one text.
 */
final class TypeNames {

	/** What signatures use of the module {@code typing}. */
	static final Set<String> TYPING = Set.of("Annotated", "Any", "Literal", "Never", "NotRequired", "TypedDict",
			"Unpack", "overload");

	/** Longer names cost more than they tell. */
	private static final int MOST_PART = 40;

	private final Set<String> taken = new HashSet<>();

	private final List<String> inOrder = new ArrayList<>();

	private final Map<String, Integer> next = new HashMap<>();

	TypeNames(Collection<String> functions) {
		this.taken.addAll(TYPING);
		this.taken.addAll(functions);
	}

	/**
	 * Return a name nothing else has, and take it.
	 */
	String take(String wanted) {
		String name = wanted;
		int number = this.next.getOrDefault(wanted, 2);
		while (!this.taken.add(name) || PythonNames.problem(name) != null) {
			name = wanted + number;
			number++;
		}
		this.next.put(wanted, number);
		this.inOrder.add(name);
		return name;
	}

	/**
	 * Return how many names have been taken.
	 */
	int mark() {
		return this.inOrder.size();
	}

	/**
	 * Give back the names that were taken since.
	 */
	void backTo(int mark) {
		List<String> since = this.inOrder.subList(mark, this.inOrder.size());
		since.forEach(this.taken::remove);
		since.clear();
	}

	/**
	 * Return a text as a part of a name: its words, each with a capital.
	 */
	static String part(String text) {
		StringBuilder part = new StringBuilder();
		boolean begins = true;
		for (int i = 0; i < text.length() && part.length() < MOST_PART; i++) {
			char current = text.charAt(i);
			boolean letter = (current >= 'a' && current <= 'z') || (current >= 'A' && current <= 'Z');
			if (letter || (current >= '0' && current <= '9')) {
				part.append(begins ? Character.toUpperCase(current) : current);
			}
			begins = !letter;
		}
		return part.toString();
	}

}
