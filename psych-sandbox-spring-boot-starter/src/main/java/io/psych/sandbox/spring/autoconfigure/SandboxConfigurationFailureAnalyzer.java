package io.psych.sandbox.spring.autoconfigure;

import io.psych.sandbox.SandboxConfigurationException;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Explains a {@link SandboxConfigurationException}, an interpreter that does not exist
 * for example.
 */
final class SandboxConfigurationFailureAnalyzer extends PropertyFailureAnalyzer<SandboxConfigurationException> {

	SandboxConfigurationFailureAnalyzer(Environment environment) {
		super(environment);
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, SandboxConfigurationException cause) {
		return analysis(SandboxProperties.PREFIX + "." + cause.property(), cause.value(), ": " + cause.problem(),
				cause.fix(), cause);
	}

}
