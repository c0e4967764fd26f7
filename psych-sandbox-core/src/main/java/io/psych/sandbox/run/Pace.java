package io.psych.sandbox.run;

import java.time.Duration;

/**
 * Whether the calls of a program are answered so fast that handing each of them over
 * would take most of its time. Two that were make it so. Two in a row that were not end
 * it, as a single one may only have met a busy host.
 */
final class Pace {

	/** Some ten times what it takes to hand a call over. */
	private static final Duration FAST = Duration.ofNanos(500_000);

	private static final int MOST_SCORE = 2;

	/** A program whose calls have stalled as often is not tried again for a while. */
	private static final int MOST_STALLS = 3;

	/** So many fast calls make up for one that has stalled. */
	private static final int FORGIVEN_AFTER = 1_000;

	private final long most;

	/** How sure it is; guarded by this, as all below. */
	private int score;

	private int stalls;

	/** Fast calls since a stall was last forgiven, while there is one. */
	private int since;

	private boolean fast;

	Pace() {
		this(FAST);
	}

	/**
	 * Create a new pace.
	 * @param most how long a call may take to be fast
	 */
	Pace(Duration most) {
		this.most = most.toNanos();
	}

	/**
	 * Take note of a call that was answered.
	 * @param nanos how long that took
	 */
	synchronized void took(long nanos) {
		if (this.stalls > 0 && nanos <= this.most && ++this.since == FORGIVEN_AFTER) {
			this.stalls--;
			this.since = 0;
		}
		this.score = (nanos <= this.most) ? Math.min(this.score + 1, MOST_SCORE) : Math.max(this.score - 1, 0);
		this.fast = (this.fast ? this.score > 0 : this.score == MOST_SCORE) && this.stalls < MOST_STALLS;
	}

	/**
	 * Take note of a call that kept those behind it waiting.
	 */
	synchronized void stalled() {
		this.stalls++;
		this.score = 0;
		this.fast = false;
	}

	/**
	 * Return whether the next call is likely answered at once.
	 * @return whether the last ones were
	 */
	synchronized boolean isFast() {
		return this.fast;
	}

}
