package io.psych.sandbox.spring.mcp;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;

import org.springframework.context.support.GenericApplicationContext;

/**
 * A server in a process of its own ({@code mcp_server.py}), its client, and the tools an
 * application with that client has.
 */
final class PythonServer implements AutoCloseable {

	static final ToolCallContext PROGRAM = new ToolCallContext(Scope.NONE, Map.of(), CallOrigin.PROGRAM);

	static final ToolCallContext MODEL = new ToolCallContext(Scope.NONE, Map.of(), CallOrigin.MODEL);

	/** What the person was asked. */
	final List<String> asked = new CopyOnWriteArrayList<>();

	/** The calls whose progress the application was told of. */
	final List<Object> progress = new CopyOnWriteArrayList<>();

	private final GenericApplicationContext context = new GenericApplicationContext();

	private final McpSyncClient client;

	private final McpTools tools;

	private PythonServer(boolean watched, boolean person, Duration timeout, String... options) {
		List<String> arguments = new ArrayList<>(List.of(script()));
		arguments.addAll(List.of(options));
		StdioClientTransport transport = new StdioClientTransport(
				ServerParameters.builder(System.getProperty("psych.python")).args(arguments).build(),
				McpJsonDefaults.getMapper());
		McpClient.SyncSpec spec = McpClient.sync(watched ? McpConnections.watch("python", transport, null) : transport)
			.clientInfo(McpSchema.Implementation.builder("test", "1").title("by hand").build())
			.requestTimeout(timeout)
			.progressConsumer((notification) -> this.progress.add(notification.progressToken()));
		if (person) {
			spec.elicitation((question) -> {
				this.asked.add(question.message());
				return new ElicitResult(ElicitResult.Action.ACCEPT, Map.of("name", "Ada"));
			});
		}
		this.client = spec.build();
		this.client.initialize();
		this.context.registerBean(McpSyncClient.class, () -> this.client);
		this.context.refresh();
		this.tools = new McpTools(this.context);
	}

	/** A server whose client answers no questions. */
	static PythonServer plain(String... options) {
		return new PythonServer(true, false, Duration.ofSeconds(20), options);
	}

	/** A server whose client waits no longer for an answer. */
	static PythonServer impatient(Duration timeout) {
		return new PythonServer(true, false, timeout);
	}

	/** A server whose client has a person who answers. */
	static PythonServer withPerson() {
		return new PythonServer(true, true, Duration.ofSeconds(20));
	}

	/** A server whose connection is not watched. */
	static PythonServer unwatched() {
		return new PythonServer(false, false, Duration.ofSeconds(20));
	}

	List<HostTool> tools() {
		return this.tools.tools(Set.of());
	}

	List<String> names() {
		return tools().stream().map(HostTool::name).toList();
	}

	McpHostTool tool(String name) {
		return (McpHostTool) tools().stream().filter((tool) -> tool.name().equals(name)).findFirst().orElseThrow();
	}

	/** Call a tool as a program does. */
	JsonValue call(String name, Map<String, Object> arguments) throws Exception {
		return tool(name).call(JsonValue.of(arguments), PROGRAM);
	}

	/** Return what the server was sent by a method, and the answers to its questions. */
	JsonValue seen(String method) throws Exception {
		return call("seen", Map.of("method", method));
	}

	private static String script() {
		try {
			return Path.of(Objects.requireNonNull(PythonServer.class.getResource("mcp_server.py")).toURI()).toString();
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.client.closeGracefully();
		this.context.close();
	}

}
