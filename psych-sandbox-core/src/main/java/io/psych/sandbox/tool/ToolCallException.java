package io.psych.sandbox.tool;

import io.psych.sandbox.contract.ToolFailureKind;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a tool that fails in a way the program may handle: it is raised there as a
 * {@code ToolError} with this kind and message.
 *
 * @since 0.1.0
 */
public final class ToolCallException extends Exception {

	private final ToolFailureKind kind;

	/**
	 * Create a new exception.
	 * @param kind what kind of failure it is, for the program to branch on
	 * @param message what happened, for the program's author
	 */
	public ToolCallException(ToolFailureKind kind, String message) {
		this(kind, message, null);
	}

	/**
	 * Create a new exception.
	 * @param kind the kind, for the program to branch on
	 * @param message what happened; it reaches the model
	 * @param cause the cause, for the host's log, or {@code null}
	 */
	public ToolCallException(ToolFailureKind kind, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.kind = kind;
	}

	/**
	 * Return the kind.
	 * @return the kind
	 */
	public ToolFailureKind kind() {
		return this.kind;
	}

}
