package io.psych.sandbox.spring.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.psych.sandbox.contract.CallFacts;
import io.psych.sandbox.spring.observation.SandboxObservations.CallKeys;

/**
 * The names and tags of calls, where the application has none of its own. All tags are
 * always there; the outcome of a call that is not over is {@code none}.
 *
 * @since 0.1.0
 */
public final class DefaultCallObservationConvention implements CallObservationConvention {

	@Override
	public String getName() {
		return SandboxObservations.CALL.getName();
	}

	@Override
	public String getContextualName(CallObservationContext context) {
		return "sandbox call " + context.tool();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(CallObservationContext context) {
		CallFacts facts = context.facts();
		return KeyValues.of(CallKeys.TOOL.withValue(context.tool()), CallKeys.ORIGIN.withValue(context.origin().id()),
				CallKeys.OUTCOME.withValue((facts != null) ? facts.outcome() : KeyValue.NONE_VALUE));
	}

}
