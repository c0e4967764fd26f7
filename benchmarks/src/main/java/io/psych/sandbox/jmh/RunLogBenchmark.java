package io.psych.sandbox.jmh;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.runlog.RunEvent;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.runlog.RunRecord;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A run's log as it is read and folded; the floor is reading it.
 */
@State(Scope.Thread)
@NullUnmarked
public class RunLogBenchmark {

	private static final RunKey RUN = new RunKey("", "run:a");

	private static final int PAGE = 200;

	/** How many events. */
	@Param({ "10", "1000", "10000", "100000" })
	public int size;

	private RunLog log;

	@Setup
	public void prepare() {
		this.log = new Everything();
		for (int i = 0; i < this.size / 2; i++) {
			this.log.append(RUN, new RunEvent.CallAccepted("x", "c" + i, "tool", CallOrigin.PROGRAM, 3));
			this.log.append(RUN, new RunEvent.CallEnded("c" + i, CallState.DONE, null, Duration.ofMillis(1), 3));
		}
	}

	@Benchmark
	public RunRecord fold() {
		return RunRecord.of(this.log, RUN);
	}

	@Benchmark
	public long foldFloor() {
		long last = 0;
		for (List<RunLog.Entry> page = this.log.read(RUN, last, PAGE); !page.isEmpty(); page = this.log.read(RUN, last,
				PAGE)) {
			last = page.get(page.size() - 1).number();
		}
		return last;
	}

	/**
	 * Holds all events of one run, where the library's own log in memory stops at ten
	 * thousand.
	 */
	private static final class Everything implements RunLog {

		private final List<Entry> entries = new ArrayList<>();

		@Override
		public long append(RunKey run, RunEvent event) {
			this.entries.add(new Entry(this.entries.size() + 1, Instant.EPOCH, event));
			return this.entries.size();
		}

		@Override
		public OptionalLong accept(RunKey run, RunEvent.CallAccepted call, int most) {
			return OptionalLong.of(append(run, call));
		}

		@Override
		public List<Entry> read(RunKey run, long after, int most) {
			return List.copyOf(this.entries.subList((int) after, (int) Math.min(after + most, this.entries.size())));
		}

		@Override
		public RunEvent.AttachmentKept attachment(RunKey run, String handle) {
			return null;
		}

	}

}
