package io.psych.sandbox.contract;

/**
 * Why an execution did not succeed: six things a program can do, seven that the
 * deployment could not do for it. The set is closed.
 *
 * @since 0.1.0
 */
public enum FailureKind {

	/** The program raised and nothing caught it, or its text does not compile. */
	PROGRAM_EXCEPTION("program_exception",
			"Read the traceback, fix the line it names and run the whole program again. Calls listed as done in"
					+ " the ledger have happened: do not repeat them if they change something."),

	/** The program ran past a time limit, its own CPU or the wall clock. */
	TIMEOUT("timeout",
			"Do less in one program: fewer items, fewer calls, a smaller loop, or several programs. The limits are in"
					+ " the tool description; waiting for tools counts against the wall clock, not against CPU time."),

	/** The host ended the program because it broke the wire protocol. */
	ABORTED("aborted",
			"Do not touch the channel between the program and its host. Print and return values; call tools by their"
					+ " functions or by call_tool."),

	/**
	 * The process ended itself, or was ended by a signal, before the program was done.
	 */
	WORKER_EXIT("worker_exit",
			"Let the program end by reaching its last line: no sys.exit with a status, no os._exit, no os.abort. A"
					+ " signal means a crash in native code or too much memory: use less at a time."),

	/** The value the program handed back has no JSON form. */
	INVALID_OUTPUT("invalid_output",
			"Return plain data: dict, list, str, int, float, bool, None. Convert what the message names, or print"
					+ " it."),

	/** The value the program handed back is larger than the cap. */
	OUTPUT_LIMIT("output_limit",
			"Return less: filter, aggregate or count inside the program and return the answer, not the data."),

	/** The isolation that is required could not be proved, so nothing was executed. */
	ISOLATION_UNAVAILABLE("isolation_unavailable",
			"The program was not executed and is not at fault. Do not rewrite it; use your other tools and tell the"
					+ " person that the sandbox's isolation is below what is required."),

	/** The request asked for a network that the deployment does not grant. */
	NETWORK_NOT_ALLOWED("network_not_allowed",
			"The program was not executed. Ask again without network and fetch what it needs through a tool."),

	/** The backend could not start the program's process. */
	BACKEND_NOT_READY("backend_not_ready",
			"The program was not executed and is not at fault. Try once more later; until then use your other tools."),

	/** A policy of the deployment refused the request. */
	POLICY_REFUSED("policy_refused",
			"The program was not executed. Ask for less, as the message says; sending the same request again will be"
					+ " refused again."),

	/** The caller cancelled the execution. */
	CANCELLED("cancelled",
			"Somebody stopped this execution. Do not run it again unless asked to; the ledger tells which calls were"
					+ " made."),

	/** The mechanism that runs the program failed while it ran. */
	PROVIDER_ERROR("provider_error",
			"The sandbox failed, not the program. The ledger tells which calls were made; running the same program"
					+ " again repeats them."),

	/** The files the program made could not be collected or kept. */
	ARTIFACTS_UNAVAILABLE("artifacts_unavailable",
			"The program ran, but its files could not be kept. Return what matters as a value or print it.");

	private final String id;

	private final String guidance;

	FailureKind(String id, String guidance) {
		this.id = id;
		this.guidance = guidance;
	}

	/**
	 * Return the name used in JSON.
	 * @return the lower-case name with underscores
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Return what the model should do next.
	 * @return one or two sentences
	 */
	public String guidance() {
		return this.guidance;
	}

}
