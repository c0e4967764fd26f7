package io.psych.sandbox.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains an {@link UnmetRequirementException}.
 */
final class UnmetRequirementFailureAnalyzer extends AbstractFailureAnalyzer<UnmetRequirementException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnmetRequirementException cause) {
		return new FailureAnalysis(
				"What psych.sandbox.require asks for can't be had on this host: %s. %s"
					.formatted(String.join("; ", cause.unmet()), cause.selection().whyNot())
					.strip(),
				"Make a stronger backend usable, or ask for less with psych.sandbox.require. To start and have every"
						+ " program refused instead, set psych.sandbox.fail-fast to false.",
				cause);
	}

}
