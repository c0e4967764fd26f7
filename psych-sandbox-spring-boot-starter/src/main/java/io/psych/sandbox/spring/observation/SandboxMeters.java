package io.psych.sandbox.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.docs.MeterDocumentation;
import org.jspecify.annotations.Nullable;

/**
 * The meters there are beside those of the observations. {@code docs/observability.md}
 * says what they mean.
 *
 * @since 0.1.0
 */
public enum SandboxMeters implements MeterDocumentation {

	/** How long executions are at each of their stations. */
	STATION("psych.sandbox.station", Meter.Type.TIMER, null) {

		@Override
		public KeyName[] getKeyNames() {
			return StationKeys.values();
		}

	},

	/** How many executions are running. */
	ADMISSION_RUNNING("psych.sandbox.admission.running", Meter.Type.GAUGE, "executions"),

	/** How many executions may run at once. */
	ADMISSION_MAX("psych.sandbox.admission.max", Meter.Type.GAUGE, "executions"),

	/** How many executions are waiting until they may begin. */
	ADMISSION_WAITING("psych.sandbox.admission.waiting", Meter.Type.GAUGE, "executions"),

	/** Executions that did not begin because too many were running and waiting. */
	ADMISSION_REFUSED("psych.sandbox.admission.refused", Meter.Type.COUNTER, "executions"),

	/** How many processes are to wait for a program. */
	POOL_SIZE("psych.sandbox.pool.size", Meter.Type.GAUGE, "processes"),

	/** How many processes are waiting for a program. */
	POOL_WAITING("psych.sandbox.pool.waiting", Meter.Type.GAUGE, "processes"),

	/** Executions that were given a process that waited. */
	POOL_TAKEN("psych.sandbox.pool.taken", Meter.Type.COUNTER, "executions"),

	/** Executions that found none waiting. */
	POOL_MISSED("psych.sandbox.pool.missed", Meter.Type.COUNTER, "executions"),

	/** Processes that were replaced because they had died or waited too long. */
	POOL_EXPIRED("psych.sandbox.pool.expired", Meter.Type.COUNTER, "processes"),

	/** Processes that could not be started ahead. */
	POOL_FAILED("psych.sandbox.pool.failed", Meter.Type.COUNTER, "processes");

	private final String name;

	private final Meter.Type type;

	private final @Nullable String unit;

	SandboxMeters(String name, Meter.Type type, @Nullable String unit) {
		this.name = name;
		this.type = type;
		this.unit = unit;
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public Meter.Type getType() {
		return this.type;
	}

	@Override
	public @Nullable String getBaseUnit() {
		return this.unit;
	}

	/**
	 * The tags of the time at a station.
	 */
	public enum StationKeys implements KeyName {

		/** The backend that isolates. */
		BACKEND("backend"),

		/** Whether its process had been started ahead. */
		START("start"),

		/** The station. */
		STATION("station");

		private final String key;

		StationKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}
