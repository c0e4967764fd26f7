package io.psych.sandbox.spring.springai;

import java.util.Map;
import java.util.Set;

import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.log.Quoted;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;
import io.psych.sandbox.tool.ToolCapability;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.execution.ToolExecutionExceptionProcessor;

/**
 * A Spring AI tool as a program may call it. What the tool's error means is decided by
 * the same {@link ToolExecutionExceptionProcessor} that decides it for the model: text is
 * an error the program can catch, an exception is not.
 */
final class ToolCallbackTool implements HostTool {

	private static final Logger logger = LoggerFactory.getLogger(ToolCallbackTool.class);

	private static final JsonValue ANY_OBJECT = JsonValue.of(Map.of("type", "object"));

	private final ToolCallback callback;

	private final ToolDefinition definition;

	private final ToolExecutionExceptionProcessor errors;

	ToolCallbackTool(ToolCallback callback, ToolExecutionExceptionProcessor errors) {
		this.callback = callback;
		this.definition = callback.getToolDefinition();
		this.errors = errors;
	}

	@Override
	public String name() {
		return this.definition.name();
	}

	@Override
	public String description() {
		return this.definition.description();
	}

	@Override
	public String origin() {
		return this.callback.toString();
	}

	@Override
	public Set<ToolCapability> capabilities() {
		// What it returns goes to the person, past the model and so past a program.
		return this.callback.getToolMetadata().returnDirect() ? Set.of(ToolCapability.ACTS_ON_THE_CONTEXT) : Set.of();
	}

	@Override
	public JsonValue inputSchema() {
		try {
			JsonValue schema = JsonValue.parse(this.definition.inputSchema());
			if (schema.isObject()) {
				return schema;
			}
			logger.warn("Tool {}: the input schema is no JSON object, programs may pass any arguments",
					Quoted.text(name()));
		}
		catch (JsonFormatException ex) {
			logger.warn("Tool {}: the input schema is not JSON ({}), programs may pass any arguments",
					Quoted.text(name()), Quoted.text(String.valueOf(ex.getMessage())));
		}
		return ANY_OBJECT;
	}

	@Override
	public JsonValue call(JsonValue arguments, ToolCallContext context) throws ToolCallException, InterruptedException {
		try {
			return decode(this.callback.call(arguments.toJson(), toolContext(context)));
		}
		catch (ToolExecutionException ex) {
			throw failure(ex);
		}
	}

	private static @Nullable ToolContext toolContext(ToolCallContext context) {
		return (ToolContext) context.attributes().get(RunCodeToolCallback.TOOL_CONTEXT);
	}

	private ToolCallException failure(ToolExecutionException ex) throws InterruptedException {
		if (ex.getCause() instanceof Error error) {
			throw error;
		}
		if (ex.getCause() instanceof InterruptedException) {
			throw new InterruptedException(ex.getMessage());
		}
		return new ToolCallException(ToolFailureKind.TOOL_ERROR, this.errors.process(ex), ex.getCause());
	}

	/** Return what the text a tool answers means. */
	JsonValue decode(@Nullable String answer) {
		if (answer == null) {
			return JsonValue.NULL;
		}
		JsonValue value = parse(answer);
		return (value != null) ? value : JsonValue.of(answer);
	}

	private static @Nullable JsonValue parse(String text) {
		try {
			return JsonValue.parse(text);
		}
		catch (JsonFormatException ex) {
			return null;
		}
	}

}
