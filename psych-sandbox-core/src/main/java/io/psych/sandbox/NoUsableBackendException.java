package io.psych.sandbox;

import io.psych.sandbox.backend.BackendSelection;

/**
 * Thrown when no backend proved itself on this host.
 *
 * @since 0.1.0
 */
public final class NoUsableBackendException extends RuntimeException {

	private final transient BackendSelection selection;

	NoUsableBackendException(BackendSelection selection) {
		super("No backend can be used on this host. " + selection.whyNot());
		this.selection = selection;
	}

	/**
	 * Return which backends were considered and why none was taken.
	 * @return the selection
	 */
	public BackendSelection selection() {
		return this.selection;
	}

}
