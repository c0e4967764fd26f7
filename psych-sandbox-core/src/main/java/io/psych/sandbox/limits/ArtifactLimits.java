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

	private static final ArtifactLimits DEFAULTS = new ArtifactLimits(32, 8, ByteSize.ofMebibytes(32),
			Duration.ofSeconds(5));

	public ArtifactLimits {
		check("artifacts.files", files, files >= 0 && files <= 10_000, "but must be from 0 to 10000",
				"Set it to 0 to collect nothing, or to 32.");
		check("artifacts.depth", depth, depth >= 0 && depth <= 64, "but must be from 0 to 64", "Set it to 8.");
		check("artifacts.total", total, total.bytes() >= 0, "but must not be negative", "Set it to 32MB.");
		check("artifacts.time", time,
				!time.isNegative() && !time.isZero() && time.compareTo(Duration.ofMinutes(10)) <= 0,
				"but must be positive and at most ten minutes", "Set it to 5s.");
	}

	/**
	 * Return the limits of a deployment that says nothing.
	 * @return the defaults
	 */
	public static ArtifactLimits defaults() {
		return DEFAULTS;
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
