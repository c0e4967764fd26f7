package io.psych.sandbox.spring.mcp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.log.Quoted;
import io.psych.sandbox.spring.springai.RunCodeToolCallback;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCatalogs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.mcp.McpConnectionInfo;
import org.springframework.ai.mcp.McpToolFilter;
import org.springframework.ai.mcp.ToolContextToMcpMetaConverter;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.ResolvableType;

/**
 * The tools of the servers behind the application's {@link McpSyncClient} and
 * {@link McpAsyncClient} beans, looked up anew each time: the tools of the moment, less
 * those that an {@link McpToolFilter} bean leaves out, under names that last as long as
 * this object. Tools are offered over connections only that {@link McpConnections}
 * watches.
 *
 * @since 0.1.0
 */
public final class McpTools {

	private static final Logger logger = LoggerFactory.getLogger(McpTools.class);

	private final ListableBeanFactory beanFactory;

	/** The server behind each client. */
	private final Map<Object, RemoteServer> servers = Collections.synchronizedMap(new IdentityHashMap<>());

	private final McpNames names = new McpNames();

	/**
	 * Create a look-up. Nothing is looked up yet.
	 * @param beanFactory the beans of the application
	 */
	public McpTools(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Return the tools of the moment. Asks servers that have announced a change, or never
	 * would; of one that can't be asked there are none.
	 * @param taken the names of all other tools, which none of these will have
	 * @return the tools
	 */
	public List<HostTool> tools(Set<String> taken) {
		Map<McpNames.Key, Found> found = find();
		Set<String> others = new HashSet<>(taken);
		others.addAll(ToolCatalogs.reserved());
		Egress egress = this.beanFactory.getBeanProvider(Egress.class).getIfAvailable(() -> Egress.DENIED);
		ToolContextToMcpMetaConverter converter = this.beanFactory.getBeanProvider(ToolContextToMcpMetaConverter.class)
			.getIfAvailable(ToolContextToMcpMetaConverter::defaultConverter);
		Function<ToolCallContext, Map<String, Object>> metadata = (context) -> metadata(context, converter);
		List<HostTool> tools = new ArrayList<>();
		this.names.of(found.keySet(), others).forEach((key, name) -> {
			Found tool = Objects.requireNonNull(found.get(key));
			tools.add(new McpServerTool(tool.server(), tool.connection(), tool.tool(), name, egress, metadata));
		});
		return tools;
	}

	private Map<McpNames.Key, Found> find() {
		List<McpToolFilter> filters = this.beanFactory.getBeanProvider(McpToolFilter.class).orderedStream().toList();
		Map<McpNames.Key, Found> found = new LinkedHashMap<>();
		Set<McpNames.Key> twice = new HashSet<>();
		for (RemoteServer server : servers()) {
			List<RemoteTool> tools = server.tools();
			McpConnection connection = server.connection();
			if (connection == null) {
				continue;
			}
			for (RemoteTool tool : tools) {
				McpNames.Key key = new McpNames.Key(connection.name(), tool.name());
				if (isOffered(server, tool, filters) && found.put(key, new Found(server, connection, tool)) != null) {
					twice.add(key);
				}
			}
		}
		for (McpNames.Key key : twice) {
			logger.warn("MCP tool {} is left out: two connections named {} have it. Name one of them otherwise",
					Quoted.text(key.tool()), Quoted.text(key.connection()));
			found.remove(key);
		}
		return found;
	}

	private List<RemoteServer> servers() {
		Stream<RemoteServer> sync = clients(McpSyncClient.class)
			.map((client) -> this.servers.computeIfAbsent(client, (key) -> server(McpPeer.of(client))));
		Stream<RemoteServer> async = clients(McpAsyncClient.class)
			.map((client) -> this.servers.computeIfAbsent(client, (key) -> server(McpPeer.of(client))));
		return Stream.concat(sync, async).distinct().toList();
	}

	private static RemoteServer server(McpPeer peer) {
		return new RemoteServer(peer, System::nanoTime);
	}

	/** Single beans, and the list of them that Spring AI has as one bean. */
	private <T> Stream<T> clients(Class<T> type) {
		ObjectProvider<List<T>> lists = this.beanFactory
			.getBeanProvider(ResolvableType.forClassWithGenerics(List.class, type));
		return Stream.concat(this.beanFactory.getBeanProvider(type).orderedStream(),
				lists.orderedStream().flatMap(List::stream));
	}

	private static boolean isOffered(RemoteServer server, RemoteTool tool, List<McpToolFilter> filters) {
		McpConnectionInfo connection = new McpConnectionInfo(server.peer().capabilities(), server.peer().info(),
				server.peer().server());
		return filters.stream().allMatch((filter) -> filter.test(connection, tool.listed()));
	}

	/** What Spring AI itself would send along. */
	private static Map<String, Object> metadata(ToolCallContext context, ToolContextToMcpMetaConverter converter) {
		Object toolContext = context.attributes().get(RunCodeToolCallback.TOOL_CONTEXT);
		return (toolContext instanceof ToolContext known) ? converter.convert(known) : Map.of();
	}

	/**
	 * A tool and where it was found.
	 *
	 * @param server its server
	 * @param connection the connection the server is reached over
	 * @param tool the tool
	 */
	private record Found(RemoteServer server, McpConnection connection, RemoteTool tool) {

	}

}
