package io.psych.sandbox.spring.autoconfigure;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpStatelessAsyncServer;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.psych.sandbox.tool.ToolCatalog;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Ends the startup when an MCP server of this application offers {@code run_code} to its
 * clients. Looks at what the servers have, not at how it got there: an application can
 * hand the tool on by a provider or a specification of its own.
 */
final class McpExposureCheck implements SmartInitializingSingleton {

	private final ObjectProvider<McpSyncServer> syncServers;

	private final ObjectProvider<McpAsyncServer> asyncServers;

	private final ObjectProvider<McpStatelessSyncServer> statelessSyncServers;

	private final ObjectProvider<McpStatelessAsyncServer> statelessAsyncServers;

	McpExposureCheck(ObjectProvider<McpSyncServer> syncServers, ObjectProvider<McpAsyncServer> asyncServers,
			ObjectProvider<McpStatelessSyncServer> statelessSyncServers,
			ObjectProvider<McpStatelessAsyncServer> statelessAsyncServers) {
		this.syncServers = syncServers;
		this.asyncServers = asyncServers;
		this.statelessSyncServers = statelessSyncServers;
		this.statelessAsyncServers = statelessAsyncServers;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (offered().flatMap(Collection::stream).map(Tool::name).anyMatch(ToolCatalog.RESERVED_NAME::equals)) {
			throw new McpExposureException();
		}
	}

	private Stream<List<Tool>> offered() {
		return Stream
			.of(this.syncServers.stream().map(McpSyncServer::listTools),
					this.asyncServers.stream().map(McpAsyncServer::listTools).map(McpExposureCheck::await),
					this.statelessSyncServers.stream().map(McpStatelessSyncServer::listTools),
					this.statelessAsyncServers.stream()
						.map(McpStatelessAsyncServer::listTools)
						.map(McpExposureCheck::await))
			.flatMap((lists) -> lists);
	}

	/** The tools are a list in memory, so that this waits for nobody. */
	private static List<Tool> await(Flux<Tool> tools) {
		return Objects.requireNonNull(tools.collectList().block());
	}

}
