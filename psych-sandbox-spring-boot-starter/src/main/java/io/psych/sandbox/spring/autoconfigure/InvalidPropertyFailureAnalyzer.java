package io.psych.sandbox.spring.autoconfigure;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Explains an {@link InvalidPropertyException}, an impossible limit for example.
 */
final class InvalidPropertyFailureAnalyzer extends PropertyFailureAnalyzer<InvalidPropertyException> {

	InvalidPropertyFailureAnalyzer(Environment environment) {
		super(environment);
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidPropertyException cause) {
		return analysis(cause.property(), cause.value(), ", " + cause.problem(), cause.fix(), cause);
	}

}
