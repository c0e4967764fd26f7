package io.psych.sandbox.spring.autoconfigure;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;
import io.psych.sandbox.tool.ToolCapability;
import org.jspecify.annotations.Nullable;

/**
 * A tool with capabilities that the operator declared beside its own.
 *
 * @param tool the tool
 * @param declared what the operator declared
 */
record DeclaredTool(HostTool tool, Set<ToolCapability> declared) implements HostTool {

	@Override
	public String name() {
		return this.tool.name();
	}

	@Override
	public String description() {
		return this.tool.description();
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
	public String origin() {
		return this.tool.origin();
	}

	@Override
	public Set<ToolCapability> capabilities() {
		Set<ToolCapability> all = new HashSet<>(this.tool.capabilities());
		all.addAll(this.declared);
		return all;
	}

	@Override
	public List<URI> destinations(JsonValue arguments) {
		return this.tool.destinations(arguments);
	}

	@Override
	public JsonValue call(JsonValue arguments, ToolCallContext context) throws ToolCallException, InterruptedException {
		return this.tool.call(arguments, context);
	}

}
