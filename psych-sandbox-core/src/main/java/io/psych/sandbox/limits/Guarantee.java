package io.psych.sandbox.limits;

import java.util.Locale;

/**
 * One of the ten things isolation can mean. Each is graded apart, for every execution.
 *
 * @since 0.1.0
 */
public enum Guarantee {

	/** The program sees no file of the host but a read-only runtime and its workspace. */
	FILESYSTEM,

	/** The program reaches no address, over IPv4 or IPv6. */
	NETWORK,

	/** Every process the program started ends with the execution. */
	PROCESS_TREE,

	/** The program runs as nobody of consequence, without a capability to its name. */
	IDENTITY,

	/** A process that burns its CPU time is ended. */
	CPU,

	/** The program can't take more memory than its limit. */
	MEMORY,

	/** The program can't write a file above its limit. */
	FILE_SIZE,

	/** The program can't have more processes and threads than its limit. */
	PROCESS_COUNT,

	/** The execution ends by its deadline, whatever the program does. */
	WALL_CLOCK,

	/** The program sees no variable of the host's environment that was not allowed. */
	ENVIRONMENT;

	/**
	 * Return the name used in properties, JSON and reports.
	 * @return the lower-case name with dashes, such as {@code process-tree}
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
