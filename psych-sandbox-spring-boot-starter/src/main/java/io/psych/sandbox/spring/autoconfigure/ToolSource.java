package io.psych.sandbox.spring.autoconfigure;

import java.util.List;
import java.util.Set;

import io.psych.sandbox.tool.HostTool;

/**
 * One kind of tools of the application, asked anew for every execution.
 */
interface ToolSource {

	/**
	 * Return the tools of the moment.
	 * @return the tools
	 */
	List<HostTool> tools();

	/**
	 * Return the tools of the moment, for a source that can name them otherwise where a
	 * name is taken.
	 * @param taken the names of the tools of earlier sources
	 * @return the tools
	 */
	default List<HostTool> tools(Set<String> taken) {
		return tools();
	}

	/**
	 * Return the tools that can be known at startup without asking another host.
	 * @return the tools
	 */
	List<HostTool> localTools();

}
