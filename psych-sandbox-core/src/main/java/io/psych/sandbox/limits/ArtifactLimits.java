package io.psych.sandbox.limits;

import java.time.Duration;

/**
 * How much of what a program leaves in its workspace is collected. Every bound is
 * inclusive; what is beyond one is listed with the reason and not collected.
 *
 * @param files how many files; zero collects none
 * @param depth how many folders deep a file may lie, zero for the workspace itself
 * @param total bytes of all collected files together
 * @param time how long the collecting may take
 * @since 0.1.0
 */
public record ArtifactLimits(int files, int depth, ByteSize total, Duration time) {

	private static final int MOST_FILES = 10_000;

	private static final int MOST_DEPTH = 64;

	private static final Duration LONGEST = Duration.ofMinutes(10);

	private static final ArtifactLimits DEFAULTS = new ArtifactLimits(32, 8, ByteSize.ofMebibytes(32),
			Duration.ofSeconds(5));

	private static final ArtifactLimits WIDEST = new ArtifactLimits(MOST_FILES, MOST_DEPTH,
			ByteSize.ofBytes(Long.MAX_VALUE), LONGEST);

	public ArtifactLimits {
		check("artifacts.files", files, files >= 0 && files <= MOST_FILES, "but must be from 0 to " + MOST_FILES,
				"Set it to 0 to collect nothing, or to 32.");
		check("artifacts.depth", depth, depth >= 0 && depth <= MOST_DEPTH, "but must be from 0 to " + MOST_DEPTH,
				"Set it to 8.");
		check("artifacts.total", total, total.bytes() >= 0, "but must not be negative", "Set it to 32MB.");
		check("artifacts.time", time, !time.isNegative() && !time.isZero() && time.compareTo(LONGEST) <= 0,
				"but must be positive and at most ten minutes", "Set it to 5s.");
	}

	/**
	 * Return the limits of a deployment that says nothing.
	 * @return the defaults
	 */
	public static ArtifactLimits defaults() {
		return DEFAULTS;
	}

	static ArtifactLimits widest() {
		return WIDEST;
	}

	/**
	 * Return the stricter of these limits and others, one by one.
	 * @param other the other limits
	 * @return limits that are nowhere above either
	 */
	public ArtifactLimits intersect(ArtifactLimits other) {
		return new ArtifactLimits(Math.min(this.files, other.files), Math.min(this.depth, other.depth),
				(this.total.compareTo(other.total) <= 0) ? this.total : other.total,
				(this.time.compareTo(other.time) <= 0) ? this.time : other.time);
	}

	private static void check(String name, Object value, boolean holds, String problem, String fix) {
		if (!holds) {
			throw new LimitException(name, value.toString(), problem, fix);
		}
	}

}
