package io.psych.sandbox.spring.mcp;

import java.net.InetAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.egress.EgressDeniedException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.mcp.McpCall.Ending;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;
import io.psych.sandbox.tool.ToolCapability;
import org.jspecify.annotations.Nullable;

/**
 * A tool of a server under the name it is offered by.
 */
final class McpServerTool implements McpHostTool {

	private static final String CALL_DIRECTLY = " A program can't wait for a person. Call the tool directly, outside"
			+ " of a program.";

	private final RemoteServer server;

	private final McpConnection connection;

	private final RemoteTool tool;

	private final String name;

	private final Egress egress;

	private final Function<ToolCallContext, Map<String, Object>> metadata;

	McpServerTool(RemoteServer server, McpConnection connection, RemoteTool tool, String name, Egress egress,
			Function<ToolCallContext, Map<String, Object>> metadata) {
		this.server = server;
		this.connection = connection;
		this.tool = tool;
		this.name = name;
		this.egress = egress;
		this.metadata = metadata;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String connection() {
		return this.connection.name();
	}

	@Override
	public String ownName() {
		return this.tool.name();
	}

	@Override
	public McpHints hints() {
		return this.tool.hints();
	}

	@Override
	public String description() {
		return this.tool.description();
	}

	@Override
	public String origin() {
		return "mcp:" + connection();
	}

	@Override
	public JsonValue inputSchema() {
		return this.tool.inputSchema();
	}

	@Override
	public @Nullable JsonValue outputSchema() {
		return this.tool.outputSchema();
	}

	@Override
	public Set<ToolCapability> capabilities() {
		Set<ToolCapability> capabilities = EnumSet.noneOf(ToolCapability.class);
		if (this.connection.asks(ownName())) {
			capabilities.add(ToolCapability.ASKS_A_PERSON);
		}
		if (this.tool.isTask()) {
			capabilities.add(ToolCapability.OUTLIVES_THE_EXECUTION);
		}
		return capabilities;
	}

	@Override
	public List<URI> destinations(JsonValue arguments) {
		URI url = this.connection.url();
		return (url != null) ? List.of(url) : List.of();
	}

	@Override
	public JsonValue call(JsonValue arguments, ToolCallContext context) throws ToolCallException, InterruptedException {
		checkAddresses();
		McpCall call = new McpCall(ownName(), context.origin());
		CallToolRequest request = call.request(arguments.members(), this.metadata.apply(context));
		this.connection.begin(call, this.server.mayAsk());
		try {
			CallToolResult result = this.server.peer().call(request);
			Ending ending = call.ending();
			if (ending != null) {
				throw failure(ending, null);
			}
			return McpResults.value(result);
		}
		catch (RuntimeException ex) {
			if (McpFailures.isInterruption(ex)) {
				// The client set it again for whoever does not know the exception.
				Thread.interrupted();
				throw new InterruptedException(ex.getMessage());
			}
			throw failure(call, ex);
		}
		finally {
			this.connection.end(call);
		}
	}

	private ToolCallException failure(McpCall call, RuntimeException problem) {
		Ending ending = call.ending();
		if (ending != null) {
			return failure(ending, problem);
		}
		if (McpFailures.isQuestion(problem)) {
			this.connection.noteThatAsks(ownName());
			if (call.isOfProgram()) {
				return failure(Ending.ASKED, problem);
			}
		}
		if (McpFailures.isAboutParameters(problem) && !this.server.stillHas(ownName())) {
			return new ToolCallException(ToolFailureKind.NOT_OFFERED, "The server has withdrawn the tool.", problem);
		}
		return McpFailures.of(problem);
	}

	private static ToolCallException failure(Ending ending, @Nullable RuntimeException problem) {
		return switch (ending) {
			case ASKED -> new ToolCallException(ToolFailureKind.APPROVAL_REQUIRED, CallState.UNKNOWN,
					"The tool asked a person for something and was told that nobody answers. What it had done by then"
							+ " is done." + CALL_DIRECTLY,
					problem);
			case MAY_HAVE_ASKED -> new ToolCallException(ToolFailureKind.APPROVAL_REQUIRED, CallState.UNKNOWN,
					"This tool, or another of its server that was called at the same time, asked a person for something"
							+ " and was told that nobody answers. What it had done by then is done." + CALL_DIRECTLY,
					problem);
			case GONE -> new ToolCallException(ToolFailureKind.UNREACHABLE, CallState.UNKNOWN,
					"The process of the tool's server has ended. The call may have had its effect.", problem);
			case GIVEN_UP -> new ToolCallException(ToolFailureKind.CANCELLED, "The call was given up.", problem);
		};
	}

	/**
	 * The client resolves the name again, from the same cache of the JVM, and connects.
	 */
	private void checkAddresses() throws ToolCallException {
		URI url = this.connection.url();
		if (url == null) {
			return;
		}
		if (url.getHost() == null) {
			throw new ToolCallException(ToolFailureKind.DENIED, "The address of the tool's server names no host.");
		}
		if (isBehindProxy(url)) {
			return;
		}
		try {
			for (InetAddress address : InetAddress.getAllByName(url.getHost())) {
				this.egress.check(url, address);
			}
		}
		catch (UnknownHostException ex) {
			throw new ToolCallException(ToolFailureKind.UNREACHABLE, "The server of the tool is not known by its name.",
					ex);
		}
		catch (EgressDeniedException ex) {
			throw new ToolCallException(ToolFailureKind.DENIED, String.valueOf(ex.getMessage()), ex);
		}
	}

	/** A proxy resolves names itself. */
	private static boolean isBehindProxy(URI url) {
		ProxySelector proxies = ProxySelector.getDefault();
		return proxies != null && proxies.select(url).stream().anyMatch((proxy) -> proxy.type() != Proxy.Type.DIRECT);
	}

}
