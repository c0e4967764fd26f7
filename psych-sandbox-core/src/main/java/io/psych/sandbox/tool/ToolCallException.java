package io.psych.sandbox.tool;

import io.psych.sandbox.contract.CallState;
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

	private final CallState state;

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
		this(kind, kind.state(), message, cause);
	}

	/**
	 * Create a new exception for a call that is in another state than those that fail in
	 * this way are: one that was denied when it had gone half of its way, for example.
	 * @param kind the kind, for the program to branch on
	 * @param state what the ledger shows
	 * @param message what happened; it reaches the model
	 * @param cause the cause, for the host's log, or {@code null}
	 */
	public ToolCallException(ToolFailureKind kind, CallState state, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.kind = kind;
		this.state = state;
	}

	/**
	 * Return the kind.
	 * @return the kind
	 */
	public ToolFailureKind kind() {
		return this.kind;
	}

	/**
	 * Return what the failure says about the call.
	 * @return the state the ledger shows
	 */
	public CallState state() {
		return this.state;
	}

}
