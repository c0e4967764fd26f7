package io.psych.sandbox.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.psych.sandbox.backend.ExecutionFolder;
import io.psych.sandbox.backend.Observation;
import io.psych.sandbox.backend.Proofs;
import io.psych.sandbox.cgroup.Cgroup;
import io.psych.sandbox.cgroup.Cgroups;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.TreeLimits;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.ChildTree;
import io.psych.sandbox.spawn.FileHandle;
import io.psych.sandbox.spawn.MountNamespace;
import io.psych.sandbox.spawn.TreeBounds;
import io.psych.sandbox.wire.Frame;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A child in its sandbox that has told what it observed and waits for a program, or for
 * being told that there is none. Runs one program at most.
 */
final class WaitingChild implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(WaitingChild.class);

	private final ExecutionFolder folder;

	private final Child child;

	private final Observation observation;

	/** Holds the workspace when no process of the child does any more. */
	private final @Nullable FileHandle workspace;

	/** What is mounted for the child and for no other, where this host sees to that. */
	private final @Nullable MountNamespace mounts;

	private final @Nullable Cgroups groups;

	private @Nullable Cgroup group;

	/** What the group is held to. */
	private TreeLimits bounds;

	/** Whether every process of the child is in the group. */
	private boolean bounded;

	private @Nullable IsolationReport report;

	/** What the report was made of, beside the observation. */
	private @Nullable Graded graded;

	/**
	 * What a report depends on, beside what the child observed.
	 *
	 * @param workspace the size of its workspace
	 * @param network whether it keeps the host's network
	 * @param bounded whether every process of it is in a control group
	 * @param proofs what was proved
	 */
	private record Graded(ByteSize workspace, boolean network, boolean bounded, Proofs proofs) {

	}

	private WaitingChild(ExecutionFolder folder, Child child, Observation observation, @Nullable FileHandle workspace,
			@Nullable MountNamespace mounts, Group group, boolean bounded) {
		this.workspace = workspace;
		this.mounts = mounts;
		this.groups = group.runtime.backend().isBounding() ? null : group.runtime.cgroups();
		this.bounds = group.bounds;
		this.folder = folder;
		this.child = child;
		this.observation = observation;
		this.group = group.cgroup;
		this.bounded = bounded;
	}

	/**
	 * Start a child and wait until it has reported.
	 * @param runtime what all executions share
	 * @param limits its limits; of these only the size of its workspace can't be changed
	 * any more
	 * @param network whether it keeps the host's network
	 * @param cancellation ends it while it starts
	 * @return the child
	 * @throws NotReadyException if it did not report; nothing of it is left
	 * @throws IOException if its folder can't be made or removed
	 * @throws InterruptedException if the caller was interrupted; nothing of it is left
	 */
	static WaitingChild start(Runtime runtime, Limits limits, boolean network, Cancellation cancellation)
			throws NotReadyException, IOException, InterruptedException {
		ExecutionFolder folder = folder(runtime);
		Group group = new Group(runtime, folder.name(), limits);
		Child child = null;
		WaitingChild waiting = null;
		try {
			ChildCommand command = group.command(folder, limits, network);
			logger.debug("Starting a child: {}", command.arguments());
			child = Child.start(() -> runtime.backend().start(command, folder, runtime.spawner()), folder,
					limits.capture(), runtime.threads(), Child.HANDSHAKE, group::take);
			Observation observation = await(runtime, child, cancellation);
			List<Long> pids = child.process().tree().pids();
			boolean bounded = group.join(child, pids);
			waiting = new WaitingChild(folder, child, observation, workspace(runtime, folder, child, pids),
					mounts(runtime, pids), group, bounded);
			return waiting;
		}
		finally {
			if (waiting == null) {
				if (child != null) {
					child.process().tree().killForcibly();
					child.process().tree().awaitEmpty(Child.HANDSHAKE);
					child.close();
				}
				group.discard();
				folder.close();
			}
		}
	}

	private static ExecutionFolder folder(Runtime runtime) throws IOException {
		if (!runtime.instance().users().hasFree()) {
			// Those of executions that have ended are given back when all else is done.
			runtime.threads().aftermath().settle();
		}
		return runtime.instance().newExecution(runtime.backend().needsFolder());
	}

	private static Observation await(Runtime runtime, Child child, Cancellation cancellation)
			throws NotReadyException, InterruptedException {
		Runnable end = () -> {
			child.process().tree().killForcibly();
			child.hangUp();
		};
		AtomicBoolean late = new AtomicBoolean();
		ScheduledFuture<?> alarm = runtime.threads().alarm(() -> {
			late.set(true);
			end.run();
		}, Child.HANDSHAKE);
		Runnable unsubscribe = cancellation.onCancel(end);
		try {
			Frame.Ready ready = child.awaitReady();
			return Observation.of(ready.report());
		}
		catch (ClosedByInterruptException ex) {
			Thread.interrupted();
			throw new InterruptedException();
		}
		catch (NotReadyException ex) {
			// One that is ended closes its channel, which then comes to an end by itself.
			throw late.get() ? late() : ex;
		}
		catch (IOException ex) {
			throw late.get() ? late()
					: new NotReadyException("its channel broke before it was ready: " + ex.getMessage());
		}
		finally {
			unsubscribe.run();
			alarm.cancel(false);
		}
	}

	private static NotReadyException late() {
		return new NotReadyException("it did not report within " + Child.HANDSHAKE.toSeconds() + " s");
	}

	/**
	 * Point at the workspace while only our own code has been running in the child, which
	 * has led nobody elsewhere.
	 */
	private static @Nullable FileHandle workspace(Runtime runtime, ExecutionFolder folder, Child child,
			List<Long> pids) {
		// The last one is the program's process, which is in all of the namespaces.
		Path root = Path.of("/proc", Long.toString(pids.get(pids.size() - 1)), "root");
		Path seen = runtime.backend().workspace(folder);
		try {
			return FileHandle.ofFolder(root.resolve(Path.of("/").relativize(seen)));
		}
		catch (IOException ex) {
			logger.warn("The workspace of child {} can't be reached, no file goes in or out: {}", child.process().pid(),
					ex.toString());
			return null;
		}
	}

	/** Whoever waits for the end of the child shall not wait for its mounts too. */
	private static @Nullable MountNamespace mounts(Runtime runtime, List<Long> pids) {
		if (runtime.backend().isBounding()) {
			// They are somebody else's, who may wait for them.
			return null;
		}
		try {
			return MountNamespace.of(pids.get(pids.size() - 1));
		}
		catch (IOException ex) {
			logger.debug("The mounts of a child end with it: {}", ex.toString());
			return null;
		}
	}

	/**
	 * Return the workspace, also after the last process is gone.
	 * @return the workspace, or {@code null} when it can't be reached from here
	 */
	@Nullable FileHandle workspace() {
		return this.workspace;
	}

	/**
	 * Hold on to what its program gathers of its prints, where that can be reached.
	 */
	void holdPrints() {
		if (this.workspace != null) {
			this.child.append(new GatheredPrints(this.workspace, this.folder.owner().uid()));
		}
	}

	Child child() {
		return this.child;
	}

	Observation observation() {
		return this.observation;
	}

	/**
	 * Return whether it can still be given a program.
	 */
	boolean isAlive() {
		return !this.child.process().exit().isDone() && this.child.isWaiting();
	}

	/**
	 * Grade it. What does not change between two calls is not graded twice.
	 * @param runtime what all executions share
	 * @param limits the limits of its program
	 * @param network whether it keeps the host's network
	 * @return the report
	 */
	IsolationReport grade(Runtime runtime, Limits limits, boolean network) {
		Graded wanted = new Graded(limits.workspace(), network, this.bounded, runtime.proofs().get());
		IsolationReport report = this.report;
		if (report == null || !wanted.equals(this.graded)) {
			report = runtime.grader()
				.grade(runtime.backend(), this.observation, limits, network, this.bounded, wanted.proofs());
			if (this.report == null) {
				this.child.process().tree().adoptInit(report.grade(Guarantee.PROCESS_TREE) == Grade.ENFORCED);
			}
			this.report = report;
			this.graded = wanted;
		}
		return report;
	}

	/**
	 * Hold a child that was started ahead to the limits of its program, those that the
	 * host and not the child sees to.
	 * @param limits the limits
	 */
	void fit(Limits limits) {
		this.child.keep(limits.capture());
		TreeLimits wanted = TreeLimits.of(limits);
		Cgroup group = this.group;
		TreeBounds own = this.child.process().bounds();
		if ((group == null && own == null) || wanted.equals(this.bounds)) {
			return;
		}
		try {
			if (group != null) {
				group.limit(wanted.memory(), wanted.processes());
			}
			if (own != null) {
				own.set(wanted.memory().bytes(), wanted.processes());
				this.bounded = own.isHeldTo(wanted.memory().bytes(), wanted.processes());
			}
			this.bounds = wanted;
		}
		catch (IOException ex) {
			logger.warn("The processes of child {} can't be held to its program's limits together: {}",
					this.child.process().pid(), ex.toString());
			this.bounded = false;
		}
	}

	/**
	 * Return how many of its processes the kernel ended for want of memory.
	 * @param empty whether it is proved that no process is left; otherwise what is left
	 * in the group is ended and waited for
	 */
	long oomKills(boolean empty) {
		TreeBounds own = this.child.process().bounds();
		if (own != null) {
			return own.oomKills();
		}
		Cgroup group = this.group;
		if (group == null) {
			return 0;
		}
		try {
			// Whoever left the tree without a pid namespace to hold it is still in here.
			boolean left = !empty && !group.isEmpty();
			if (left) {
				ChildTree.killOrphans(group.kill());
			}
			long oomKills = group.oomKills();
			if (left) {
				this.group = null;
				group.close();
			}
			return oomKills;
		}
		catch (IOException ex) {
			logger.warn("The control group of execution {} is left: {}", this.folder.name(), ex.toString());
			return 0;
		}
	}

	/**
	 * End a child that is given no program.
	 */
	void discard() {
		this.child.process().tree().killForcibly();
		if (!this.child.process().tree().awaitEmpty(Child.HANDSHAKE)) {
			logger.error("Child {} did not end within {} of SIGKILL", this.child.process().pid(), Child.HANDSHAKE);
		}
		oomKills(false);
		close();
	}

	/**
	 * Remove what it had, and prepare for the next one. Its processes must be gone.
	 */
	@Override
	public void close() {
		this.child.close();
		if (this.workspace != null) {
			this.workspace.close();
		}
		endMounts();
		Cgroup group = this.group;
		this.group = null;
		try {
			if (group != null) {
				group.close();
			}
			if (this.groups != null) {
				this.groups.prepare(this.bounds.memory(), this.bounds.processes());
			}
		}
		catch (IOException ex) {
			logger.warn("The control group of execution {} is left: {}", this.folder.name(), ex.toString());
		}
		try {
			this.folder.close();
		}
		catch (IOException ex) {
			logger.warn("The folder of execution {} is left: {}", this.folder.name(), ex.toString());
		}
	}

	private void endMounts() {
		try {
			if (this.mounts != null) {
				this.mounts.close();
			}
		}
		catch (IOException ex) {
			logger.warn("The mounts of execution {} are left: {}", this.folder.name(), ex.toString());
		}
	}

	/**
	 * The control group of a child that is being started.
	 */
	private static final class Group {

		private final Runtime runtime;

		private final String name;

		private final TreeLimits bounds;

		private @Nullable Cgroup cgroup;

		/** Whether the child was started in there. */
		private volatile boolean joined;

		Group(Runtime runtime, String name, Limits limits) {
			this.runtime = runtime;
			this.name = name;
			this.bounds = TreeLimits.of(limits);
		}

		/**
		 * Return how to start a child, in its group where that can be: then nobody waits
		 * for it to be moved.
		 */
		ChildCommand command(ExecutionFolder folder, Limits limits, boolean network) throws IOException {
			Cgroup group = create();
			Cgroups cgroups = this.runtime.cgroups();
			ChildCommand command = this.runtime.backend().command(folder, limits, network);
			if (group == null || cgroups == null) {
				return command;
			}
			if (cgroups.takesThreads() && this.runtime.spawner().isNative()) {
				return command.within(() -> enter(cgroups, group));
			}
			this.runtime.threads().pumps().execute(() -> announceMove(cgroups));
			return command;
		}

		private Closeable enter(Cgroups cgroups, Cgroup group) {
			try {
				Closeable back = cgroups.enter(group);
				this.joined = true;
				return back;
			}
			catch (IOException ex) {
				// It is moved there when it has started.
				logger.debug("Execution {} is not started in its control group: {}", this.name, ex.toString());
				return () -> {
				};
			}
		}

		private static void announceMove(Cgroups cgroups) {
			try {
				cgroups.announceMove();
			}
			catch (IOException ex) {
				logger.debug("Moves are not announced: {}", ex.toString());
			}
		}

		private @Nullable Cgroup create() {
			Cgroups cgroups = this.runtime.cgroups();
			if (cgroups == null || this.runtime.backend().isBounding()) {
				return null;
			}
			try {
				this.cgroup = cgroups.create(this.name, this.bounds.memory(), this.bounds.processes());
				return this.cgroup;
			}
			catch (IOException ex) {
				logger.warn("Execution {} has no control group: {}", this.name, ex.toString());
				return null;
			}
		}

		/**
		 * Put a process that was just started into the group, unless it was started in
		 * there; what it starts from then on begins in there.
		 */
		void take(ChildProcess process) {
			Cgroup group = this.cgroup;
			if (group == null || this.joined) {
				return;
			}
			try {
				for (long pid : process.tree().pids()) {
					group.attach(pid);
				}
			}
			catch (IOException ex) {
				logger.warn("Child {} is in no control group: {}", process.pid(), ex.toString());
			}
		}

		/** Remove it after a child that did not come to wait. */
		void discard() {
			Cgroup group = this.cgroup;
			if (group == null) {
				return;
			}
			try (group) {
				ChildTree.killOrphans(group.kill());
			}
			catch (IOException ex) {
				logger.warn("The control group of execution {} is left: {}", this.name, ex.toString());
			}
		}

		/**
		 * Put what is left of the tree, which still waits for its program, into the
		 * group.
		 * @return whether every process of it is held there
		 */
		boolean join(Child child, List<Long> pids) {
			TreeBounds own = child.process().bounds();
			if (own != null) {
				return own.isHeldTo(this.bounds.memory().bytes(), this.bounds.processes());
			}
			Cgroup group = this.cgroup;
			if (group == null) {
				return false;
			}
			try {
				Set<Long> outside = group.outside(pids);
				if (outside.isEmpty()) {
					return true;
				}
				for (long pid : outside) {
					group.attach(pid);
				}
				return group.outside(pids).isEmpty();
			}
			catch (IOException ex) {
				logger.warn("Child {} is in no control group: {}", child.process().pid(), ex.toString());
				return false;
			}
		}

	}

}
