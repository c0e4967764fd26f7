package io.psych.sandbox.contract;

import java.util.Locale;

/**
 * Who calls a tool.
 *
 * @since 0.1.0
 */
public enum CallOrigin {

	/** A program that a model wrote. */
	PROGRAM,

	/** The model itself, directly. */
	MODEL;

	/**
	 * Return the name used in JSON.
	 * @return the lower-case name
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

}
