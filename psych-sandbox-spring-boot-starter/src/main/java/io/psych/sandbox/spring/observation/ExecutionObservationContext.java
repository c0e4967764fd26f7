package io.psych.sandbox.spring.observation;

import io.micrometer.observation.Observation;
import io.psych.sandbox.contract.ExecutionFacts;
import org.jspecify.annotations.Nullable;

/**
 * {@link Observation.Context} of one execution.
 *
 * @since 0.1.0
 */
public final class ExecutionObservationContext extends Observation.Context {

	private final @Nullable String profile;

	private @Nullable ExecutionFacts facts;

	ExecutionObservationContext(@Nullable String profile) {
		this.profile = profile;
	}

	/**
	 * Return the name of its profile.
	 * @return the name, or {@code null} for the default limits
	 */
	public @Nullable String profile() {
		return this.profile;
	}

	/**
	 * Return what came of it.
	 * @return the facts, or {@code null} until it is over
	 */
	public @Nullable ExecutionFacts facts() {
		return this.facts;
	}

	void end(ExecutionFacts facts) {
		this.facts = facts;
	}

}
