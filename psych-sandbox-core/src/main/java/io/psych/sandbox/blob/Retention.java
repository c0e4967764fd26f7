package io.psych.sandbox.blob;

import java.time.Duration;

import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.LimitException;

/**
 * How long and how much a blob store keeps. What is older than the age goes; then, the
 * oldest first, what is over the total.
 *
 * @param maxAge the age, from the moment a blob was stored, up to which it is kept
 * @param maxTotal the most bytes that all blobs together may have
 * @since 0.1.0
 */
public record Retention(Duration maxAge, ByteSize maxTotal) {

	/** So long that nobody sees its end, and no date overflows. */
	private static final Duration MOST_AGE = Duration.ofDays(36_500);

	public Retention {
		check("maxAge", maxAge, !maxAge.isNegative() && !maxAge.isZero() && maxAge.compareTo(MOST_AGE) <= 0,
				"but must be positive and at most 36500 days", "Set it to 7d.");
		check("maxTotal", maxTotal, maxTotal.bytes() > 0, "but must be positive", "Set it to 1MB or more.");
	}

	private static void check(String name, Object value, boolean holds, String problem, String fix) {
		if (!holds) {
			throw new LimitException(name, value.toString(), problem, fix);
		}
	}

}
