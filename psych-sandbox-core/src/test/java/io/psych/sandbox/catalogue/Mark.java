package io.psych.sandbox.catalogue;

/**
 * What a backend makes of a row, weakest first.
 */
enum Mark {

	/** The backend can't, and reports the guarantee as unavailable. */
	N,

	/** Not contained while it runs, cleaned up by the host afterwards. */
	B,

	/** Not claimed: the guarantee is graded below enforced. */
	O,

	/** Contained, and where a guarantee covers it, that guarantee is graded enforced. */
	E;

	boolean isWeakerThan(Mark other) {
		return ordinal() < other.ordinal();
	}

}
