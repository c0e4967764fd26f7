package io.psych.sandbox.run;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.backend.ExecutionFolder;
import io.psych.sandbox.backend.Observation;
import io.psych.sandbox.cgroup.Cgroup;
import io.psych.sandbox.cgroup.Cgroups;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.ChildTree;
import io.psych.sandbox.spawn.FileHandle;
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

	/** A launcher and an init, with room for one more of each. */
	private static final int SUPPORTING_PROCESSES = 4;

	private final ExecutionFolder folder;

	private final Child child;

	private final Observation observation;

	/** Holds the workspace when no process of the child does any more. */
	private final @Nullable FileHandle workspace;

	private @Nullable Cgroup group;

	/** Whether every process of the child is in the group. */
	private final boolean bounded;

	private WaitingChild(ExecutionFolder folder, Child child, Observation observation, @Nullable FileHandle workspace,
			@Nullable Cgroup group, boolean bounded) {
		this.workspace = workspace;
		this.folder = folder;
		this.child = child;
		this.observation = observation;
		this.group = group;
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
		ExecutionFolder folder = runtime.instance().newExecution();
		Group group = new Group(runtime, folder.name(), limits);
		Child child = null;
		WaitingChild waiting = null;
		try {
			child = Child.start(runtime.backend().command(folder, limits, network), folder, limits.capture(),
					runtime.spawner(), runtime.threads(), Child.HANDSHAKE, group::enter);
			Observation observation = await(runtime, child, cancellation);
			waiting = new WaitingChild(folder, child, observation, workspace(runtime, folder, child), group.cgroup,
					group.join(child));
			return waiting;
		}
		finally {
			if (waiting == null) {
				if (child != null) {
					child.process().tree().killForcibly();
					child.process().tree().awaitEmpty(Child.HANDSHAKE);
					child.close();
				}
				leave(group.cgroup, folder.name());
				folder.close();
			}
		}
	}

	private static Observation await(Runtime runtime, Child child, Cancellation cancellation)
			throws NotReadyException, InterruptedException {
		Runnable end = () -> {
			child.process().tree().killForcibly();
			child.hangUp();
		};
		ScheduledFuture<?> alarm = runtime.threads()
			.timer()
			.schedule(end, Child.HANDSHAKE.toNanos(), TimeUnit.NANOSECONDS);
		Runnable unsubscribe = cancellation.onCancel(end);
		try {
			Frame.Ready ready = child.awaitReady();
			return Observation.of(ready.report());
		}
		catch (ClosedByInterruptException ex) {
			Thread.interrupted();
			throw new InterruptedException();
		}
		catch (IOException ex) {
			throw new NotReadyException((alarm.isDone()) ? "it did not report in time"
					: "its channel broke before it was ready: " + ex.getMessage());
		}
		finally {
			unsubscribe.run();
			alarm.cancel(false);
		}
	}

	/**
	 * Point at the workspace while only our own code has been running in the child, which
	 * has led nobody elsewhere.
	 */
	private static @Nullable FileHandle workspace(Runtime runtime, ExecutionFolder folder, Child child) {
		// The last one is the program's process, which is in all of the namespaces.
		List<Long> pids = child.process().tree().pids();
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

	/**
	 * Return the workspace, also after the last process is gone.
	 * @return the workspace, or {@code null} when it can't be reached from here
	 */
	@Nullable FileHandle workspace() {
		return this.workspace;
	}

	Child child() {
		return this.child;
	}

	Observation observation() {
		return this.observation;
	}

	/**
	 * Return whether the memory and the number of all its processes are bounded together.
	 */
	boolean isBounded() {
		return this.bounded;
	}

	/**
	 * End what is left in the group, remove it, and return how many processes the kernel
	 * ended for want of memory.
	 */
	long leave() {
		Cgroup group = this.group;
		this.group = null;
		return leave(group, this.folder.name());
	}

	private static long leave(@Nullable Cgroup group, String name) {
		if (group == null) {
			return 0;
		}
		try (group) {
			// Whoever left the tree without a pid namespace to hold it is still in here.
			ChildTree.killOrphans(group.kill());
			return group.oomKills();
		}
		catch (IOException ex) {
			logger.warn("The control group of execution {} is left: {}", name, ex.toString());
			return 0;
		}
	}

	/**
	 * Remove what it had. Its processes must be gone.
	 * @throws IOException if its folder can't be removed
	 */
	@Override
	public void close() throws IOException {
		this.child.close();
		leave();
		if (this.workspace != null) {
			this.workspace.close();
		}
		this.folder.close();
	}

	/**
	 * The control group of a child that is being started.
	 */
	private static final class Group {

		private final Runtime runtime;

		private final String name;

		private final Limits limits;

		private @Nullable Cgroup cgroup;

		Group(Runtime runtime, String name, Limits limits) {
			this.runtime = runtime;
			this.name = name;
			this.limits = limits;
		}

		/**
		 * Put a process that was just started into a group of its own; what it starts
		 * from then on begins in there.
		 */
		void enter(ChildProcess process) {
			Cgroups cgroups = this.runtime.cgroups();
			if (cgroups == null) {
				return;
			}
			try {
				// The files of a tmpfs are memory, so the group holds the workspace as
				// well.
				ByteSize memory = ByteSize
					.ofBytes(this.limits.addressSpace().bytes() + this.limits.workspace().bytes());
				Cgroup group = cgroups.create(this.name, memory, this.limits.processes() + SUPPORTING_PROCESSES);
				this.cgroup = group;
				// To move a process the kernel waits for all processors to come by, some
				// ten milliseconds if it has moved none for a while. Now the child does
				// not wait.
				for (long pid : process.tree().pids()) {
					group.attach(pid);
				}
			}
			catch (IOException ex) {
				logger.warn("Child {} is in no control group: {}", process.pid(), ex.toString());
			}
		}

		/**
		 * Put what is left of the tree, which still waits for its program, into the
		 * group.
		 * @return whether every process of it is held there
		 */
		boolean join(Child child) {
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

	}

}
