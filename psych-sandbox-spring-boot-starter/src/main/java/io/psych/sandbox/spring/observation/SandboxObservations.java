package io.psych.sandbox.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations there are. {@code docs/observability.md} says what they mean.
 *
 * @since 0.1.0
 */
public enum SandboxObservations implements ObservationDocumentation {

	/** One execution, from its request to its result. */
	EXECUTION("psych.sandbox.execution", DefaultExecutionObservationConvention.class) {

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return ExecutionKeys.values();
		}

	},

	/** One call of a tool, of a program or of the model itself. */
	CALL("psych.sandbox.call", DefaultCallObservationConvention.class) {

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return CallKeys.values();
		}

	};

	private final String name;

	private final Class<? extends ObservationConvention<? extends Observation.Context>> convention;

	SandboxObservations(String name, Class<? extends ObservationConvention<? extends Observation.Context>> convention) {
		this.name = name;
		this.convention = convention;
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
		return this.convention;
	}

	/**
	 * The tags of an execution.
	 */
	public enum ExecutionKeys implements KeyName {

		/** The backend that isolates, such as {@code bubblewrap}. */
		BACKEND("backend"),

		/** The isolation its process had. */
		LEVEL("level"),

		/** The limit it ran into. */
		LIMIT("limit"),

		/** What came of it. */
		OUTCOME("outcome"),

		/** The profile whose limits apply. */
		PROFILE("profile"),

		/** Whether its process had been started ahead. */
		START("start");

		private final String key;

		ExecutionKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * The tags of a call.
	 */
	public enum CallKeys implements KeyName {

		/** Who calls. */
		ORIGIN("origin"),

		/** What came of it. */
		OUTCOME("outcome"),

		/** The tool. */
		TOOL("tool");

		private final String key;

		CallKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}
