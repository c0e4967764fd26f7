package io.psych.sandbox.spring.a2a;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * How a task is.
 */
enum TaskState {

	/** Not begun yet. */
	SUBMITTED,

	/** Being done. */
	WORKING,

	/** Done. */
	COMPLETED,

	/** Given up by the agent. */
	FAILED,

	/** Not taken on by the agent. */
	REJECTED,

	/** Ended by request. */
	CANCELED,

	/** Waits for another message. */
	INPUT_REQUIRED,

	/** Waits until somebody has proved who they are. */
	AUTH_REQUIRED;

	/**
	 * Return the state of a name in either version of the protocol.
	 * @param name the name, such as {@code input-required} or
	 * {@code TASK_STATE_INPUT_REQUIRED}
	 * @return the state, or {@code null} when there is none of that name
	 */
	static @Nullable TaskState of(@Nullable String name) {
		for (TaskState state : values()) {
			if (state.id().equals(name) || ("TASK_STATE_" + state.name()).equals(name)) {
				return state;
			}
		}
		return null;
	}

	boolean isUnderWay() {
		return this == SUBMITTED || this == WORKING;
	}

	boolean isWaiting() {
		return this == INPUT_REQUIRED || this == AUTH_REQUIRED;
	}

	String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
