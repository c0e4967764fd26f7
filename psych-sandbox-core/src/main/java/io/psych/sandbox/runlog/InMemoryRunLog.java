package io.psych.sandbox.runlog;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
 * {@value #MOST_IN_ALL} events together, where one with the content of an attachment
 * counts by its size. Of the last {@value #MOST_FORGOTTEN} runs whose events it let go of
 * it still knows their last number and what they have accepted, so that a run which goes
 * on gets no second allowance.
 *
 * @since 0.1.0
 */
public final class InMemoryRunLog implements RunLog {

	static final int MOST_EVENTS = 10_000;

	/** What an event takes that has no content. */
	private static final int BYTES_OF_ONE = 500;

	/** Some hundred bytes each. */
	static final int MOST_IN_ALL = 200_000;

	static final int MOST_FORGOTTEN = 20_000;

	private final Clock clock;

	/** Runs in the order of their last use; guarded by this log's lock. */
	private final Map<RunKey, Run> runs = new LinkedHashMap<>(16, 0.75f, true);

	/** Runs without their events, the one forgotten first in front; guarded as well. */
	private final Map<RunKey, Run> forgotten = new LinkedHashMap<>();

	/** The events of all runs, and one for each run itself; guarded as well. */
	private int held;

	/**
	 * Create an empty log.
	 */
	public InMemoryRunLog() {
		this(Clock.systemUTC());
	}

	/**
	 * Create an empty log.
	 * @param clock tells when an event is recorded
	 */
	public InMemoryRunLog(Clock clock) {
		this.clock = clock;
	}

	@Override
	public synchronized long append(RunKey run, RunEvent event) {
		return add(run, event);
	}

	@Override
	public synchronized OptionalLong accept(RunKey run, RunEvent.CallAccepted call, int most) {
		Run known = this.runs.getOrDefault(run, this.forgotten.get(run));
		return (most > 0 && (known == null || known.accepted < most)) ? OptionalLong.of(add(run, call))
				: OptionalLong.empty();
	}

	private long add(RunKey key, RunEvent event) {
		Run run = this.runs.get(key);
		if (run == null) {
			Run known = this.forgotten.remove(key);
			run = (known != null) ? known : new Run();
			this.runs.put(key, run);
			this.held++;
		}
		this.held += run.add(event, this.clock.instant().truncatedTo(ChronoUnit.MICROS));
		if (this.held > MOST_IN_ALL) {
			forgetEldest();
		}
		return run.last;
	}

	private void forgetEldest() {
		Iterator<Map.Entry<RunKey, Run>> eldest = this.runs.entrySet().iterator();
		while (this.held > MOST_IN_ALL) {
			Map.Entry<RunKey, Run> next = eldest.next();
			this.held -= 1 + next.getValue().weight;
			eldest.remove();
			forget(next.getKey(), next.getValue());
		}
	}

	private void forget(RunKey key, Run run) {
		run.entries.clear();
		run.weight = 0;
		run.complete = false;
		this.forgotten.put(key, run);
		if (this.forgotten.size() > MOST_FORGOTTEN) {
			Iterator<Run> first = this.forgotten.values().iterator();
			first.next();
			first.remove();
		}
	}

	@Override
	public synchronized List<Entry> read(RunKey run, long after, int most) {
		Run found = this.runs.get(run);
		return (found != null) ? found.read(after, most) : List.of();
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

	@Override
	public synchronized boolean isComplete(RunKey run) {
		Run found = this.runs.get(run);
		return (found != null) ? found.complete : !this.forgotten.containsKey(run);
	}

	@Override
	public String description() {
		return "in memory, they end with this JVM";
	}

	private static final class Run {

		private final List<Entry> entries = new ArrayList<>();

		/** What the entries count as. */
		private int weight;

		private long last;

		private int accepted;

		private boolean complete = true;

		/** Return what the event counts as where it is kept, besides being counted. */
		int add(RunEvent event, Instant at) {
			if (event instanceof RunEvent.CallAccepted call && call.origin() == CallOrigin.PROGRAM) {
				this.accepted++;
			}
			this.last++;
			if (this.entries.size() == MOST_EVENTS) {
				this.complete = false;
				return 0;
			}
			this.entries.add(new Entry(this.last, at, event));
			int added = weight(event);
			this.weight += added;
			return added;
		}

		/** The entries have no gaps between them, only before and behind. */
		List<Entry> read(long after, int most) {
			if (this.entries.isEmpty()) {
				return List.of();
			}
			long before = this.entries.get(0).number() - 1;
			int from = (int) Math.min(Math.max(after - before, 0), this.entries.size());
			return List.copyOf(this.entries.subList(from, (int) Math.min((long) from + most, this.entries.size())));
		}

		/** One with content is as large as many without. */
		private static int weight(RunEvent event) {
			return (event instanceof RunEvent.AttachmentKept kept && kept.inline() != null)
					? 1 + kept.inline().length() / BYTES_OF_ONE : 1;
		}

	}

}
