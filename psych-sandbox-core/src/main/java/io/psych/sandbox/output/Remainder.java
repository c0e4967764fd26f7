package io.psych.sandbox.output;

/**
 * What of a stream has not come through its pipe when all of its writers are gone. It is
 * told how far the stream has come while it still grows.
 *
 * @since 0.1.0
 */
public interface Remainder {

	/**
	 * Learn that more has come through the pipe. Called by the thread that drains it, so
	 * it must not wait for anything.
	 * @param bytes how many have come in all
	 */
	void grown(long bytes);

	/**
	 * Return the rest, once, when no more comes through the pipe.
	 * @param bytes how many have come in all
	 * @return what was to follow them
	 */
	byte[] rest(long bytes);

}
