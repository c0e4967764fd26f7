package io.psych.sandbox.tool;

import java.util.Locale;

/**
 * What a tool can do that matters to whether a program may call it. Tools are left out
 * for what they do, never for where they come from.
 *
 * @since 0.1.0
 */
public enum ToolCapability {

	/**
	 * Asks a person in the middle of a call. A program's call is refused before it runs.
	 */
	ASKS_A_PERSON,

	/** Suspends the run, to go on later. A program's call is refused before it runs. */
	SUSPENDS_THE_RUN,

	/** Changes what the model sees or knows. Not offered to programs. */
	ACTS_ON_THE_CONTEXT,

	/** Starts work that goes on after the execution. Not offered to programs. */
	OUTLIVES_THE_EXECUTION;

	/**
	 * Return the name used in properties and JSON.
	 * @return the lower-case name with dashes
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	boolean isOffered() {
		return this == ASKS_A_PERSON || this == SUSPENDS_THE_RUN;
	}

}
