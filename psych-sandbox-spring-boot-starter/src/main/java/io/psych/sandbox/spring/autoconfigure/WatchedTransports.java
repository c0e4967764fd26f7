package io.psych.sandbox.spring.autoconfigure;

import java.net.URI;
import java.util.List;

import io.psych.sandbox.spring.mcp.McpConnections;

import org.springframework.ai.mcp.client.common.autoconfigure.NamedClientMcpTransport;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Puts a watch on the transports that Spring AI builds its MCP clients on. They come as
 * lists, one for each kind.
 */
final class WatchedTransports implements BeanPostProcessor {

	private final McpServerUrls urls;

	WatchedTransports(McpServerUrls urls) {
		this.urls = urls;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof List<?> list && !list.isEmpty()
				&& list.stream().allMatch(NamedClientMcpTransport.class::isInstance)) {
			return list.stream().map(NamedClientMcpTransport.class::cast).map(this::watched).toList();
		}
		return bean;
	}

	private NamedClientMcpTransport watched(NamedClientMcpTransport transport) {
		URI url = this.urls.byConnection().get(transport.name());
		return new NamedClientMcpTransport(transport.name(),
				(url != null) ? McpConnections.watch(transport.name(), transport.transport(), url)
						: McpConnections.watch(transport.name(), transport.transport()));
	}

}
