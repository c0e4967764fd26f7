package io.psych.sandbox.wire;

/**
 * The version of the protocol. Frames only ever gain fields; what takes one away or
 * changes its meaning is a new version.
 *
 * @since 0.1.0
 */
public final class ProtocolVersion {

	/** The version this host speaks. */
	public static final long CURRENT = 1;

	private ProtocolVersion() {
	}

}
