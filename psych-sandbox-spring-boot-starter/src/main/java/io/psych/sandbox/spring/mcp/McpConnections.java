package io.psych.sandbox.spring.mcp;

import java.net.URI;

import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.spec.McpClientTransport;
import org.jspecify.annotations.Nullable;

/**
 * Where transports of MCP clients are made fit for the sandbox. Those that Spring AI is
 * configured with are, without anybody's doing. An application that builds clients of its
 * own builds them on what {@link #watch(String, McpClientTransport, URI) watch} returns;
 * over any other connection no tool is offered, for neither where it leads nor whom it
 * asks would be known.
 *
 * @since 0.1.0
 */
public final class McpConnections {

	private McpConnections() {
	}

	/**
	 * Watch a transport that was not connected yet and whose destination is not known. No
	 * tool is offered over it unless it starts a process.
	 * @param name the name of the connection, unique within the application
	 * @param transport the transport
	 * @return the transport to build the client on
	 */
	public static McpClientTransport watch(String name, McpClientTransport transport) {
		return watch(name, transport, null, transport instanceof StdioClientTransport);
	}

	/**
	 * Watch a transport that was not connected yet.
	 * @param name the name of the connection, unique within the application
	 * @param transport the transport
	 * @param url where the server is, for the check of destinations, or {@code null} when
	 * it is reached otherwise than over the network
	 * @return the transport to build the client on
	 */
	public static McpClientTransport watch(String name, McpClientTransport transport, @Nullable URI url) {
		return watch(name, transport, url, true);
	}

	private static McpClientTransport watch(String name, McpClientTransport transport, @Nullable URI url,
			boolean isPlaceKnown) {
		return (transport instanceof McpConnection) ? transport
				: new McpConnection(name, transport, url, isPlaceKnown, System::nanoTime);
	}

}
