package io.psych.sandbox.spring.mcp;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.tool.ToolCallException;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong between client and server, in the words of a program's author. Of
 * exceptions of a transport only the class is told: their messages hold addresses, and
 * answers of any length.
 */
final class McpFailures {

	private McpFailures() {
	}

	static boolean isInterruption(RuntimeException problem) {
		return find(problem, InterruptedException.class) != null;
	}

	/** Whether the server wants a person to open a page before it goes on. */
	static boolean isQuestion(RuntimeException problem) {
		return code(problem) == ErrorCodes.URL_ELICITATION_REQUIRED;
	}

	/** Whether the server says that the tool or its arguments are not what it knows. */
	static boolean isAboutParameters(RuntimeException problem) {
		return code(problem) == ErrorCodes.INVALID_PARAMS || code(problem) == ErrorCodes.METHOD_NOT_FOUND;
	}

	static ToolCallException of(RuntimeException problem) {
		McpError error = find(problem, McpError.class);
		if (error != null) {
			ToolFailureKind kind = (code(problem) == ErrorCodes.INVALID_PARAMS) ? ToolFailureKind.BAD_ARGUMENTS
					: ToolFailureKind.TOOL_ERROR;
			return new ToolCallException(kind, McpResults.shortened(String.valueOf(error.getMessage()) + pages(error)),
					problem);
		}
		if (find(problem, TimeoutException.class) != null) {
			return new ToolCallException(ToolFailureKind.TIMED_OUT,
					"The server did not answer within its request timeout. The call may have had its effect.", problem);
		}
		if (find(problem, IllegalArgumentException.class) != null || isOfJson(problem)) {
			return new ToolCallException(ToolFailureKind.TOOL_ERROR,
					"The server answered with what is no result of a tool.", problem);
		}
		return new ToolCallException(ToolFailureKind.UNREACHABLE,
				"The server of the tool can't be reached (" + root(problem).getClass().getSimpleName() + ").", problem);
	}

	/** The pages a person would have to open. */
	private static String pages(McpError error) {
		if (error.getJsonRpcError().data() instanceof Map<?, ?> data
				&& data.get("elicitations") instanceof List<?> elicitations) {
			return elicitations.stream()
				.filter(Map.class::isInstance)
				.map((elicitation) -> " " + ((Map<?, ?>) elicitation).get("url"))
				.collect(Collectors.joining());
		}
		return "";
	}

	private static int code(RuntimeException problem) {
		McpError error = find(problem, McpError.class);
		return (error != null) ? error.getJsonRpcError().code() : 0;
	}

	private static boolean isOfJson(Throwable problem) {
		for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
			String name = cause.getClass().getName();
			if (name.startsWith("tools.jackson.") || name.startsWith("com.fasterxml.jackson.")) {
				return true;
			}
		}
		return false;
	}

	private static <T extends Throwable> @Nullable T find(Throwable problem, Class<T> type) {
		for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
			if (type.isInstance(cause)) {
				return type.cast(cause);
			}
		}
		return null;
	}

	static Throwable root(Throwable problem) {
		Throwable root = problem;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return root;
	}

}
