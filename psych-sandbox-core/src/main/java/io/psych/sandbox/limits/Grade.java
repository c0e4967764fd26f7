package io.psych.sandbox.limits;

import java.util.Locale;

/**
 * How far a guarantee was proved. The order is from strongest to weakest.
 *
 * @since 0.1.0
 */
public enum Grade {

	/**
	 * An attempt to break it was made, would have worked without the mechanism, and
	 * failed.
	 */
	ENFORCED,

	/**
	 * The mechanism was asked for and nothing contradicts it; that is all that is known.
	 */
	UNVERIFIED,

	/** There is no mechanism, or an attempt to break it succeeded. */
	UNAVAILABLE;

	/**
	 * Return the name used in JSON and reports.
	 * @return the lower-case name
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

}
