package io.psych.sandbox.spring.observation;

import io.micrometer.observation.Observation;
import io.psych.sandbox.contract.CallFacts;
import io.psych.sandbox.contract.CallOrigin;
import org.jspecify.annotations.Nullable;

/**
 * {@link Observation.Context} of one call of a tool.
 *
 * @since 0.1.0
 */
public final class CallObservationContext extends Observation.Context {

	private final String tool;

	private final CallOrigin origin;

	private @Nullable CallFacts facts;

	CallObservationContext(String tool, CallOrigin origin) {
		this.tool = tool;
		this.origin = origin;
	}

	/**
	 * Return the name of the tool.
	 * @return the name, or {@link CallFacts#OTHER} where there is no such tool
	 */
	public String tool() {
		return this.tool;
	}

	/**
	 * Return who calls.
	 * @return a program, or the model itself
	 */
	public CallOrigin origin() {
		return this.origin;
	}

	/**
	 * Return what came of it.
	 * @return the facts, or {@code null} until it is over
	 */
	public @Nullable CallFacts facts() {
		return this.facts;
	}

	void end(CallFacts facts) {
		this.facts = facts;
	}

}
