package io.psych.sandbox;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

import io.psych.sandbox.contract.ExecutionFacts;
import io.psych.sandbox.contract.ExecutionFacts.Start;
import io.psych.sandbox.contract.ExecutionFacts.Station;
import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.SandboxListener;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.run.Timeline;
import org.jspecify.annotations.Nullable;

/**
 * What listeners are told of one execution, gathered while it is under way.
 */
final class ExecutionWatch implements AutoCloseable {

	private final String backend;

	private final @Nullable String profile;

	private final Consumer<ExecutionFacts> end;

	private final Map<Station, Duration> stations = new EnumMap<>(Station.class);

	private Start start = Start.NONE;

	private @Nullable RunResult result;

	ExecutionWatch(SandboxListener listener, String backend, @Nullable String profile) {
		this.backend = backend;
		this.profile = profile;
		this.end = listener.executionBegins(profile);
	}

	/** Remember how long it waited to begin. */
	void waited(Duration wait) {
		this.stations.put(Station.ADMISSION, wait);
	}

	/** Remember how it went, once it was begun. */
	void executed(Timeline timeline) {
		this.stations.putAll(timeline.stations());
		this.start = timeline.start();
	}

	/** Remember and return what came of it. */
	RunResult ended(RunResult result) {
		this.result = result;
		return result;
	}

	@Override
	public void close() {
		RunResult result = this.result;
		this.end.accept((result != null) ? facts(result) : new ExecutionFacts(this.backend, Level.NONE, this.profile,
				ExecutionFacts.EXCEPTION, null, this.start, this.stations));
	}

	private ExecutionFacts facts(RunResult result) {
		Failure failure = result.failure();
		return new ExecutionFacts(result.isolation().backend(), result.isolation().level(), this.profile,
				(failure != null) ? failure.kind().id() : ExecutionFacts.SUCCESS, result.limitHit(), this.start,
				this.stations);
	}

}
