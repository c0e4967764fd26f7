package io.psych.sandbox.spring.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.common.docs.KeyName;
import io.psych.sandbox.contract.ExecutionFacts;
import io.psych.sandbox.contract.ExecutionFacts.Start;
import io.psych.sandbox.spring.observation.SandboxObservations.ExecutionKeys;
import org.jspecify.annotations.Nullable;

/**
 * The names and tags of executions, where the application has none of its own. All tags
 * are always there; what is not known, or not yet, is {@code none}.
 *
 * @since 0.1.0
 */
public final class DefaultExecutionObservationConvention implements ExecutionObservationConvention {

	@Override
	public String getName() {
		return SandboxObservations.EXECUTION.getName();
	}

	@Override
	public String getContextualName(ExecutionObservationContext context) {
		return "sandbox execution";
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(ExecutionObservationContext context) {
		KeyValues known = KeyValues.of(value(ExecutionKeys.PROFILE, context.profile()));
		ExecutionFacts facts = context.facts();
		if (facts == null) {
			return known.and(value(ExecutionKeys.BACKEND, null), value(ExecutionKeys.LEVEL, null),
					value(ExecutionKeys.OUTCOME, null), value(ExecutionKeys.LIMIT, null),
					value(ExecutionKeys.START, Start.NONE.id()));
		}
		return known.and(value(ExecutionKeys.BACKEND, facts.backend()), value(ExecutionKeys.LEVEL, facts.level().id()),
				value(ExecutionKeys.OUTCOME, facts.outcome()),
				value(ExecutionKeys.LIMIT, (facts.limitHit() != null) ? facts.limitHit().id() : null),
				value(ExecutionKeys.START, facts.start().id()));
	}

	private static KeyValue value(KeyName key, @Nullable String value) {
		return key.withValue((value != null) ? value : KeyValue.NONE_VALUE);
	}

}
