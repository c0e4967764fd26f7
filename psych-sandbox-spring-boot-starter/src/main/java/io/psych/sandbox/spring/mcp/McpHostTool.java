package io.psych.sandbox.spring.mcp;

import io.psych.sandbox.tool.HostTool;

/**
 * A tool of an MCP server, for whoever decides on its calls.
 *
 * @since 0.1.0
 */
public interface McpHostTool extends HostTool {

	/**
	 * Return the connection the tool is reached over.
	 * @return the name the connection has in the configuration
	 */
	String connection();

	/**
	 * Return the name the server has for the tool.
	 * @return the name, which another server may use as well
	 */
	String ownName();

	/**
	 * Return what the server says of the tool.
	 * @return its hints
	 */
	McpHints hints();

}
