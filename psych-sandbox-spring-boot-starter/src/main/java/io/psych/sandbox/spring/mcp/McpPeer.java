package io.psych.sandbox.spring.mcp;

import java.util.Map;

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.ListToolsResult;
import org.jspecify.annotations.Nullable;

/**
 * What the two clients of the MCP SDK have in common. Both block, up to the request
 * timeout they were built with, and honour interruption.
 */
interface McpPeer {

	/** Ask for one page of the list of tools. */
	ListToolsResult list(@Nullable String cursor, Map<String, Object> meta);

	CallToolResult call(CallToolRequest request);

	Implementation info();

	ClientCapabilities capabilities();

	/** What the server said of itself, or {@code null} before it was reached. */
	@Nullable InitializeResult server();

	static McpPeer of(McpSyncClient client) {
		return new McpPeer() {

			@Override
			public ListToolsResult list(@Nullable String cursor, Map<String, Object> meta) {
				return client.listTools(cursor, meta);
			}

			@Override
			public CallToolResult call(CallToolRequest request) {
				return client.callTool(request);
			}

			@Override
			public Implementation info() {
				return client.getClientInfo();
			}

			@Override
			public ClientCapabilities capabilities() {
				return client.getClientCapabilities();
			}

			@Override
			public @Nullable InitializeResult server() {
				return client.getCurrentInitializationResult();
			}

		};
	}

	static McpPeer of(McpAsyncClient client) {
		return new McpPeer() {

			@Override
			public ListToolsResult list(@Nullable String cursor, Map<String, Object> meta) {
				return client.listTools(cursor, meta).blockOptional().orElseThrow();
			}

			@Override
			public CallToolResult call(CallToolRequest request) {
				return client.callTool(request).blockOptional().orElseThrow();
			}

			@Override
			public Implementation info() {
				return client.getClientInfo();
			}

			@Override
			public ClientCapabilities capabilities() {
				return client.getClientCapabilities();
			}

			@Override
			public @Nullable InitializeResult server() {
				return client.getCurrentInitializationResult();
			}

		};
	}

}
