package io.psych.sandbox.spring.autoconfigure;

import java.util.List;

import io.psych.sandbox.backend.BackendSelection;

/**
 * Thrown at startup when the isolation that is required can't be had and
 * {@code psych.sandbox.fail-fast} is set.
 */
final class UnmetRequirementException extends RuntimeException {

	private final List<String> unmet;

	private final BackendSelection selection;

	UnmetRequirementException(List<String> unmet, BackendSelection selection) {
		super(String.join("; ", unmet));
		this.unmet = unmet;
		this.selection = selection;
	}

	List<String> unmet() {
		return this.unmet;
	}

	BackendSelection selection() {
		return this.selection;
	}

}
