package io.psych.sandbox.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;

/**
 * What became of an execution's calls: the first so many one by one, all others counted.
 * A program can make more calls than a host has memory for. Not for several threads at
 * once.
 */
final class Ledger {

	/** Beyond what a program has a use for; some megabytes where all names are long. */
	static final int MOST_LISTED = 10_000;

	private final List<CallRecord> listed = new ArrayList<>();

	private final Map<CallState, Long> unlisted = new EnumMap<>(CallState.class);

	/**
	 * Add a call that has ended, in whatever order they do.
	 * @param call the call
	 */
	void add(CallRecord call) {
		if (call.id() < MOST_LISTED) {
			this.listed.add(call);
		}
		else {
			this.unlisted.merge(call.state(), 1L, Long::sum);
		}
	}

	/**
	 * Return the calls that are listed, in the order the host received them.
	 * @return the calls
	 */
	List<CallRecord> listed() {
		return this.listed.stream().sorted(Comparator.comparingInt(CallRecord::id)).toList();
	}

	/**
	 * Return how many calls there were beyond those that are listed.
	 * @return the number by what became of them, without those that are zero
	 */
	Map<CallState, Long> unlisted() {
		return Map.copyOf(this.unlisted);
	}

}
