package io.psych.sandbox.spring.mcp;

import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * What a server says of one of its tools. It is a claim of a third party and nothing
 * enforces it. What the server does not say is what MCP assumes then, which is the worst.
 *
 * @param readOnly whether the tool changes nothing
 * @param destructive whether it may undo or overwrite something; means nothing when it is
 * read-only
 * @param idempotent whether a second call with the same arguments has no further effect;
 * means nothing when it is read-only
 * @param openWorld whether it deals with anything beyond the server's own
 * @since 0.1.0
 */
public record McpHints(boolean readOnly, boolean destructive, boolean idempotent, boolean openWorld) {

	static McpHints of(@Nullable ToolAnnotations said) {
		if (said == null) {
			return new McpHints(false, true, false, true);
		}
		return new McpHints(or(said.readOnlyHint(), false), or(said.destructiveHint(), true),
				or(said.idempotentHint(), false), or(said.openWorldHint(), true));
	}

	private static boolean or(@Nullable Boolean said, boolean assumed) {
		return (said != null) ? said : assumed;
	}

}
