package io.psych.sandbox.artifact;

import java.util.List;

import io.psych.sandbox.contract.Uncollected;

/**
 * What came of collecting.
 *
 * @param files how many files the sink took
 * @param bytes the bytes of those
 * @param uncollected what was not collected, with the reason; of very many the first
 * hundred
 * @param unlisted how many there were beyond those
 * @since 0.1.0
 */
public record Collected(int files, long bytes, List<Uncollected> uncollected, long unlisted) {

	/** Where nothing was to be collected. */
	public static final Collected NOTHING = new Collected(0, 0, List.of(), 0);

	public Collected {
		uncollected = List.copyOf(uncollected);
	}

}
