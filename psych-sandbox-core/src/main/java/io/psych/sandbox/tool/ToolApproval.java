package io.psych.sandbox.tool;

/**
 * Which calls a person must approve, and how the person is asked. A program is never made
 * to wait for a person: its call is refused, and the model is told to make it directly.
 * Asked by many threads at once. What it throws denies the call.
 *
 * @since 0.1.0
 */
public interface ToolApproval {

	/** No call needs approval. */
	ToolApproval NONE = new ToolApproval() {

		@Override
		public boolean isRequired(ToolCall call) {
			return false;
		}

		@Override
		public ToolDecision ask(ToolCall call) {
			return ToolDecision.ALLOWED;
		}

	};

	/**
	 * Return whether a call needs approval. Must answer at once.
	 * @param call the call
	 * @return whether it does
	 */
	boolean isRequired(ToolCall call);

	/**
	 * Ask for approval of a direct call of the model. May wait for a person.
	 * @param call the call
	 * @return the decision
	 * @throws InterruptedException if the thread was interrupted while it waited
	 */
	ToolDecision ask(ToolCall call) throws InterruptedException;

}
