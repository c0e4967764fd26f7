package io.psych.sandbox.limits;

/**
 * What all processes of a child are held to together, by a control group.
 *
 * @param memory the bytes they may use
 * @param processes how many processes and threads there may be
 * @since 0.1.0
 */
public record TreeLimits(ByteSize memory, int processes) {

	/** A launcher and an init, with room for one more of each. */
	private static final int SUPPORTING_PROCESSES = 4;

	/**
	 * Return what follows from the limits of an execution.
	 * @param limits the limits
	 * @return the limits of its tree
	 */
	public static TreeLimits of(Limits limits) {
		// The files of a tmpfs are memory, so the group holds the workspace as well.
		return new TreeLimits(ByteSize.ofBytes(limits.addressSpace().bytes() + limits.workspace().bytes()),
				limits.processes() + SUPPORTING_PROCESSES);
	}

}
