package io.psych.sandbox.spring.autoconfigure;

/**
 * Thrown at startup when an MCP server of this application offers {@code run_code} and no
 * property allows it.
 */
final class McpExposureException extends RuntimeException {

	McpExposureException() {
		super("An MCP server of this application offers run_code to its clients, but"
				+ " psych.sandbox.tool.expose-over-mcp is false");
	}

}
