package io.psych.sandbox.runlog;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import io.psych.sandbox.contract.CallOrigin;
import org.jspecify.annotations.Nullable;

/**
 * A log in the memory of this JVM, which ends with it. Keeps the first
 * {@value #MOST_EVENTS} events of each run, and the runs in use last: as many as have
 * {@value #MOST_IN_ALL} events together. What a run has accepted stays counted for as
 * long as the run is kept.
 *
 * @since 0.1.0
 */
public final class InMemoryRunLog implements RunLog {

	static final int MOST_EVENTS = 10_000;

	/** Some hundred bytes each. */
	static final int MOST_IN_ALL = 200_000;

	/** Runs in the order of their last use; guarded by this log's lock. */
	private final Map<RunKey, Run> runs = new LinkedHashMap<>(16, 0.75f, true);

	/** The events of all runs, and one for each run itself; guarded by the same. */
	private int held;

	@Override
	public synchronized long append(RunKey run, RunEvent event) {
		return add(run, event);
	}

	@Override
	public synchronized OptionalLong accept(RunKey run, RunEvent.CallAccepted call, int most) {
		Run found = this.runs.get(run);
		return (most > 0 && (found == null || found.accepted < most)) ? OptionalLong.of(add(run, call))
				: OptionalLong.empty();
	}

	private long add(RunKey key, RunEvent event) {
		Run run = this.runs.get(key);
		if (run == null) {
			run = new Run();
			this.runs.put(key, run);
			this.held++;
		}
		this.held += run.add(event) ? 1 : 0;
		Iterator<Run> eldest = this.runs.values().iterator();
		while (this.held > MOST_IN_ALL) {
			this.held -= 1 + eldest.next().entries.size();
			eldest.remove();
		}
		return run.last;
	}

	@Override
	public synchronized List<Entry> read(RunKey run, long after, int most) {
		Run found = this.runs.get(run);
		return (found != null) ? found.entries.stream().filter((entry) -> entry.number() > after).limit(most).toList()
				: List.of();
	}

	@Override
	public synchronized RunEvent.@Nullable AttachmentKept attachment(RunKey run, String handle) {
		Run found = this.runs.get(run);
		if (found != null) {
			for (Entry entry : found.entries) {
				if (entry.event() instanceof RunEvent.AttachmentKept kept
						&& kept.attachment().handle().equals(handle)) {
					return kept;
				}
			}
		}
		return null;
	}

	private static final class Run {

		private final List<Entry> entries = new ArrayList<>();

		private long last;

		private int accepted;

		/** Return whether the event is kept, besides being counted. */
		boolean add(RunEvent event) {
			if (event instanceof RunEvent.CallAccepted call && call.origin() == CallOrigin.PROGRAM) {
				this.accepted++;
			}
			this.last++;
			return this.entries.size() < MOST_EVENTS && this.entries.add(new Entry(this.last, event));
		}

	}

}
