package io.psych.sandbox.spawn;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A child and all processes below it. Ending it is aimed at all of them, and that they
 * are gone is measured, not assumed.
 * <p>
 * Where the tree has a pid namespace of its own, the end of the namespace's init is the
 * end of every process in it, whatever they did to escape (pid_namespaces(7)); a zombie
 * init has already waited for the last of them. Elsewhere the tree is what the process
 * table says.
 *
 * @since 0.1.0
 */
public final class ChildTree {

	/** Short enough not to delay an answer, long enough not to load the host. */
	private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

	private final ProcessHandle root;

	/** The init of the tree's own pid namespace, once known. */
	private volatile @Nullable Member init;

	/** What was there below the root before there was a program. */
	private volatile Set<Member> founders = Set.of();

	/** Everything that was seen below the root at some time; guarded by itself. */
	private final Set<Member> seen = new HashSet<>();

	/** Who else can end it, or {@code null}. */
	private final @Nullable Owner owner;

	ChildTree(ProcessHandle root) {
		this.root = root;
		this.owner = null;
	}

	private ChildTree(ProcessHandle init, Owner owner) {
		this.root = init;
		this.owner = owner;
		this.init = Member.find(init.pid());
	}

	/**
	 * Return the tree of a pid namespace that somebody else has made.
	 * @param init its init
	 * @param owner who made it
	 * @return the tree
	 */
	public static ChildTree ofNamespace(ProcessHandle init, Owner owner) {
		return new ChildTree(init, owner);
	}

	/**
	 * Whoever has made a pid namespace, and can end it where this JVM may not.
	 */
	public interface Owner {

		/**
		 * Is told before the processes are ended.
		 */
		void beforeKill();

		/**
		 * End them.
		 */
		void kill();

	}

	/**
	 * Take the root's only child for the init of the tree's pid namespace, and all that
	 * is there for what the tree consists of. To be called while the tree is still
	 * trusted.
	 * @param namespace whether the tree has a pid namespace of its own
	 */
	public void adoptInit(boolean namespace) {
		List<Member> children = childrenOf(this.root.pid());
		this.founders = Set.copyOf(descendants(children));
		if (this.owner != null) {
			if (!namespace) {
				// Not proved to be one: what is below is ended one by one.
				this.init = null;
			}
			return;
		}
		if (namespace && children.size() == 1) {
			this.init = children.get(0);
		}
	}

	/**
	 * Return the processes of the tree, its root first.
	 * @return their ids
	 */
	public List<Long> pids() {
		List<Long> pids = new ArrayList<>(List.of(this.root.pid()));
		descendants().forEach((member) -> pids.add(member.pid()));
		return pids;
	}

	/**
	 * Return how many processes are running that were not there when the init was
	 * adopted. Those that have ended and were not waited for do not count.
	 * @return the number
	 */
	public int leftRunning() {
		Set<Member> founders = this.founders;
		return (int) descendants().stream().filter((member) -> !founders.contains(member) && member.isAlive()).count();
	}

	/**
	 * End processes that belong to no tree any more.
	 * @param pids their ids
	 */
	public static void killOrphans(Collection<Long> pids) {
		for (long pid : pids) {
			Member member = Member.find(pid);
			if (member != null) {
				member.signal(true);
			}
		}
	}

	/**
	 * Ask every process of the tree to end, those left out that only hold it together.
	 */
	public void terminate() {
		Member init = this.init;
		for (Member member : descendants()) {
			if (!member.equals(init)) {
				member.signal(false);
			}
		}
	}

	/**
	 * End every process of the tree. The root is only asked to: it reaps what is below it
	 * and then ends by itself, so that nothing is left to whoever reaps orphans.
	 */
	public void kill() {
		Member init = this.init;
		if (init != null && init.isAlive()) {
			Owner owner = this.owner;
			if (owner != null) {
				owner.beforeKill();
			}
			if (!init.signal(true) && owner != null) {
				owner.kill();
			}
			return;
		}
		descendants().forEach((member) -> member.signal(true));
		this.root.destroy();
	}

	/**
	 * End every process of the tree, the root as well.
	 */
	public void killForcibly() {
		kill();
		if (this.owner != null) {
			this.owner.kill();
		}
		this.root.destroyForcibly();
	}

	/**
	 * Wait until no process of the tree is left. An interrupt does not end the wait, it
	 * is kept for the caller.
	 * @param most how long to wait
	 * @return whether the tree is empty
	 */
	public boolean awaitEmpty(Duration most) {
		long deadline = System.nanoTime() + most.toNanos();
		boolean interrupted = false;
		boolean empty = isEmpty();
		while (!empty && System.nanoTime() - deadline < 0) {
			LockSupport.parkNanos(POLL_NANOS);
			interrupted |= Thread.interrupted();
			empty = isEmpty();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return empty;
	}

	/**
	 * Return whether no process of the tree is left.
	 * @return whether it is empty
	 */
	public boolean isEmpty() {
		if (this.root.isAlive()) {
			return false;
		}
		Member init = this.init;
		List<Member> members;
		synchronized (this.seen) {
			members = (init != null) ? List.of(init) : List.copyOf(this.seen);
		}
		if (members.stream().anyMatch(Member::isAlive)) {
			return false;
		}
		members.forEach(Member::reapIfOurs);
		return true;
	}

	private List<Member> descendants() {
		return descendants(childrenOf(this.root.pid()));
	}

	private List<Member> descendants(List<Member> children) {
		List<Member> found = new ArrayList<>(children);
		Deque<Member> waiting = new ArrayDeque<>(children);
		while (!waiting.isEmpty()) {
			List<Member> below = childrenOf(waiting.pop().pid());
			found.addAll(below);
			waiting.addAll(below);
		}
		synchronized (this.seen) {
			this.seen.addAll(found);
		}
		return found;
	}

	/** Each thread of a process has the children that it forked (proc(5)). */
	private static List<Member> childrenOf(long pid) {
		List<Member> members = new ArrayList<>();
		Path task = Path.of("/proc", Long.toString(pid), "task");
		// Half the system calls of a DirectoryStream; nothing when the process has gone.
		String[] threads = task.toFile().list();
		for (String thread : (threads != null) ? threads : new String[0]) {
			String children = read(task.resolve(thread).resolve("children"));
			for (String child : (children != null && !children.isBlank()) ? children.trim().split(" ")
					: new String[0]) {
				Member member = Member.find(Long.parseLong(child));
				if (member != null) {
					members.add(member);
				}
			}
		}
		return members;
	}

	private static @Nullable String read(Path file) {
		try {
			return Files.readString(file, StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			// The process has gone.
			return null;
		}
	}

	/**
	 * A process that is told from a later one of the same number by when it began.
	 *
	 * @param pid its id
	 * @param began when it began, in the kernel's ticks
	 */
	private record Member(long pid, String began) {

		/**
		 * Fields of /proc/PID/stat behind the command's closing parenthesis (proc(5)).
		 */
		private static final int STATE = 0;

		private static final int PARENT = 1;

		private static final int BEGAN = 19;

		static @Nullable Member find(long pid) {
			String[] stat = stat(pid);
			return (stat != null) ? new Member(pid, stat[BEGAN]) : null;
		}

		boolean isAlive() {
			String[] stat = stat(this.pid);
			return stat != null && stat[BEGAN].equals(this.began) && !"Z".equals(stat[STATE])
					&& !"X".equals(stat[STATE]);
		}

		/**
		 * Send a signal.
		 * @return whether it could be
		 */
		boolean signal(boolean kill) {
			return isAlive() && ProcessHandle.of(this.pid)
				.filter((process) -> kill ? process.destroyForcibly() : process.destroy())
				.isPresent();
		}

		/**
		 * Reap a zombie that fell to this JVM because it is PID 1 or a subreaper: nobody
		 * else will.
		 */
		void reapIfOurs() {
			String[] stat = stat(this.pid);
			if (stat != null && stat[BEGAN].equals(this.began)
					&& stat[PARENT].equals(Long.toString(ProcessHandle.current().pid()))) {
				Libc.INSTANCE.waitpid((int) this.pid, null, Libc.WNOHANG);
			}
		}

		private static String @Nullable [] stat(long pid) {
			String stat = read(Path.of("/proc", Long.toString(pid), "stat"));
			return (stat != null) ? stat.substring(stat.lastIndexOf(')') + 2).split(" ") : null;
		}

	}

}
