package io.psych.sandbox.tool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.contract.Bindings;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one way from a program's call to a tool: the name is looked up, the arguments are
 * checked, the tool is called, and what it throws becomes a failure the program can
 * handle.
 *
 * @since 0.1.0
 */
public final class ToolGateway {

	private static final Logger logger = LoggerFactory.getLogger(ToolGateway.class);

	private final ToolCatalog catalog;

	private final Arguments arguments = new Arguments();

	/**
	 * Create a new gateway.
	 * @param catalog the tools there are, asked anew for every execution
	 */
	public ToolGateway(ToolCatalog catalog) {
		this.catalog = catalog;
	}

	/**
	 * Return the tools of the moment as the bindings of one execution.
	 * @param scope whose execution it is
	 * @param attributes handed to every call
	 * @return the bindings
	 * @throws ToolCatalogException if the tools can't be offered together
	 */
	public Bindings bind(Scope scope, Map<String, Object> attributes) {
		Map<String, HostTool> tools = new LinkedHashMap<>();
		List<HostTool> offered = this.catalog.tools();
		ToolCatalogs.check(offered);
		offered.forEach((tool) -> tools.put(tool.name(), tool));
		return new Offer(tools, new ToolCallContext(scope, attributes));
	}

	/**
	 * The tools of one execution.
	 */
	private final class Offer implements Bindings {

		private final Map<String, HostTool> tools;

		private final ToolCallContext context;

		Offer(Map<String, HostTool> tools, ToolCallContext context) {
			this.tools = tools;
			this.context = context;
		}

		@Override
		public List<String> names() {
			return List.copyOf(this.tools.keySet());
		}

		@Override
		public CallOutcome call(String name, JsonValue given) {
			HostTool tool = this.tools.get(name);
			if (tool == null) {
				String nearest = Nearest.to(name, this.tools.keySet());
				return failed(ToolFailureKind.NOT_OFFERED, "No tool of that name is offered to this program."
						+ ((nearest != null) ? " The nearest name is `" + nearest + "`." : ""));
			}
			JsonValue schema = tool.inputSchema();
			JsonValue named = ToolGateway.this.arguments.named(given, schema);
			String problem = ToolGateway.this.arguments.problem(name, named, schema);
			if (problem != null) {
				return failed(ToolFailureKind.BAD_ARGUMENTS, problem);
			}
			return call(tool, named);
		}

		private CallOutcome call(HostTool tool, JsonValue given) {
			try {
				return new CallOutcome.Value(tool.call(given, this.context));
			}
			catch (ToolCallException ex) {
				logger.debug("Tool {} failed", tool.name(), ex);
				return failed(ex.kind(), String.valueOf(ex.getMessage()));
			}
			catch (InterruptedException ex) {
				return failed(ToolFailureKind.CANCELLED, "The call was cut off; it may have had its effect.");
			}
			catch (RuntimeException ex) {
				// A tool is foreign code, and its failure is the program's to handle.
				logger.warn("Tool {} failed with an exception it does not declare", tool.name(), ex);
				return failed(ToolFailureKind.TOOL_ERROR,
						ex.getClass().getSimpleName() + ((ex.getMessage() != null) ? ": " + ex.getMessage() : ""));
			}
		}

		private CallOutcome failed(ToolFailureKind kind, String message) {
			return new CallOutcome.Failed(kind, message);
		}

	}

}
