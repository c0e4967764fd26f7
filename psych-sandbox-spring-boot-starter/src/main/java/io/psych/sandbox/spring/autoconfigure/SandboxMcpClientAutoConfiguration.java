package io.psych.sandbox.spring.autoconfigure;

import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Set;

import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientSseClientTransport;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.psych.sandbox.egress.EgressRule;
import io.psych.sandbox.spring.http.EgressContributor;
import io.psych.sandbox.spring.mcp.McpTools;
import io.psych.sandbox.tool.HostTool;

import org.springframework.ai.mcp.McpToolFilter;
import org.springframework.ai.mcp.client.common.autoconfigure.McpSseClientConnectionDetails;
import org.springframework.ai.mcp.client.common.autoconfigure.NamedClientMcpTransport;
import org.springframework.ai.mcp.client.common.autoconfigure.properties.McpStreamableHttpClientProperties;
import org.springframework.ai.mcp.customizer.McpClientCustomizer;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AutoConfiguration Auto-configuration} for MCP clients: the tools of their
 * servers become bindings, and the connections are watched.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxSpringAiAutoConfiguration.class)
@ConditionalOnClass({ McpSyncClient.class, McpToolFilter.class, ToolCallback.class })
@ConditionalOnBooleanProperty(name = "psych.sandbox.enabled", matchIfMissing = true)
public final class SandboxMcpClientAutoConfiguration {

	@Bean
	McpTools psychSandboxMcpTools(ListableBeanFactory beanFactory) {
		return new McpTools(beanFactory);
	}

	// The last: the names of all other tools must be known.
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	ToolSource psychSandboxMcpToolSource(McpTools tools) {
		return new McpToolSource(tools);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(NamedClientMcpTransport.class)
	static final class ConnectionsConfiguration {

		@Bean
		static WatchedTransports psychSandboxWatchedMcpTransports(
				ObjectProvider<McpStreamableHttpClientProperties> streamable,
				ObjectProvider<McpSseClientConnectionDetails> sse) {
			return new WatchedTransports(new McpServerUrls(streamable, sse));
		}

		// Their names alone: an address that is not public takes an entry of its own.
		@Bean
		EgressContributor psychSandboxMcpEgress(ObjectProvider<McpStreamableHttpClientProperties> streamable,
				ObjectProvider<McpSseClientConnectionDetails> sse) {
			McpServerUrls urls = new McpServerUrls(streamable, sse);
			return () -> urls.byConnection()
				.values()
				.stream()
				.filter((url) -> url.getHost() != null)
				.map(ConnectionsConfiguration::rule)
				.toList();
		}

		private static EgressRule rule(URI url) {
			String port = (url.getPort() >= 0) ? ":" + url.getPort() : "";
			return EgressRule.parse(url.getScheme() + "://" + url.getHost() + port);
		}

		@Bean
		McpClientCustomizer<HttpClientStreamableHttpTransport.Builder> psychSandboxMcpRedirects() {
			return (name, transport) -> transport
				.customizeClient((client) -> client.followRedirects(HttpClient.Redirect.NEVER));
		}

		@Bean
		@SuppressWarnings("deprecation")
		McpClientCustomizer<HttpClientSseClientTransport.Builder> psychSandboxMcpSseRedirects() {
			return (name, transport) -> transport
				.customizeClient((client) -> client.followRedirects(HttpClient.Redirect.NEVER));
		}

	}

	/**
	 * The tools of MCP servers.
	 *
	 * @param mcp looks them up
	 */
	private record McpToolSource(McpTools mcp) implements ToolSource {

		@Override
		public List<HostTool> tools() {
			return tools(Set.of());
		}

		@Override
		public List<HostTool> tools(Set<String> taken) {
			return this.mcp.tools(taken);
		}

		@Override
		public List<HostTool> localTools() {
			return List.of();
		}

	}

}
