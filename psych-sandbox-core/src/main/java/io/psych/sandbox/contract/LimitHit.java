package io.psych.sandbox.contract;

import java.util.Locale;

/**
 * The limit that ended an execution, or that the exception which ended it speaks of.
 *
 * @since 0.1.0
 */
public enum LimitHit {

	/** CPU time of one process. */
	CPU,

	/** The deadline of the execution. */
	WALL_CLOCK,

	/** Address space of one process, or memory of all. */
	MEMORY,

	/** Size of one file. */
	FILE_SIZE,

	/** All bytes of the writable folders. */
	WORKSPACE,

	/** Processes and threads. */
	PROCESSES,

	/** Bytes of the value. */
	VALUE;

	/**
	 * Return the name used in JSON.
	 * @return the lower-case name with underscores
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

}
