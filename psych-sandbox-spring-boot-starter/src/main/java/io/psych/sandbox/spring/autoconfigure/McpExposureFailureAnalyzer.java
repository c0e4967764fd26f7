package io.psych.sandbox.spring.autoconfigure;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Explains a {@link McpExposureException}.
 */
final class McpExposureFailureAnalyzer extends PropertyFailureAnalyzer<McpExposureException> {

	McpExposureFailureAnalyzer(Environment environment) {
		super(environment);
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, McpExposureException cause) {
		return analysis(SandboxProperties.PREFIX + ".tool.expose-over-mcp", "false",
				", but an MCP server of this application offers a tool named run_code, by which its clients could"
						+ " execute programs on this host",
				"Remove the bean that hands run_code to the MCP server. Where clients shall execute programs here, set"
						+ " psych.sandbox.tool.expose-over-mcp to true instead.",
				cause);
	}

}
