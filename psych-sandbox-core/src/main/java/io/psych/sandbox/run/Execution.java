package io.psych.sandbox.run;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.psych.sandbox.backend.ExecutionFolder;
import io.psych.sandbox.backend.Observation;
import io.psych.sandbox.cgroup.Cgroup;
import io.psych.sandbox.cgroup.Cgroups;
import io.psych.sandbox.contract.Bindings;
import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.CapturedStream;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.ChildTree;
import io.psych.sandbox.spawn.ExitStatus;
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
 * The thread that executes is the only one that reads the channel. Tools run on other
 * threads, and the timer only ever ends things.
 *
 * @since 0.1.0
 */
public final class Execution {

	private static final Logger logger = LoggerFactory.getLogger(Execution.class);

	/** What a tree whose processes have all been sent SIGKILL gets to be gone. */
	private static final Duration BURIAL = Duration.ofSeconds(10);

	/** A launcher and an init, with room for one more of each. */
	private static final int SUPPORTING_PROCESSES = 4;

	private static final ExitStatus NO_STATUS = new ExitStatus(-1);

	private final Runtime runtime;

	private final String program;

	private final Limits limits;

	private final boolean network;

	private final Bindings bindings;

	private final Cancellation cancellation;

	private final Function<IsolationReport, List<String>> unmet;

	private final long began = System.nanoTime();

	private final AtomicReference<@Nullable Verdict> verdict = new AtomicReference<>();

	private final List<String> notes = new ArrayList<>();

	private @Nullable Observation observation;

	private IsolationReport isolation;

	private List<CallRecord> ledger = List.of();

	private Map<CallState, Long> unlistedCalls = Map.of();

	private CapturedStream stdout = CapturedStream.EMPTY;

	private CapturedStream stderr = CapturedStream.EMPTY;

	private int exitStatus;

	/** The name of its folder, and of its control group. */
	private String name = "";

	private @Nullable Cgroup cgroup;

	private long oomKills;

	private boolean interrupted;

	/**
	 * Create a new execution.
	 * @param runtime what all executions share
	 * @param program the text of the program
	 * @param limits its limits
	 * @param network whether it keeps the host's network
	 * @param bindings the tools it may call
	 * @param cancellation how the caller stops it
	 * @param unmet tells what a report lacks; no program is sent when it lacks anything
	 */
	public Execution(Runtime runtime, String program, Limits limits, boolean network, Bindings bindings,
			Cancellation cancellation, Function<IsolationReport, List<String>> unmet) {
		this.runtime = runtime;
		this.program = program;
		this.limits = limits;
		this.network = network;
		this.bindings = bindings;
		this.cancellation = cancellation;
		this.unmet = unmet;
		this.isolation = IsolationReport.nothingStarted(runtime.backend().name(), "no process was started");
	}

	/**
	 * Execute the program.
	 * @return the result, whatever happened
	 */
	public RunResult execute() {
		try (ExecutionFolder folder = this.runtime.instance().newExecution()) {
			Runnable unsubscribe = () -> {
			};
			try (Child child = start(folder)) {
				unsubscribe = this.cancellation.onCancel(() -> stop(child, new Verdict.Cancelled()));
				live(child);
			}
			finally {
				unsubscribe.run();
				leave();
			}
		}
		catch (NotReadyException ex) {
			end(new Verdict.NotReady(String.valueOf(ex.getMessage())));
		}
		catch (InterruptedException ex) {
			this.interrupted = true;
			end(new Verdict.Cancelled());
		}
		catch (IOException ex) {
			// Only the folder is left to fail here: made at the start, removed at the
			// end.
			logger.warn("The folder of an execution failed: {}", ex.toString());
			end(new Verdict.NotReady("its folder failed: " + ex.getMessage()));
		}
		if (this.interrupted) {
			Thread.currentThread().interrupt();
		}
		return result();
	}

	/**
	 * Return what the child observed.
	 * @return the observation, or {@code null} when it came to none
	 */
	public @Nullable Observation observation() {
		return this.observation;
	}

	/**
	 * Return how many processes of the program the kernel ended for want of memory.
	 * @return the number
	 */
	long oomKills() {
		return this.oomKills;
	}

	private Child start(ExecutionFolder folder) throws NotReadyException, IOException, InterruptedException {
		this.name = folder.name();
		return Child.start(this.runtime.backend().command(folder, this.limits, this.network), folder,
				this.limits.stream(), this.runtime.spawner(), this.runtime.threads(), Child.HANDSHAKE, this::enter);
	}

	private void live(Child child) {
		Calls calls = new Calls(this.bindings, child.writer(), this.runtime.toolExecutor(),
				this.runtime.threads().timer(), this.limits.toolTimeout(), this.runtime.concurrentCalls());
		// A program that has died can't release a reader that waits for one of its calls
		// to end.
		child.process().exit().thenRun(calls::stop);
		try {
			if (shakeHands(child)) {
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
		bury(child, calls);
	}

	private boolean shakeHands(Child child) throws IOException {
		ScheduledFuture<?> alarm = endAfter(child, Child.HANDSHAKE, new Verdict.NotReady("it did not report in time"));
		try {
			Frame.Ready ready = child.awaitReady();
			Observation seen = Observation.of(ready.report());
			this.observation = seen;
			boolean bounded = join(child);
			this.isolation = this.runtime.grader()
				.grade(this.runtime.backend(), seen, this.limits, this.network, bounded, this.runtime.proofs().get());
			child.process().tree().adoptInit(this.isolation.grade(Guarantee.PROCESS_TREE) == Grade.ENFORCED);
			List<String> missing = this.unmet.apply(this.isolation);
			if (!missing.isEmpty()) {
				end(new Verdict.Refused(missing));
				child.writer().abort();
				return false;
			}
			return true;
		}
		catch (NotReadyException ex) {
			end(new Verdict.NotReady(String.valueOf(ex.getMessage())));
			return false;
		}
		finally {
			alarm.cancel(false);
		}
	}

	/**
	 * Put a process that was just started into a control group of its own; what it starts
	 * from then on begins in there.
	 */
	private void enter(ChildProcess process) {
		Cgroups cgroups = this.runtime.cgroups();
		if (cgroups == null) {
			return;
		}
		try {
			// The files of a tmpfs are memory, so the group holds the workspace as well.
			ByteSize memory = ByteSize.ofBytes(this.limits.addressSpace().bytes() + this.limits.workspace().bytes());
			Cgroup group = cgroups.create(this.name, memory, this.limits.processes() + SUPPORTING_PROCESSES);
			this.cgroup = group;
			// To move a process the kernel waits for all processors to come by, some ten
			// milliseconds if it has moved none for a while. Now the child does not wait.
			for (long pid : process.tree().pids()) {
				group.attach(pid);
			}
		}
		catch (IOException ex) {
			logger.warn("Child {} is in no control group: {}", process.pid(), ex.toString());
		}
	}

	/**
	 * Put what is left of the tree, which still waits for its program, into its control
	 * group.
	 * @return whether every process of it is held there
	 */
	private boolean join(Child child) {
		Cgroup group = this.cgroup;
		if (group == null) {
			return false;
		}
		try {
			List<Long> pids = child.process().tree().pids();
			if (group.holdsAll(pids)) {
				return true;
			}
			for (long pid : pids) {
				group.attach(pid);
			}
			return group.holdsAll(pids);
		}
		catch (IOException ex) {
			logger.warn("Child {} is in no control group: {}", child.process().pid(), ex.toString());
			return false;
		}
	}

	/**
	 * Tell how many processes the kernel ended for want of memory, and remove the group.
	 */
	private void leave() {
		Cgroup group = this.cgroup;
		if (group == null) {
			return;
		}
		this.cgroup = null;
		try (group) {
			// Whoever left the tree without a pid namespace to hold it is still in here.
			ChildTree.killOrphans(group.kill());
			this.oomKills = group.oomKills();
		}
		catch (IOException ex) {
			logger.warn("The control group of execution {} is left: {}", this.name, ex.toString());
		}
		if (this.oomKills > 0) {
			this.notes.add("%d process%s of the program %s ended because all together took more memory than they may."
				.formatted(this.oomKills, (this.oomKills == 1) ? "" : "es", (this.oomKills == 1) ? "was" : "were"));
		}
	}

	private void converse(Child child, Calls calls) throws IOException, InterruptedException {
		ScheduledFuture<?> alarm = endAfter(child, this.limits.wallTime(), new Verdict.TimedOut());
		try {
			child.reader().within(FrameBounds.of(this.limits));
			child.writer().run(this.program, this.bindings.names(), this.limits);
			while (this.verdict.get() == null) {
				Frame frame = child.reader().next();
				if (frame instanceof Frame.Call call) {
					if (!calls.accept(call)) {
						end(new Verdict.Violated("a call whose number is not the successor of the last one's"));
					}
				}
				else if (frame instanceof Frame.Done done) {
					end(new Verdict.Done(done));
				}
				else if (frame == null) {
					// A closed channel is not an end: the process may compute on, and is
					// waited for.
					awaitExit(child);
				}
				else {
					end(new Verdict.Violated("a ready frame after the program was sent"));
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
		return this.runtime.threads()
			.timer()
			.schedule(() -> stop(child, verdict), delay.toNanos(), TimeUnit.NANOSECONDS);
	}

	/** End an execution from another thread: ask, and after the grace insist. */
	private void stop(Child child, Verdict verdict) {
		if (!end(verdict)) {
			return;
		}
		child.process().tree().terminate();
		this.runtime.threads().timer().schedule(() -> {
			child.process().tree().kill();
			child.hangUp();
		}, this.runtime.grace().toNanos(), TimeUnit.NANOSECONDS);
		child.process().exit().thenRun(child::hangUp);
	}

	private boolean end(Verdict verdict) {
		return this.verdict.compareAndSet(null, verdict);
	}

	/**
	 * The barrier: open calls are interrupted and settled, every process is gone, the
	 * pipes have ended.
	 */
	private void bury(Child child, Calls calls) {
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
		if (this.verdict.get() instanceof Verdict.Done) {
			noteLateFrames(child);
		}
		child.hangUp();
		// The tree is empty, so the status is on its way.
		this.exitStatus = child.process()
			.exit()
			.completeOnTimeout(NO_STATUS, BURIAL.toMillis(), TimeUnit.MILLISECONDS)
			.join()
			.code();
		leave();
		this.ledger = calls.settle(this.runtime.grace());
		this.unlistedCalls = calls.unlisted();
		this.stdout = child.stdout(this.runtime.grace());
		this.stderr = child.stderr(this.runtime.grace());
		noteOpenCalls(open);
		noteLeftRunning(left);
	}

	/**
	 * Tell that there is more in the channel than the result. The tree is empty, so
	 * nobody holds its other end; should somebody, the timer closes this one.
	 */
	private void noteLateFrames(Child child) {
		ScheduledFuture<?> alarm = this.runtime.threads()
			.timer()
			.schedule(child::hangUp, this.runtime.grace().toNanos(), TimeUnit.NANOSECONDS);
		if (child.sentMore()) {
			this.notes.add("The program sent more to its host after its result, which alone counts.");
		}
		alarm.cancel(false);
		this.interrupted |= Thread.interrupted();
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

	private RunResult result() {
		Verdict verdict = this.verdict.get();
		Outcome outcome = Outcome.of((verdict != null) ? verdict : new Verdict.Broken("it ended without a verdict"),
				this.limits, this.exitStatus, this.oomKills, elapsed());
		List<String> notes = new ArrayList<>(outcome.notes());
		notes.addAll(this.notes);
		boolean denied = !this.network && this.isolation.grade(Guarantee.NETWORK) == Grade.ENFORCED;
		return new RunResult("", this.stdout, this.stderr, outcome.value(), outcome.failure(), elapsed(),
				outcome.limitHit(), denied, this.isolation, this.ledger, this.unlistedCalls, List.of(), List.of(),
				notes);
	}

	private Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.began);
	}

}
