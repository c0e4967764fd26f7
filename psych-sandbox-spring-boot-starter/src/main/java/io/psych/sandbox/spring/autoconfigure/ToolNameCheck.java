package io.psych.sandbox.spring.autoconfigure;

import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolCatalogs;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Ends the startup when a tool claims the name {@code run_code} or two tools share a
 * name. Runs when all singletons exist, because tools may depend on the sandbox. Tools of
 * MCP servers are not asked for here, so that a server that is down does not keep this
 * application from starting; they are checked when an execution begins.
 */
final class ToolNameCheck implements SmartInitializingSingleton {

	private final ToolCatalog catalog;

	ToolNameCheck(ToolCatalog catalog) {
		this.catalog = catalog;
	}

	@Override
	public void afterSingletonsInstantiated() {
		ToolCatalogs.check((this.catalog instanceof BeanToolCatalog beans) ? beans.localTools() : this.catalog.tools());
	}

}
