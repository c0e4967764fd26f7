package io.psych.sandbox.spring.autoconfigure;

import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpStatelessAsyncServer;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} that keeps {@code run_code} off an MCP
 * server of this application unless {@code psych.sandbox.tool.expose-over-mcp} allows it.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxSpringAiAutoConfiguration.class)
@ConditionalOnClass(McpSyncServer.class)
@ConditionalOnBooleanProperty(name = "psych.sandbox.enabled", matchIfMissing = true)
public final class SandboxMcpServerAutoConfiguration {

	@Bean
	@ConditionalOnBooleanProperty(name = "psych.sandbox.tool.expose-over-mcp", havingValue = false,
			matchIfMissing = true)
	McpExposureCheck psychSandboxMcpExposureCheck(ObjectProvider<McpSyncServer> syncServers,
			ObjectProvider<McpAsyncServer> asyncServers, ObjectProvider<McpStatelessSyncServer> statelessSyncServers,
			ObjectProvider<McpStatelessAsyncServer> statelessAsyncServers) {
		return new McpExposureCheck(syncServers, asyncServers, statelessSyncServers, statelessAsyncServers);
	}

}
