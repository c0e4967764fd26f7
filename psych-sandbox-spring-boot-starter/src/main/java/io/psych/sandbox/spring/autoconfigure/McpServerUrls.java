package io.psych.sandbox.spring.autoconfigure;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.mcp.client.common.autoconfigure.McpSseClientConnectionDetails;
import org.springframework.ai.mcp.client.common.autoconfigure.properties.McpStreamableHttpClientProperties;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Where the MCP servers are that Spring AI is configured with. Looked up when it is asked
 * for: the clients may be made before anything else of this application.
 */
final class McpServerUrls {

	private final ObjectProvider<McpStreamableHttpClientProperties> streamable;

	private final ObjectProvider<McpSseClientConnectionDetails> sse;

	McpServerUrls(ObjectProvider<McpStreamableHttpClientProperties> streamable,
			ObjectProvider<McpSseClientConnectionDetails> sse) {
		this.streamable = streamable;
		this.sse = sse;
	}

	/** The URLs of the servers by the names of their connections. */
	Map<String, URI> byConnection() {
		Map<String, URI> urls = new LinkedHashMap<>();
		this.streamable.orderedStream()
			.forEach((properties) -> properties.getConnections()
				.forEach((name, connection) -> put(urls, name, connection.url(), connection.endpoint(), "/mcp")));
		this.sse.orderedStream()
			.forEach((details) -> details.getConnections()
				.forEach((name, connection) -> put(urls, name, connection.url(), connection.sseEndpoint(), "/sse")));
		return urls;
	}

	private static void put(Map<String, URI> urls, String connection, @Nullable String base, @Nullable String endpoint,
			String standard) {
		if (base != null) {
			urls.putIfAbsent(connection, URI.create(base).resolve((endpoint != null) ? endpoint : standard));
		}
	}

}
