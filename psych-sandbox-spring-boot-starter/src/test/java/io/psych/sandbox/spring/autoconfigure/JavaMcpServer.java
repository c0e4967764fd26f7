package io.psych.sandbox.spring.autoconfigure;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.startup.Tomcat;

/**
 * A server of the MCP Java SDK over streamable HTTP, in this JVM. It also redirects from
 * {@code /moved} to where it is.
 */
final class JavaMcpServer implements AutoCloseable {

	private final Tomcat tomcat = new Tomcat();

	private final McpSyncServer server;

	JavaMcpServer(Path folder, String... tools) throws Exception {
		HttpServletStreamableServerTransportProvider transport = HttpServletStreamableServerTransportProvider.builder()
			.mcpEndpoint("/mcp")
			.build();
		this.server = McpServer.sync(transport)
			.serverInfo("java", "1")
			.capabilities(ServerCapabilities.builder().tools(true).build())
			.build();
		for (String tool : tools) {
			add(tool);
		}
		this.tomcat.setBaseDir(folder.toString());
		this.tomcat.setPort(0);
		Context context = this.tomcat.addContext("", folder.toString());
		Tomcat.addServlet(context, "mcp", transport).setAsyncSupported(true);
		context.addServletMappingDecoded("/mcp", "mcp");
		Tomcat.addServlet(context, "moved", new Moved());
		context.addServletMappingDecoded("/moved", "moved");
		this.tomcat.start();
	}

	String url() {
		return "http://localhost:" + this.tomcat.getConnector().getLocalPort();
	}

	/** Add a tool that answers with its name and that of the server. */
	void add(String name) {
		add(name, (arguments) -> CallToolResult.builder().addTextContent(name + " of " + url()).build());
	}

	void add(String name, Function<Map<String, Object>, CallToolResult> answer) {
		this.server.addTool(SyncToolSpecification.builder()
			.tool(Tool.builder(name, Map.of("type", "object")).description("Answers " + name).build())
			.callHandler((exchange, call) -> answer.apply(call.arguments()))
			.build());
	}

	void withdraw(String name) {
		this.server.removeTool(name);
	}

	@Override
	public void close() throws Exception {
		if (this.tomcat.getServer().getState() == LifecycleState.DESTROYED) {
			return;
		}
		this.server.close();
		this.tomcat.stop();
		this.tomcat.destroy();
	}

	/**
	 * Sends everybody elsewhere, with their method and body.
	 */
	private static final class Moved extends HttpServlet {

		private static final int TEMPORARY_REDIRECT = 307;

		@Override
		protected void service(HttpServletRequest request, HttpServletResponse response) {
			response.setStatus(TEMPORARY_REDIRECT);
			response.setHeader("Location", "/mcp");
		}

	}

}
