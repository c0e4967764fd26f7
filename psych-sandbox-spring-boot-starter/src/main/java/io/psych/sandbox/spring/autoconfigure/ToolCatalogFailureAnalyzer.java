package io.psych.sandbox.spring.autoconfigure;

import io.psych.sandbox.tool.ToolCatalogException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link ToolCatalogException}: a tool that claims the name {@code run_code},
 * or two tools of one name.
 */
final class ToolCatalogFailureAnalyzer extends AbstractFailureAnalyzer<ToolCatalogException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ToolCatalogException cause) {
		return new FailureAnalysis(cause.problem(), cause.fix(), cause);
	}

}
