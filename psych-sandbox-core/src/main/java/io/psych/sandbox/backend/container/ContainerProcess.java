package io.psych.sandbox.backend.container;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.psych.sandbox.cgroup.Membership;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.ChildTree;
import io.psych.sandbox.spawn.ExitStatus;
import io.psych.sandbox.spawn.ForeignProcess;
import io.psych.sandbox.spawn.NamedPipe;
import io.psych.sandbox.spawn.TreeBounds;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The init of a running container, which the engine has started and this JVM watches as a
 * process of the host: that the container is empty is measured, not asked for. Only how
 * it ended is the engine's to tell.
 */
final class ContainerProcess implements ChildProcess, TreeBounds, ChildTree.Owner {

	private static final Logger logger = LoggerFactory.getLogger(ContainerProcess.class);

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final Engine engine;

	private final String id;

	private final NamedPipe stdout;

	private final NamedPipe stderr;

	private final ProcessHandle init;

	private final ChildTree tree;

	private final CompletableFuture<ExitStatus> exit;

	/** The control group, or {@code null} where this JVM can't read it. */
	private final @Nullable Membership membership;

	private volatile long oomKills;

	private ContainerProcess(Engine engine, String id, NamedPipe stdout, NamedPipe stderr, ProcessHandle init) {
		this.engine = engine;
		this.id = id;
		this.stdout = stdout;
		this.stderr = stderr;
		this.init = init;
		this.tree = ChildTree.ofNamespace(init, this);
		this.membership = membership(init.pid());
		this.exit = ForeignProcess.end(init).thenApply((ended) -> {
			stdout.release();
			stderr.release();
			return NO_STATUS;
		});
	}

	/**
	 * Watch a container that was just started.
	 * @param engine its engine
	 * @param id its id
	 * @param mark a text that the command line of its init holds
	 * @param stdout the pipe its stdout goes to
	 * @param stderr the pipe its stderr goes to
	 * @return its init
	 * @throws IOException if it has ended, or its init can't be seen
	 * @throws InterruptedException if the caller was interrupted
	 */
	static ContainerProcess watch(Engine engine, String id, String mark, NamedPipe stdout, NamedPipe stderr)
			throws IOException, InterruptedException {
		Engine.Answer answer = engine.ask(Engine.PATIENCE, "inspect", "--format",
				"{{.State.Pid}} {{.State.Status}} {{.State.ExitCode}}", id);
		String[] state = answer.output().split(" ");
		if (!answer.isGood() || state.length != 3 || !state[0].matches("\\d{1,9}")) {
			throw new IOException("the engine does not tell its state: " + answer.output() + answer.complaint());
		}
		ProcessHandle init = ProcessHandle.of(Long.parseLong(state[0])).orElse(null);
		if ("0".equals(state[0]) || (init == null && !"running".equals(state[1]))) {
			throw new IOException("its container ended at once, with status " + state[2]);
		}
		if (init == null || !isOf(init.pid(), id, mark)) {
			throw new IOException("process %s, which the engine says is its init, is another one here: the engine must"
				.formatted(state[0]) + " be on this host and in the pid namespace of this JVM");
		}
		if (isInNamespaceOfThisJvm(init.pid())) {
			throw new IOException("its init is an ordinary process of this host, as gVisor's is, whose end is not that"
					+ " of all processes below it: that none is left could not be measured");
		}
		return new ContainerProcess(engine, id, stdout, stderr, init);
	}

	private static boolean isOf(long pid, String id, String mark) throws IOException {
		Path process = Path.of("/proc", Long.toString(pid));
		String command = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
		// What stands for the init where gVisor is the kernel names the container.
		return command.contains(mark) || command.contains(id)
				|| Files.readString(process.resolve("cgroup"), StandardCharsets.ISO_8859_1).contains(id);
	}

	/**
	 * Anybody may read the ids a process has in its pid namespace and in each around it,
	 * down from that of the reader (proc_pid_status(5)): one of ours has only one.
	 */
	private static boolean isInNamespaceOfThisJvm(long pid) throws IOException {
		for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"),
				StandardCharsets.ISO_8859_1)) {
			if (line.startsWith("NSpid:")) {
				return line.substring("NSpid:".length()).strip().split("\\s+").length < 2;
			}
		}
		return true;
	}

	private static @Nullable Membership membership(long pid) {
		try {
			return Membership.of(pid);
		}
		catch (IOException ex) {
			logger.debug("The control group of process {} can't be read: {}", pid, ex.toString());
			return null;
		}
	}

	@Override
	public long pid() {
		return this.init.pid();
	}

	@Override
	public InputStream stdout() {
		return this.stdout.stream();
	}

	@Override
	public InputStream stderr() {
		return this.stderr.stream();
	}

	@Override
	public CompletableFuture<ExitStatus> exit() {
		return this.exit;
	}

	@Override
	public ExitStatus status(Duration patience) {
		long deadline = System.nanoTime() + patience.toNanos();
		boolean interrupted = Thread.interrupted();
		ExitStatus status = NO_STATUS;
		while (status.equals(NO_STATUS) && System.nanoTime() - deadline < 0) {
			try {
				status = ask();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
			catch (IOException ex) {
				logger.warn("The engine does not tell how container {} ended: {}", this.id, ex.getMessage());
				break;
			}
			if (status.equals(NO_STATUS)) {
				LockSupport.parkNanos(PAUSE_NANOS);
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return status;
	}

	private ExitStatus ask() throws IOException, InterruptedException {
		Engine.Answer answer = this.engine.ask(Engine.PATIENCE, "inspect", "--format",
				"{{.State.Status}} {{.State.ExitCode}} {{.State.OOMKilled}}", this.id);
		String[] state = answer.output().split(" ");
		if (!answer.isGood() || state.length != 3 || !state[1].matches("\\d{1,3}")) {
			throw new IOException(answer.output() + answer.complaint());
		}
		if (!state[0].matches("exited|dead|stopped")) {
			return NO_STATUS;
		}
		if ("true".equals(state[2])) {
			this.oomKills = Math.max(this.oomKills, 1);
		}
		return new ExitStatus(Integer.parseInt(state[1]));
	}

	@Override
	public ChildTree tree() {
		return this.tree;
	}

	@Override
	public TreeBounds bounds() {
		return this;
	}

	@Override
	public boolean isHeldTo(long memory, int processes) {
		Membership membership = this.membership;
		try {
			return membership != null && membership.isHeldTo(memory, processes);
		}
		catch (IOException ex) {
			logger.debug("The limits of container {} can't be read: {}", this.id, ex.toString());
			return false;
		}
	}

	/** Through the kernel's files, which not every client knows an option for. */
	@Override
	public void set(long memory, int processes) throws IOException {
		Membership membership = this.membership;
		try {
			if (membership != null) {
				membership.limit(ByteSize.ofBytes(memory), processes);
				return;
			}
		}
		catch (IOException ex) {
			logger.debug("The limits of container {} are the engine's to set: {}", this.id, ex.toString());
		}
		try {
			Engine.Answer answer = this.engine.ask(Engine.PATIENCE, "update", "--memory=" + memory,
					"--memory-swap=" + memory, "--pids-limit=" + processes, this.id);
			if (!answer.isGood()) {
				throw new IOException(answer.complaint());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("interrupted", ex);
		}
	}

	@Override
	public long oomKills() {
		return this.oomKills;
	}

	/** The group goes with the last process, so it is read before. */
	@Override
	public void beforeKill() {
		Membership membership = this.membership;
		try {
			if (membership != null) {
				this.oomKills = Math.max(this.oomKills, membership.oomKills());
			}
		}
		catch (IOException ex) {
			logger.debug("What container {} was ended for can't be read: {}", this.id, ex.toString());
		}
	}

	@Override
	public void kill() {
		this.engine.remove(this.id);
	}

	@Override
	public void close() {
		this.stdout.close();
		this.stderr.close();
		this.engine.remove(this.id);
	}

}
