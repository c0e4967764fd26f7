package io.psych.sandbox.tool;

import java.net.URI;
import java.util.List;
import java.util.Set;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A tool of the host that a program may call: JSON in, JSON out, done within the
 * execution. Called from several threads at once, and never from that of the sandbox's
 * caller. One thread may make several calls of an execution one after the other, so what
 * a tool puts into thread-locals it has to take away.
 *
 * @since 0.1.0
 */
public interface HostTool {

	/**
	 * Return the name the model knows the tool by.
	 * @return the name, any non-empty text
	 */
	String name();

	/**
	 * Return what the tool is for.
	 * @return the description, which may come from a third party
	 */
	String description();

	/**
	 * Return the shape of the arguments. Asked once for all calls of an execution.
	 * @return a JSON Schema of type object
	 */
	JsonValue inputSchema();

	/**
	 * Return the shape of the result.
	 * @return a JSON Schema, or {@code null} when it is not known
	 */
	default @Nullable JsonValue outputSchema() {
		return null;
	}

	/**
	 * Return where the tool comes from, for messages to whoever configures it.
	 * @return by default the name of its class
	 */
	default String origin() {
		return getClass().getName();
	}

	/**
	 * Return what the tool can do that matters to whether a program may call it.
	 * @return the capabilities, by default none
	 */
	default Set<ToolCapability> capabilities() {
		return Set.of();
	}

	/**
	 * Return where a call would connect to, as far as that is known before. What is named
	 * here is checked before the call; the tool itself must see to redirects and
	 * addresses.
	 * @param arguments the arguments
	 * @return the destinations, by default none
	 */
	default List<URI> destinations(JsonValue arguments) {
		return List.of();
	}

	/**
	 * Call the tool. Must honour interruption: the thread is interrupted when the
	 * execution ends or the call takes too long.
	 * @param arguments the arguments, a JSON object that fits the schema
	 * @param context whose call it is
	 * @return the result
	 * @throws ToolCallException if the tool fails in a way the program may handle
	 * @throws InterruptedException if the call was interrupted
	 */
	JsonValue call(JsonValue arguments, ToolCallContext context) throws ToolCallException, InterruptedException;

}
