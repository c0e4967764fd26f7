package io.psych.sandbox;

import java.util.Set;
import java.util.TreeSet;

/**
 * Thrown when a request names a profile that nothing is registered under: a mistake of
 * the deployment, not of the program.
 *
 * @since 0.1.0
 */
public final class UnknownProfileException extends RuntimeException {

	private final String profile;

	private final Set<String> known;

	UnknownProfileException(String profile, Set<String> known) {
		super("There is no profile '%s' (psych.sandbox.profiles has %s).".formatted(profile,
				known.isEmpty() ? "none" : new TreeSet<>(known)));
		this.profile = profile;
		this.known = Set.copyOf(known);
	}

	/**
	 * Return the name that was asked for.
	 * @return the name
	 */
	public String profile() {
		return this.profile;
	}

	/**
	 * Return the names there are.
	 * @return the names
	 */
	public Set<String> known() {
		return this.known;
	}

}
