package io.psych.sandbox.spawn;

import java.io.IOException;

/**
 * Bounds of all processes of a tree together that somebody else than this JVM sees to.
 *
 * @since 0.1.0
 */
public interface TreeBounds {

	/**
	 * Return whether the kernel tells that the tree is held to these bounds, or to lower
	 * ones.
	 * @param memory the bytes its processes may use
	 * @param processes how many processes and threads there may be
	 * @return whether it is
	 */
	boolean isHeldTo(long memory, int processes);

	/**
	 * Set the bounds anew.
	 * @param memory the bytes its processes may use
	 * @param processes how many processes and threads there may be
	 * @throws IOException if they can't be set
	 */
	void set(long memory, int processes) throws IOException;

	/**
	 * Return how many processes were ended for want of memory, as far as that was told;
	 * to be called when all are gone.
	 * @return the number
	 */
	long oomKills();

}
