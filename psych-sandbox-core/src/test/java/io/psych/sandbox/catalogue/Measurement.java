package io.psych.sandbox.catalogue;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a run of a row on a backend showed.
 *
 * @param mark what it amounts to, or {@code null} when it failed
 * @param evidence what was found, the same for every run that finds the same
 * @param problems what is not as the head demands
 */
record Measurement(@Nullable Mark mark, List<String> evidence, List<String> problems) {

	Measurement {
		evidence = List.copyOf(evidence);
		problems = List.copyOf(problems);
	}

}
