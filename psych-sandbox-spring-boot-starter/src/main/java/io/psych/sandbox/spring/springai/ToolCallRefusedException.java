package io.psych.sandbox.spring.springai;

import io.psych.sandbox.contract.ToolFailureKind;

/**
 * The cause of a {@link org.springframework.ai.tool.execution.ToolExecutionException}
 * when a direct call of the model was refused or failed on its way to the tool. Its
 * message is for the model.
 *
 * @since 0.1.0
 */
public final class ToolCallRefusedException extends RuntimeException {

	private final ToolFailureKind kind;

	ToolCallRefusedException(ToolFailureKind kind, String message) {
		super(message);
		this.kind = kind;
	}

	/**
	 * Return why the call did not succeed.
	 * @return the kind
	 */
	public ToolFailureKind kind() {
		return this.kind;
	}

}
