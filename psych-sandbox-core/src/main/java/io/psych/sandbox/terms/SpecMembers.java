package io.psych.sandbox.terms;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import org.jspecify.annotations.Nullable;

/**
 * The members of one JSON object in a {@link Spec}, each asked for by its name. What is
 * of another type than asked for is refused, and so is what nobody asked for.
 */
final class SpecMembers {

	private static final int MOST_SHOWN = 100;

	private final String spec;

	/** The path of this object, with a dot at its end; empty for the Spec itself. */
	private final String path;

	private final JsonValue json;

	private final Set<String> read = new HashSet<>();

	private SpecMembers(String spec, String path, JsonValue json) {
		this.spec = spec;
		this.path = path;
		this.json = json;
	}

	static SpecMembers of(JsonValue json) {
		String name = json.string("name");
		if (name == null) {
			throw new SpecException("", "name", shown(json.member("name")), "which is no string",
					"Set it to the name of the Spec.");
		}
		return new SpecMembers(name, "", json);
	}

	String name() {
		this.read.add("name");
		return this.spec;
	}

	@Nullable String string(String member) {
		JsonValue value = member(member);
		return (value != null) ? typed(member, this.json.string(member), value, "a string") : null;
	}

	boolean flag(String member) {
		JsonValue value = member(member);
		return value != null
				&& typed(member, (value.toJava() instanceof Boolean flag) ? flag : null, value, "true or false");
	}

	@Nullable List<String> strings(String member) {
		JsonValue value = member(member);
		return (value != null) ? typed(member, this.json.strings(member), value, "an array of strings") : null;
	}

	@Nullable SpecMembers object(String member) {
		JsonValue value = member(member);
		if (value == null) {
			return null;
		}
		JsonValue object = typed(member, value.isObject() ? value : null, value, "an object");
		return new SpecMembers(this.spec, this.path + member + ".", object);
	}

	int number(String member, int absent) {
		JsonValue value = member(member);
		if (value == null) {
			return absent;
		}
		Long number = this.json.integer(member);
		return typed(member, (number != null && number == number.intValue()) ? number.intValue() : null, value,
				"an integer of 32 bits");
	}

	ByteSize bytes(String member, ByteSize absent) {
		JsonValue value = member(member);
		if (value == null) {
			return absent;
		}
		Long number = this.json.integer(member);
		return ByteSize
			.ofBytes(typed(member, (number != null && number >= 0) ? number : null, value, "a number of bytes"));
	}

	Duration duration(String member, Duration absent) {
		JsonValue value = member(member);
		return (value != null) ? typed(member, duration(this.json.string(member)), value, "a duration such as PT10S")
				: absent;
	}

	private static @Nullable Duration duration(@Nullable String text) {
		try {
			return (text != null) ? Duration.parse(text) : null;
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

	private @Nullable JsonValue member(String member) {
		this.read.add(member);
		return this.json.member(member);
	}

	private <T> T typed(String member, @Nullable T typed, JsonValue value, String type) {
		if (typed == null) {
			throw refused(member, shown(value), "which is not " + type, "Set it to " + type + ", or leave it out.");
		}
		return typed;
	}

	void checkAllRead() {
		for (String member : this.json.members().keySet()) {
			if (!this.read.contains(member)) {
				throw refused(member, shown(this.json.member(member)), "and a Spec has no such part", "Remove it.");
			}
		}
	}

	SpecException refused(String member, String value, String problem, String fix) {
		return new SpecException(this.spec, this.path + member, value, problem, fix);
	}

	private static String shown(@Nullable JsonValue value) {
		String text = (value != null) ? value.toJson() : "missing";
		return (text.length() <= MOST_SHOWN) ? text : text.substring(0, text.offsetByCodePoints(0, MOST_SHOWN)) + "...";
	}

}
