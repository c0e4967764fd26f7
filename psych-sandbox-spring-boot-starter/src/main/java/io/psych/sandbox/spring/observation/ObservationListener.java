package io.psych.sandbox.spring.observation;

import java.util.function.Consumer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.psych.sandbox.contract.CallFacts;
import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.ExecutionFacts;
import io.psych.sandbox.contract.SandboxListener;
import org.jspecify.annotations.Nullable;

/**
 * Makes an observation of every execution and every call. That of an execution is in
 * scope while it is under way, so the calls of its program, which the context of its
 * thread is carried to, are its children.
 *
 * @since 0.1.0
 */
public final class ObservationListener implements SandboxListener {

	private static final ExecutionObservationConvention EXECUTION = new DefaultExecutionObservationConvention();

	private static final CallObservationConvention CALL = new DefaultCallObservationConvention();

	private final ObservationRegistry registry;

	private final @Nullable ExecutionObservationConvention executions;

	private final @Nullable CallObservationConvention calls;

	/**
	 * Create a new instance.
	 * @param registry where observations are made
	 * @param executions names and tags of executions, or {@code null} for the default
	 * @param calls names and tags of calls, or {@code null} for the default
	 */
	public ObservationListener(ObservationRegistry registry, @Nullable ExecutionObservationConvention executions,
			@Nullable CallObservationConvention calls) {
		this.registry = registry;
		this.executions = executions;
		this.calls = calls;
	}

	@Override
	public Consumer<ExecutionFacts> executionBegins(@Nullable String profile) {
		ExecutionObservationContext context = new ExecutionObservationContext(profile);
		Runnable end = begin(
				SandboxObservations.EXECUTION.observation(this.executions, EXECUTION, () -> context, this.registry));
		return (facts) -> {
			context.end(facts);
			end.run();
		};
	}

	@Override
	public Consumer<CallFacts> callBegins(String tool, CallOrigin origin) {
		CallObservationContext context = new CallObservationContext(tool, origin);
		Runnable end = begin(SandboxObservations.CALL.observation(this.calls, CALL, () -> context, this.registry));
		return (facts) -> {
			context.end(facts);
			end.run();
		};
	}

	private static Runnable begin(Observation observation) {
		observation.start();
		Observation.Scope scope = observation.openScope();
		return () -> {
			try {
				scope.close();
			}
			finally {
				observation.stop();
			}
		};
	}

}
