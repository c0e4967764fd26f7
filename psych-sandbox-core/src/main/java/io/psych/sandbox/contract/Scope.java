package io.psych.sandbox.contract;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Whose execution it is. A part that is {@code null} is not known to the caller. Runs are
 * recorded and found by tenant and run, so each part must come back from any storage as
 * it went in.
 *
 * @param tenant the tenant
 * @param run the agent run, which may execute many programs
 * @param turn the turn within the run
 * @since 0.1.0
 */
public record Scope(@Nullable String tenant, @Nullable String run, @Nullable String turn) {

	/** The scope of a caller that names none. */
	public static final Scope NONE = new Scope(null, null, null);

	/** Characters of one part; a key of this many fits the index of any database. */
	public static final int MOST_CHARACTERS = 200;

	public Scope {
		check("tenant", tenant);
		check("run", run);
		check("turn", turn);
	}

	private static void check(String name, @Nullable String part) {
		if (part == null) {
			return;
		}
		if (part.isEmpty() || part.length() > MOST_CHARACTERS) {
			throw new IllegalArgumentException(
					"%s must have 1 to %d characters but has %d".formatted(name, MOST_CHARACTERS, part.length()));
		}
		if (part.chars().anyMatch(Character::isISOControl)) {
			throw new IllegalArgumentException(name + " must not have control characters");
		}
		try {
			// A database would store half a character as a question mark, and two tenants
			// would be one.
			StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(part));
		}
		catch (CharacterCodingException ex) {
			throw new IllegalArgumentException(name + " must not have half of a surrogate pair", ex);
		}
	}

}
