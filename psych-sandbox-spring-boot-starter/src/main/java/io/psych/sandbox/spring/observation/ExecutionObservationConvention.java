package io.psych.sandbox.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * {@link ObservationConvention} for executions. A bean of this type replaces names and
 * tags.
 *
 * @since 0.1.0
 */
public interface ExecutionObservationConvention extends ObservationConvention<ExecutionObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ExecutionObservationContext;
	}

}
