package io.psych.sandbox.wire;

import io.psych.sandbox.limits.Limits;

/**
 * How much one frame of a child may be. Together they bound the heap that one frame
 * costs: its bytes while it is read, and some 100 bytes for each of its values at the
 * worst.
 *
 * @param bytes the longest line
 * @param values the most JSON values in a frame, counting each element, each member and
 * whatever holds them
 * @since 0.1.0
 */
public record FrameBounds(int bytes, int values) {

	/** Before there is a program, a child sends a report of ours and nothing else. */
	public static final FrameBounds HANDSHAKE = new FrameBounds(256 * 1024, 10_000);

	/** As many as the child lets the arguments of one call have. */
	private static final int ARGUMENT_VALUES = 250_000;

	/** The members of a frame, and those of a failure. */
	private static final int FRAME_VALUES = 100;

	/**
	 * Return what a program may send. Neither arguments nor a value within its limit
	 * reach these bounds, as a JSON text has at most one value for every two bytes.
	 * @param limits the limits of its execution
	 * @return the bounds
	 */
	public static FrameBounds of(Limits limits) {
		return new FrameBounds((int) Limits.FRAME.bytes(),
				ARGUMENT_VALUES + (int) limits.value().bytes() / 2 + FRAME_VALUES);
	}

}
