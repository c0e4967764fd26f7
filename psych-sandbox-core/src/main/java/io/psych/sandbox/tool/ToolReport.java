package io.psych.sandbox.tool;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How each tool is reached by programs, for whoever operates the service.
 *
 * @param entries one for each tool, in the order of the catalogue
 * @since 0.1.0
 */
public record ToolReport(List<Entry> entries) {

	/**
	 * One tool.
	 *
	 * @param name its name
	 * @param origin where it comes from
	 * @param reach how programs reach it
	 * @param why why it is no function, or {@code null} when it is one
	 */
	public record Entry(String name, String origin, Reach reach, @Nullable String why) {

	}

	/**
	 * How programs reach a tool.
	 */
	public enum Reach {

		/** By a function of its name. */
		FUNCTION,

		/** By {@code call_tool} only. */
		CALL_TOOL,

		/** Refused to programs before it runs; the model calls it directly. */
		DIRECT_ONLY,

		/** Not offered to programs. */
		EXCLUDED

	}

}
