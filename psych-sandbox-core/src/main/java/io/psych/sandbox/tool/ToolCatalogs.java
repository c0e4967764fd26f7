package io.psych.sandbox.tool;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks on the tools of the moment.
 *
 * @since 0.1.0
 */
public final class ToolCatalogs {

	private ToolCatalogs() {
	}

	/**
	 * Return the names that mean something of the sandbox's own.
	 * @return the names
	 */
	public static Set<String> reserved() {
		Set<String> reserved = new HashSet<>(BuiltInTools.NAMES);
		reserved.add(ToolCatalog.RESERVED_NAME);
		return reserved;
	}

	/**
	 * Check that tools can be offered together.
	 * @param tools the tools
	 * @throws ToolCatalogException if one claims {@link ToolCatalog#RESERVED_NAME}, or
	 * two share a name
	 */
	public static void check(List<HostTool> tools) {
		Set<String> seen = new HashSet<>();
		for (HostTool tool : tools) {
			String name = tool.name();
			if (ToolCatalog.RESERVED_NAME.equals(name)) {
				throw new ToolCatalogException(name,
						"A tool claims the name '" + name + "' (" + tool.origin()
								+ "), which is reserved for the sandbox itself.",
						"Rename the tool, or exclude it with psych.sandbox.tools.exclude.");
			}
			if (!seen.add(name)) {
				throw new ToolCatalogException(name, "Two tools share the name '" + name + "'.",
						"Rename one of them, or exclude one with psych.sandbox.tools.exclude.");
			}
		}
	}

}
