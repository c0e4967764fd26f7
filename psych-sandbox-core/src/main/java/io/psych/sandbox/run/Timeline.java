package io.psych.sandbox.run;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

import io.psych.sandbox.contract.ExecutionFacts.Start;
import io.psych.sandbox.contract.ExecutionFacts.Station;

/**
 * How long an execution was at each of its stations, and where its process came from.
 * Used by its thread alone.
 *
 * @since 0.1.0
 */
public final class Timeline {

	private final Map<Station, Duration> stations = new EnumMap<>(Station.class);

	private Start start = Start.NONE;

	/** When the station began that it is at. */
	private long since = System.nanoTime();

	Timeline() {
	}

	/** Leave a station; the next one begins. */
	void leave(Station station) {
		long now = System.nanoTime();
		this.stations.put(station, Duration.ofNanos(now - this.since));
		this.since = now;
	}

	/** Leave the station at which a process was got. */
	void started(Start start) {
		this.start = start;
		leave(Station.START);
	}

	/**
	 * Return how long it was at each station it has left.
	 * @return the durations
	 */
	public Map<Station, Duration> stations() {
		return Map.copyOf(this.stations);
	}

	/**
	 * Return where its process came from.
	 * @return where
	 */
	public Start start() {
		return this.start;
	}

}
