package io.psych.sandbox;

import java.util.Set;
import java.util.TreeSet;

/**
 * Thrown when a Spec is asked for by a name that nothing is published under: a mistake of
 * the deployment, not of the program.
 *
 * @since 0.1.0
 */
public final class UnknownSpecException extends RuntimeException {

	private final String spec;

	private final Set<String> known;

	/**
	 * Create a new exception.
	 * @param spec the name that was asked for
	 * @param known the names there are
	 */
	public UnknownSpecException(String spec, Set<String> known) {
		super("There is no Spec '%s' (psych.sandbox.specs has %s).".formatted(spec,
				known.isEmpty() ? "none" : new TreeSet<>(known)));
		this.spec = spec;
		this.known = Set.copyOf(known);
	}

	/**
	 * Return the name that was asked for.
	 * @return the name
	 */
	public String spec() {
		return this.spec;
	}

	/**
	 * Return the names there are.
	 * @return the names
	 */
	public Set<String> known() {
		return this.known;
	}

}
