package io.psych.sandbox.contract;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;

import io.psych.sandbox.limits.Level;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link SandboxListener} is told of an execution that is over.
 *
 * @param backend the name of the backend
 * @param level the isolation its process had, {@link Level#NONE} where none was started
 * @param profile the name of its profile, or {@code null} for the default limits
 * @param outcome {@link #SUCCESS}, the id of a {@link FailureKind}, or {@link #EXCEPTION}
 * @param limitHit the limit it ran into, or {@code null}
 * @param start where its process came from
 * @param stations how long it was at each of its stations; those it did not reach are
 * absent
 * @since 0.1.0
 */
public record ExecutionFacts(String backend, Level level, @Nullable String profile, String outcome,
		@Nullable LimitHit limitHit, Start start, Map<Station, Duration> stations) {

	/** The outcome of a program that ran to its end. */
	public static final String SUCCESS = "success";

	/** The outcome of an execution of which the caller got an exception. */
	public static final String EXCEPTION = "exception";

	public ExecutionFacts {
		stations = Map.copyOf(stations);
	}

	/**
	 * Where the process of an execution came from.
	 */
	public enum Start {

		/** It had been started ahead. */
		WARM,

		/** It was started for this execution. */
		COLD,

		/** There was none. */
		NONE;

		/**
		 * Return the name as a tag.
		 * @return the lower-case name
		 */
		public String id() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * The stations of an execution, in their order. One begins where the last one ended.
	 */
	public enum Station {

		/** It waits until it may begin. */
		ADMISSION,

		/** Its process is taken from the pool, or is started and reports. */
		START,

		/** The report is graded, and the program runs. */
		PROGRAM,

		/** Every process and every call of it is ended. */
		TEARDOWN,

		/** What it left behind is kept. */
		ARTIFACTS;

		/**
		 * Return the name as a tag.
		 * @return the lower-case name
		 */
		public String id() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
