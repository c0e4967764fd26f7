package io.psych.sandbox.limits;

/**
 * How much of the host's tools one program may use. Every bound is inclusive. Counted on
 * the host when a call is accepted; a call that then fails or is refused gives nothing
 * back.
 *
 * @param perExecution calls one program may make
 * @param perRun calls all programs of one run may make together
 * @param arguments bytes the arguments of one call may have, as JSON
 * @param result bytes the result of one call may have, as JSON; a larger one is kept
 * under a handle or refused, never shortened
 * @param total bytes of arguments and results of one program together
 * @param kept bytes of results over the ceiling that are kept for one program to read in
 * parts
 * @since 0.1.0
 */
public record CallLimits(int perExecution, int perRun, ByteSize arguments, ByteSize result, ByteSize total,
		ByteSize kept) {

	private static final ByteSize MOST_KEPT = ByteSize.ofBytes(Integer.MAX_VALUE / 2);

	private static final CallLimits DEFAULTS = new CallLimits(1_000, 5_000, ByteSize.ofMebibytes(1),
			ByteSize.ofMebibytes(4), ByteSize.ofMebibytes(64), ByteSize.ofMebibytes(32));

	private static final CallLimits WIDEST = new CallLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, FrameSize.MOST_VALUE,
			FrameSize.MOST_VALUE, ByteSize.ofBytes(Long.MAX_VALUE), MOST_KEPT);

	public CallLimits {
		check("calls.perExecution", perExecution, perExecution >= 0, "but must not be negative",
				"Set it to 0 for programs without tools, or more.");
		check("calls.perRun", perRun, perRun >= perExecution, "but one program may make " + perExecution + " calls",
				"Set it to at least perExecution, or lower perExecution.");
		fitsFrame("calls.arguments", arguments);
		fitsFrame("calls.result", result);
		check("calls.total", total, total.compareTo(arguments) >= 0 && total.compareTo(result) >= 0,
				"but one call alone may have " + arguments + " of arguments and " + result + " of result",
				"Set it to at least the larger of the two.");
		check("calls.kept", kept, kept.bytes() >= 0, "but must not be negative",
				"Set it to 0 to refuse each result over the ceiling, or more.");
		check("calls.kept", kept, kept.compareTo(MOST_KEPT) <= 0, "but it is held in memory", "Set it to 1GB or less.");
	}

	/**
	 * Return the limits of a deployment that says nothing.
	 * @return the defaults
	 */
	public static CallLimits defaults() {
		return DEFAULTS;
	}

	static CallLimits widest() {
		return WIDEST;
	}

	/**
	 * Return the stricter of these limits and others, one by one.
	 * @param other the other limits
	 * @return limits that are nowhere above either
	 */
	public CallLimits intersect(CallLimits other) {
		ByteSize most = min(this.total, other.total);
		int runs = Math.min(this.perRun, other.perRun);
		return new CallLimits(Math.min(Math.min(this.perExecution, other.perExecution), runs), runs,
				min(min(this.arguments, other.arguments), most), min(min(this.result, other.result), most), most,
				min(this.kept, other.kept));
	}

	private static ByteSize min(ByteSize left, ByteSize right) {
		return (left.compareTo(right) <= 0) ? left : right;
	}

	private static void fitsFrame(String name, ByteSize value) {
		check(name, value, value.bytes() > 0, "but must be positive", "Set it to 1KB or more.");
		check(name, value, value.compareTo(FrameSize.MOST_VALUE) <= 0,
				"but one frame of the wire carries " + FrameSize.MOST + ", so at most " + FrameSize.MOST_VALUE,
				"Set it to 15MB or less.");
	}

	private static void check(String name, Object value, boolean holds, String problem, String fix) {
		if (!holds) {
			throw new LimitException(name, value.toString(), problem, fix);
		}
	}

}
