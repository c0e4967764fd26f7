package io.psych.sandbox.spring.observation;

import java.util.function.Consumer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.psych.sandbox.contract.ExecutionFacts;
import io.psych.sandbox.contract.SandboxListener;
import io.psych.sandbox.spring.observation.SandboxMeters.StationKeys;
import org.jspecify.annotations.Nullable;

/**
 * Times how long executions are at each of their stations.
 *
 * @since 0.1.0
 */
public final class StationListener implements SandboxListener {

	private final MeterRegistry registry;

	/**
	 * Create a new instance.
	 * @param registry where it is recorded
	 */
	public StationListener(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public Consumer<ExecutionFacts> executionBegins(@Nullable String profile) {
		return (facts) -> facts.stations()
			.forEach((station, duration) -> Timer.builder(SandboxMeters.STATION.getName())
				.tag(StationKeys.STATION.asString(), station.id())
				.tag(StationKeys.BACKEND.asString(), facts.backend())
				.tag(StationKeys.START.asString(), facts.start().id())
				.register(this.registry)
				.record(duration));
	}

}
