package io.psych.sandbox.runlog;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

/**
 * The log of runs: events are added and read, never changed. Used by many threads, and by
 * many hosts where its storage is shared.
 *
 * @since 0.1.0
 */
public interface RunLog {

	/**
	 * Add an event.
	 * @param run the run
	 * @param event the event
	 * @return its number, unique within the run and rising
	 * @throws RunLogException if it could not be recorded
	 */
	long append(RunKey run, RunEvent event);

	/**
	 * Add the acceptance of a program's call, unless the run has accepted as many as it
	 * may. Counting and adding are one step, whoever else adds at the same time. Calls
	 * the model makes directly are not counted.
	 * @param run the run
	 * @param call the call
	 * @param most how many the run may accept
	 * @return its number, or nothing when the run has accepted as many already
	 * @throws RunLogException if it could not be recorded
	 */
	OptionalLong accept(RunKey run, RunEvent.CallAccepted call, int most);

	/**
	 * Return events of a run.
	 * @param run the run
	 * @param after the number after which to begin, zero for the beginning
	 * @param most how many at most
	 * @return the events in the order of their numbers
	 * @throws RunLogException if they can't be read
	 */
	List<Entry> read(RunKey run, long after, int most);

	/**
	 * Return an attachment of a run.
	 * @param run the run
	 * @param handle what may be a handle
	 * @return what was recorded of it, or {@code null} when this run recorded no such
	 * handle
	 * @throws RunLogException if it can't be read
	 */
	RunEvent.@Nullable AttachmentKept attachment(RunKey run, String handle);

	/**
	 * Return whether this log still has every event of a run. One that is bounded lets go
	 * of some.
	 * @param run the run
	 * @return whether nothing that was recorded of it is missing
	 */
	default boolean isComplete(RunKey run) {
		return true;
	}

	/**
	 * Return where this log keeps its events, for whoever operates it.
	 * @return a few words, such as {@code in the database PostgreSQL}
	 */
	default String description() {
		return "by " + getClass().getName();
	}

	/**
	 * One event as it is recorded.
	 *
	 * @param number its number within the run, from one
	 * @param at when the host that recorded it did so, by its own clock, to the
	 * microsecond: what comes first is told by the numbers alone
	 * @param event the event
	 */
	record Entry(long number, Instant at, RunEvent event) {

	}

}
