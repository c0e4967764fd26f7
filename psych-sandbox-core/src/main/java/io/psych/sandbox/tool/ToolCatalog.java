package io.psych.sandbox.tool;

import java.util.List;

import io.psych.sandbox.contract.Scope;

/**
 * The tools there are right now. Asked anew for every execution, so that a tool withdrawn
 * in between is gone.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolCatalog {

	/** The name no tool may claim: the model calls the sandbox itself by it. */
	String RESERVED_NAME = "run_code";

	/**
	 * Return the tools of the moment.
	 * @return the tools; two of the same name are refused when an execution begins
	 */
	List<HostTool> tools();

	/**
	 * Return the tools of the moment for one scope.
	 * @param scope whose tools
	 * @return the tools, by default the same for everybody
	 */
	default List<HostTool> tools(Scope scope) {
		return tools();
	}

	/**
	 * Return a catalogue that never changes.
	 * @param tools the tools
	 * @return the catalogue
	 */
	static ToolCatalog of(HostTool... tools) {
		List<HostTool> fixed = List.of(tools);
		return () -> fixed;
	}

}
