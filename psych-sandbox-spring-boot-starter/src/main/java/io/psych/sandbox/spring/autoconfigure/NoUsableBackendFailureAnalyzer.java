package io.psych.sandbox.spring.autoconfigure;

import io.psych.sandbox.NoUsableBackendException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link NoUsableBackendException}.
 */
final class NoUsableBackendFailureAnalyzer extends AbstractFailureAnalyzer<NoUsableBackendException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, NoUsableBackendException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Make one of the backends usable. To start without the run_code tool instead, set"
						+ " psych.sandbox.fail-fast to false.",
				cause);
	}

}
