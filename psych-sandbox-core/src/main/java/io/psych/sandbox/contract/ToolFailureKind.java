package io.psych.sandbox.contract;

/**
 * Why a call did not succeed, as the program can branch on it ({@code ToolError.kind}).
 *
 * @since 0.1.0
 */
public enum ToolFailureKind {

	/** A person would have to approve the call; the model must make it directly. */
	APPROVAL_REQUIRED("approval_required", CallState.REFUSED),

	/** The service behind the tool did not answer. */
	UNREACHABLE("unreachable", CallState.FAILED),

	/** The tool ran and returned an error. */
	TOOL_ERROR("tool_error", CallState.FAILED),

	/** The execution or the run has spent its budget. */
	BUDGET_SPENT("budget_spent", CallState.REFUSED),

	/** No tool of that name is offered to this execution. */
	NOT_OFFERED("not_offered", CallState.REFUSED),

	/** The arguments do not fit the tool's schema. */
	BAD_ARGUMENTS("bad_arguments", CallState.REFUSED),

	/** A policy refused the call. */
	DENIED("denied", CallState.REFUSED),

	/** The tool took longer than a call may take. */
	TIMED_OUT("timed_out", CallState.UNKNOWN),

	/** The execution ended while the call was open. */
	CANCELLED("cancelled", CallState.UNKNOWN),

	/** The result is over the ceiling and was not kept. */
	RESULT_NOT_PAGED("binding_result_not_paged", CallState.FAILED);

	private final String id;

	private final CallState state;

	ToolFailureKind(String id, CallState state) {
		this.id = id;
		this.state = state;
	}

	/**
	 * Return the name used on the wire, in JSON and by the program.
	 * @return the lower-case name with underscores
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Return what a failure of this kind says about the call.
	 * @return the state the ledger shows
	 */
	public CallState state() {
		return this.state;
	}

}
