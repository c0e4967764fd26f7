package io.psych.sandbox.run;

/**
 * How the pool of waiting children is doing.
 *
 * @param size how many children are to wait
 * @param waiting how many do
 * @param taken how many executions were given one
 * @param missed how many found none, and waited for the one that was being started or
 * started their own
 * @param expired how many children were replaced because they had died or waited too long
 * @param failed how many could not be started
 * @since 0.1.0
 */
public record PoolStatus(int size, int waiting, long taken, long missed, long expired, long failed) {

	/** Where there is no pool. */
	public static final PoolStatus NONE = new PoolStatus(0, 0, 0, 0, 0, 0);

}
