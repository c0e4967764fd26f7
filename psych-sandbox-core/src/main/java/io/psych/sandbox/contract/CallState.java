package io.psych.sandbox.contract;

import java.util.Locale;

/**
 * What became of a call.
 *
 * @since 0.1.0
 */
public enum CallState {

	/** The tool ran and its result reached the program. */
	DONE,

	/** The tool was reached and failed. */
	FAILED,

	/** The call was refused before a tool ran. */
	REFUSED,

	/** The call was cut off: the tool may or may not have had its effect. */
	UNKNOWN;

	/**
	 * Return the name used in JSON.
	 * @return the lower-case name
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

}
