package io.psych.sandbox.limits;

/**
 * What one frame of the wire carries. Apart from the limits that are measured against it,
 * so that each of them can be loaded first.
 */
final class FrameSize {

	static final ByteSize MOST = ByteSize.ofMebibytes(16);

	/** What the fields around a value may take of a frame. */
	private static final ByteSize OVERHEAD = ByteSize.ofKibibytes(64);

	/** The most that one value in a frame may be. */
	static final ByteSize MOST_VALUE = ByteSize.ofBytes(MOST.bytes() - OVERHEAD.bytes());

	private FrameSize() {
	}

}
