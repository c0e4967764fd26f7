package io.psych.sandbox.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.psych.sandbox.artifact.Artifact;
import io.psych.sandbox.artifact.ArtifactCollector;
import io.psych.sandbox.artifact.Collected;
import io.psych.sandbox.artifact.InputFiles;
import io.psych.sandbox.artifact.NotTakenException;
import io.psych.sandbox.attachment.Keeper;
import io.psych.sandbox.attachment.NotKeptException;
import io.psych.sandbox.attachment.Slot;
import io.psych.sandbox.backend.Observation;
import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.ExecutionFacts.Start;
import io.psych.sandbox.contract.ExecutionFacts.Station;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Uncollected;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.output.Captured;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.ChildTree;
import io.psych.sandbox.spawn.ExitStatus;
import io.psych.sandbox.spawn.FileFacts;
import io.psych.sandbox.spawn.FileHandle;
import io.psych.sandbox.wire.Frame;
import io.psych.sandbox.wire.FrameBounds;
import io.psych.sandbox.wire.ProtocolViolationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One execution, used once. Its stations, in their order: a child is started and
 * confined; it tells what it observed, which is graded; the program is sent, or not; the
 * program's calls are answered; it ends by itself or is ended; every process, call and
 * folder of it is gone; the result is told.
 * <p>
 * The thread that executes reads the channel, or waits while one that makes calls does.
 * Tools run on other threads, and the timer only ever ends things.
 *
 * @since 0.1.0
 */
public final class Execution {

	private static final Logger logger = LoggerFactory.getLogger(Execution.class);

	/** What a tree whose processes have all been sent SIGKILL gets to be gone. */
	private static final Duration BURIAL = Duration.ofSeconds(10);

	private static final String TEXT = "text/plain; charset=utf-8";

	private static final String JSON = "application/json";

	private final Runtime runtime;

	private final Order order;

	private final Limits limits;

	private final Cancellation cancellation;

	private final Function<IsolationReport, List<String>> unmet;

	private final long began = System.nanoTime();

	private final Timeline timeline = new Timeline();

	private final Pace pace = new Pace();

	private final AtomicReference<@Nullable Verdict> verdict = new AtomicReference<>();

	private final List<String> notes = new ArrayList<>();

	private @Nullable Observation observation;

	private IsolationReport isolation;

	private List<CallRecord> ledger = List.of();

	private Map<CallState, Long> unlistedCalls = Map.of();

	private List<Attachment> attachments = List.of();

	private List<Uncollected> uncollected = List.of();

	private Captured stdout = Captured.EMPTY;

	private Captured stderr = Captured.EMPTY;

	private int exitStatus;

	private long oomKills;

	private boolean interrupted;

	/** Whether the program was sent, so that there is something of it to keep. */
	private boolean sent;

	/** The files it was given, as they were left. */
	private Set<FileFacts> inputs = Set.of();

	private @Nullable Outcome outcome;

	/**
	 * Create a new execution.
	 * @param runtime what all executions share
	 * @param order the program and its terms
	 * @param cancellation how the caller stops it
	 * @param unmet tells what a report lacks; no program is sent when it lacks anything
	 */
	public Execution(Runtime runtime, Order order, Cancellation cancellation,
			Function<IsolationReport, List<String>> unmet) {
		this.runtime = runtime;
		this.order = order;
		this.limits = order.limits();
		this.cancellation = cancellation;
		this.unmet = unmet;
		this.isolation = IsolationReport.nothingStarted(runtime.backend().name(), "no process was started");
	}

	/**
	 * Execute the program.
	 * @return the result, whatever happened
	 */
	public RunResult execute() {
		try {
			WaitingChild waiting = take();
			Child child = waiting.child();
			Runnable unsubscribe = this.cancellation.onCancel(() -> stop(child, new Verdict.Cancelled()));
			try {
				live(waiting);
			}
			finally {
				unsubscribe.run();
				if (this.runtime.instance().users().most() == Integer.MAX_VALUE) {
					this.runtime.threads().aftermath().later(() -> {
						fillPool();
						waiting.close();
					});
				}
				else {
					// The pool, and whoever comes next, may need the user of a range.
					waiting.close();
					fillPool();
				}
			}
		}
		catch (NotReadyException ex) {
			end(this.cancellation.isCancelled() ? new Verdict.Cancelled()
					: new Verdict.NotReady(String.valueOf(ex.getMessage())));
		}
		catch (InterruptedException ex) {
			this.interrupted = true;
			end(new Verdict.Cancelled());
		}
		catch (IOException ex) {
			// Only the folder is left to fail here.
			logger.warn("The folder of an execution failed: {}", ex.toString());
			end(new Verdict.NotReady("its folder failed: " + ex.getMessage()));
		}
		if (this.interrupted) {
			Thread.currentThread().interrupt();
		}
		return result();
	}

	/** A child that waits already, else one that is being started, else a new one. */
	private WaitingChild take() throws NotReadyException, IOException, InterruptedException {
		Pool pool = this.order.network() ? null : this.runtime.pool();
		WaitingChild waiting = (pool != null) ? pool.take(this.limits) : null;
		if (waiting != null) {
			this.timeline.started(Start.WARM);
			return waiting;
		}
		if (pool != null) {
			// What the last ones had may take long to remove, and the pool be filled only
			// after that.
			pool.fill();
			waiting = pool.claim(this.limits, this.cancellation);
		}
		if (waiting == null) {
			waiting = WaitingChild.start(this.runtime, this.limits, this.order.network(), this.cancellation);
		}
		this.timeline.started(Start.COLD);
		return waiting;
	}

	private void fillPool() {
		Pool pool = this.runtime.pool();
		if (pool != null) {
			pool.fill();
		}
	}

	/**
	 * Return what the child observed.
	 * @return the observation, or {@code null} when it came to none
	 */
	public @Nullable Observation observation() {
		return this.observation;
	}

	/**
	 * Return how long it was at each of its stations.
	 * @return the timeline of an execution that is over
	 */
	public Timeline timeline() {
		return this.timeline;
	}

	/**
	 * Return how many processes of the program the kernel ended for want of memory.
	 * @return the number
	 */
	long oomKills() {
		return this.oomKills;
	}

	private void live(WaitingChild waiting) {
		Child child = waiting.child();
		Calls calls = new Calls(this.order.bindings(), child.writer(), this.runtime.toolExecutor(),
				this.runtime.threads().timer(), this.limits.toolTimeout(), this.runtime.concurrentCalls(), this.pace);
		// A program that has died can't release a reader that waits for one of its calls
		// to end.
		child.process().exit().thenRun(calls::stop);
		try {
			if (isAccepted(waiting) && isFurnished(waiting)) {
				this.sent = true;
				waiting.holdPrints();
				converse(child, calls);
			}
		}
		catch (ClosedByInterruptException ex) {
			this.interrupted = true;
			end(new Verdict.Cancelled());
		}
		catch (InterruptedException ex) {
			this.interrupted = true;
			end(new Verdict.Cancelled());
		}
		catch (IOException ex) {
			// A child that is being ended takes its end of the channel with it.
			awaitExitOrVerdict(child, ex);
		}
		// From here on an interrupt must not cut the teardown short; it is given back at
		// the end.
		this.interrupted |= Thread.interrupted();
		this.timeline.leave(Station.PROGRAM);
		bury(waiting, calls);
		this.timeline.leave(Station.TEARDOWN);
		settle(waiting.workspace());
		this.timeline.leave(Station.ARTIFACTS);
	}

	private boolean isAccepted(WaitingChild waiting) throws IOException {
		this.observation = waiting.observation();
		this.isolation = waiting.grade(this.runtime, this.limits, this.order.network());
		List<String> missing = this.unmet.apply(this.isolation);
		if (!missing.isEmpty()) {
			end(new Verdict.Refused(missing));
			waiting.child().writer().abort();
			return false;
		}
		return true;
	}

	/** Put the files it was given into its workspace. */
	private boolean isFurnished(WaitingChild waiting) throws IOException {
		if (this.order.inputs().isEmpty()) {
			return true;
		}
		FileHandle workspace = waiting.workspace();
		String problem = "its workspace can't be reached";
		if (workspace != null) {
			try {
				this.inputs = InputFiles.place(workspace, this.order.inputs());
				return true;
			}
			catch (IOException ex) {
				logger.warn("Files can't be placed in the workspace of child {}: {}", waiting.child().process().pid(),
						ex.toString());
				problem = "its files can't be placed in its workspace";
			}
		}
		end(new Verdict.NotReady(problem));
		waiting.child().writer().abort();
		return false;
	}

	private void converse(Child child, Calls calls) throws IOException, InterruptedException {
		Conversation conversation = new Conversation(child.reader(), calls, this.pace, () -> this.verdict.get() != null,
				this.runtime.conversing(), Conversation.UNREAD);
		ScheduledFuture<?> alarm = endAfter(child, this.limits.wallTime(), new Verdict.TimedOut());
		try {
			child.reader().within(FrameBounds.of(this.limits));
			child.writer().run(this.order.program(), this.order.bindings().names(), this.limits);
			while (this.verdict.get() == null) {
				Frame frame = conversation.next();
				if (frame instanceof Frame.Done done) {
					end(new Verdict.Done(done));
				}
				else if (frame instanceof Frame.Ready) {
					end(new Verdict.Violated("a ready frame after the program was sent"));
				}
				else if (frame == null) {
					// A closed channel is not an end: the process may compute on, and is
					// waited for.
					awaitExit(child);
				}
			}
		}
		catch (ProtocolViolationException ex) {
			end(new Verdict.Violated(String.valueOf(ex.getMessage())));
		}
		finally {
			alarm.cancel(false);
		}
	}

	/**
	 * Wait for the process to end by itself or by the timer, whose alarm is still set.
	 */
	private void awaitExit(Child child) throws InterruptedException {
		try {
			child.process().exit().get(this.limits.wallTime().plus(BURIAL).toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			end(new Verdict.Broken("the process could not be waited for"));
		}
		end(new Verdict.Exited());
	}

	private void awaitExitOrVerdict(Child child, IOException broken) {
		if (this.verdict.get() == null) {
			logger.debug("The channel of child {} broke: {}", child.process().pid(), broken.toString());
			// A peer that died with unread bytes resets the channel: that is its exit,
			// told late.
			boolean exited = child.process().tree().awaitEmpty(this.runtime.grace());
			end(exited ? new Verdict.Exited() : new Verdict.Broken(String.valueOf(broken.getMessage())));
		}
	}

	private ScheduledFuture<?> endAfter(Child child, Duration delay, Verdict verdict) {
		return this.runtime.threads().alarm(() -> stop(child, verdict), delay);
	}

	/** End an execution from another thread: ask, and after the grace insist. */
	private void stop(Child child, Verdict verdict) {
		if (!end(verdict)) {
			return;
		}
		child.process().tree().terminate();
		this.runtime.threads().alarm(() -> {
			child.process().tree().kill();
			child.hangUp();
		}, this.runtime.grace());
		child.process().exit().thenRun(child::hangUp);
	}

	private boolean end(Verdict verdict) {
		return this.verdict.compareAndSet(null, verdict);
	}

	/**
	 * The barrier: open calls are interrupted and settled, every process is gone, the
	 * pipes have ended.
	 */
	private void bury(WaitingChild waiting, Calls calls) {
		Child child = waiting.child();
		List<String> open = calls.stop();
		ChildTree tree = child.process().tree();
		// Only a child that has told its end waits to be ended, with all it has left.
		int left = (this.verdict.get() instanceof Verdict.Done) ? tree.leftRunning() : 0;
		if (!(this.verdict.get() instanceof Verdict.TimedOut) && !(this.verdict.get() instanceof Verdict.Cancelled)) {
			tree.kill();
		}
		else {
			tree.awaitEmpty(this.runtime.grace());
			tree.kill();
		}
		if (!tree.awaitEmpty(this.runtime.grace())) {
			logger.warn("Child {} did not end within {}, ending all of its tree", child.process().pid(),
					this.runtime.grace());
			tree.killForcibly();
			if (!tree.awaitEmpty(BURIAL)) {
				logger.error("Child {} has processes that did not end within {} of SIGKILL", child.process().pid(),
						BURIAL);
				this.verdict.set(new Verdict.Broken("processes of the program did not end within " + BURIAL));
			}
		}
		// One that came meanwhile must not cut short what is left to be waited for
		// either.
		this.interrupted |= Thread.interrupted();
		if (this.verdict.get() instanceof Verdict.Done) {
			noteLateFrames(child);
		}
		child.hangUp();
		if (this.verdict.get() instanceof Verdict.Exited) {
			ExitStatus status = child.process().status(BURIAL);
			this.exitStatus = status.code();
			if (status.equals(ChildProcess.NO_STATUS)) {
				this.verdict.set(new Verdict.Broken("nobody tells how its process ended"));
			}
		}
		// Where the tree is an own pid namespace, its end was the end of every process.
		this.oomKills = waiting.oomKills(this.isolation.grade(Guarantee.PROCESS_TREE) == Grade.ENFORCED);
		this.ledger = calls.settle(this.runtime.grace());
		this.unlistedCalls = calls.unlisted();
		this.stdout = child.stdout(this.runtime.grace());
		this.stderr = child.stderr(this.runtime.grace());
		if (!child.process().exit().isDone()) {
			// Whoever has to take note of its end is about to.
			child.process()
				.exit()
				.copy()
				.completeOnTimeout(ChildProcess.NO_STATUS, BURIAL.toMillis(), TimeUnit.MILLISECONDS)
				.join();
		}
		noteOomKills();
		noteOpenCalls(open);
		noteLeftRunning(left);
	}

	/** Tell that there is more in the channel than the result. */
	private void noteLateFrames(Child child) {
		if (child.sentMore()) {
			this.notes.add("The program sent more to its host after its result, which alone counts.");
		}
	}

	private void noteOomKills() {
		if (this.oomKills > 0) {
			this.notes.add("%d process%s of the program %s ended because all together took more memory than they may."
				.formatted(this.oomKills, (this.oomKills == 1) ? "" : "es", (this.oomKills == 1) ? "was" : "were"));
		}
	}

	private void noteOpenCalls(List<String> open) {
		if (!open.isEmpty()) {
			this.notes.add("%d call%s still open when the program ended and %s cut off: %s.".formatted(open.size(),
					(open.size() == 1) ? " was" : "s were", (open.size() == 1) ? "was" : "were",
					String.join(", ", open.subList(0, Math.min(open.size(), 20)))));
		}
	}

	private void noteLeftRunning(int left) {
		if (left > 0) {
			this.notes.add("%d process%s that the program started %s still running at its end and %s ended."
				.formatted(left, (left == 1) ? "" : "es", (left == 1) ? "was" : "were", (left == 1) ? "was" : "were"));
		}
	}

	/**
	 * Tell what it came to and keep what it left, now that nothing of it can change any
	 * more.
	 */
	private void settle(@Nullable FileHandle workspace) {
		Outcome outcome = outcome();
		Keeper keeper = this.order.keeper();
		if (keeper != null && this.sent) {
			keep(keeper, Slot.STDOUT, this.stdout, TEXT);
			keep(keeper, Slot.STDERR, this.stderr, TEXT);
			if (!outcome.value().equals(JsonValue.NULL)) {
				keep(keeper, Slot.VALUE, Captured.of(outcome.value().toUtf8()), JSON);
			}
			collect(keeper, workspace);
			this.attachments = keeper.kept();
			if (this.order.preserve()) {
				outcome = outcome.withLost(keeper.lost());
			}
		}
		this.outcome = outcome;
	}

	private void collect(Keeper keeper, @Nullable FileHandle workspace) {
		if (this.limits.artifacts().files() == 0) {
			return;
		}
		if (workspace == null) {
			keeper.lose("the files of the workspace can't be reached");
			this.notes.add("The files of the working folder could not be collected.");
			return;
		}
		Collected collected = new ArtifactCollector().collect(workspace, this.limits, this.inputs,
				(artifact, content) -> keepFile(keeper, artifact, content));
		this.uncollected = collected.uncollected();
		for (Uncollected file : this.uncollected) {
			keeper.lose(file.name() + " was not collected, " + file.reason());
		}
		if (collected.unlisted() > 0) {
			keeper.lose(collected.unlisted() + " more files were not collected");
			this.notes.add("%,d more files of the working folder were not collected than are listed."
				.formatted(collected.unlisted()));
		}
	}

	private static void keepFile(Keeper keeper, Artifact artifact, InputStream content) throws NotTakenException {
		try {
			keeper.keepFile(artifact.name(), artifact.mediaType(), content, artifact.bytes());
		}
		catch (NotKeptException ex) {
			throw new NotTakenException(String.valueOf(ex.getMessage()), ex);
		}
	}

	private static void keep(Keeper keeper, Slot slot, Captured captured, String mediaType) {
		if (captured.bytes() > 0) {
			byte[] preview = captured.preview(Keeper.INLINE).text().getBytes(StandardCharsets.UTF_8);
			keeper.keepText(slot, mediaType, captured.content(), captured.isWhole(), preview);
		}
	}

	private Outcome outcome() {
		Verdict verdict = this.verdict.get();
		return Outcome.of((verdict != null) ? verdict : new Verdict.Broken("it ended without a verdict"), this.limits,
				this.exitStatus, this.oomKills, elapsed());
	}

	private RunResult result() {
		Outcome settled = this.outcome;
		Outcome outcome = (settled != null) ? settled : outcome();
		List<String> notes = new ArrayList<>(outcome.notes());
		notes.addAll(this.notes);
		boolean denied = !this.order.network() && this.isolation.grade(Guarantee.NETWORK) == Grade.ENFORCED;
		return new RunResult(this.order.execution(), this.stdout.preview(this.limits.stream()),
				this.stderr.preview(this.limits.stream()), outcome.value(), outcome.failure(), elapsed(),
				outcome.limitHit(), denied, this.isolation, this.ledger, this.unlistedCalls, this.attachments,
				this.uncollected, notes);
	}

	private Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.began);
	}

}
