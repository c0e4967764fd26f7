package io.psych.sandbox.spawn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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

	private final ProcessHandle root;

	/** The same, or {@code null} when it had gone before it was looked at. */
	private final @Nullable Member rootMember;

	/** The init of the tree's own pid namespace, once known. */
	private volatile @Nullable Member init;

	/** What was listed last. */
	private volatile @Nullable List<ProcessEntry> listed;

	/** What was there below the root before there was a program. */
	private volatile Set<Member> founders = Set.of();

	/** Everything that was seen below the root at some time; guarded by itself. */
	private final Set<Member> seen = new HashSet<>();

	/** Who else can end it, or {@code null}. */
	private final @Nullable Owner owner;

	ChildTree(ProcessHandle root) {
		this.root = root;
		this.rootMember = Member.find(root.pid());
		this.owner = null;
	}

	private ChildTree(ProcessHandle init, Owner owner) {
		this.root = init;
		this.rootMember = Member.find(init.pid());
		this.owner = owner;
		this.init = this.rootMember;
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
	 * is there for what the tree consists of: what was listed last, if it was. To be
	 * called while the tree is still trusted.
	 * @param namespace whether the tree has a pid namespace of its own
	 */
	public void adoptInit(boolean namespace) {
		List<ProcessEntry> listed = this.listed;
		List<ProcessEntry> below = (listed != null) ? listed : below(this.root.pid());
		this.founders = below.stream().map(Member::of).collect(Collectors.toUnmodifiableSet());
		if (this.owner != null) {
			if (!namespace) {
				// Not proved to be one: what is below is ended one by one.
				this.init = null;
			}
			return;
		}
		List<ProcessEntry> children = below.stream().filter((entry) -> entry.parent() == this.root.pid()).toList();
		if (namespace && children.size() == 1) {
			this.init = Member.of(children.get(0));
		}
	}

	/**
	 * Return the processes of the tree, its root first.
	 * @return their ids
	 */
	public List<Long> pids() {
		List<ProcessEntry> below = below(this.root.pid());
		this.listed = below;
		List<Long> pids = new ArrayList<>(List.of(this.root.pid()));
		below.forEach((entry) -> pids.add(entry.pid()));
		return pids;
	}

	/**
	 * Return how many processes are running that were not there when the init was
	 * adopted. Those that have ended and were not waited for do not count.
	 * @return the number
	 */
	public int leftRunning() {
		Set<Member> founders = this.founders;
		return (int) members().stream()
			.filter((entry) -> entry.isAlive() && !founders.contains(Member.of(entry)))
			.count();
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
		members().forEach((entry) -> Member.of(entry).signal(false));
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
			// The namespace ends with its init, which ends the others one after the other
			// when it has itself freed what it had.
			if (!init.killWith(this.founders.stream().filter((member) -> !member.equals(init)).toList())
					&& owner != null) {
				owner.kill();
			}
			return;
		}
		below(this.root.pid()).forEach((entry) -> Member.of(entry).signal(true));
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
		Member alive = alive();
		for (long left = most.toNanos(); alive != null && left > 0; left = deadline - System.nanoTime()) {
			alive.awaitEnd(left);
			interrupted |= Thread.interrupted();
			alive = alive();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return alive == null;
	}

	/**
	 * Return whether no process of the tree is left.
	 * @return whether it is empty
	 */
	public boolean isEmpty() {
		return alive() == null;
	}

	/** Return one that has not ended, or {@code null} when all have. */
	private @Nullable Member alive() {
		Member root = this.rootMember;
		if (root != null && root.isAlive()) {
			return root;
		}
		Member init = this.init;
		List<Member> members;
		synchronized (this.seen) {
			members = (init != null) ? List.of(init) : List.copyOf(this.seen);
		}
		for (Member member : members) {
			if (!member.hasEnded()) {
				return member;
			}
		}
		return null;
	}

	/** Those a program may be, or may have started: not what holds its tree together. */
	private List<ProcessEntry> members() {
		Member init = this.init;
		return below((init != null) ? init.pid() : this.root.pid());
	}

	/**
	 * Look at all processes below one, from the top down.
	 */
	private List<ProcessEntry> below(long pid) {
		List<ProcessEntry> found = new ArrayList<>();
		ProcessEntry top = ProcessEntry.find(pid);
		if (top != null) {
			found.addAll(top.children());
		}
		for (int next = 0; next < found.size(); next++) {
			found.addAll(found.get(next).children());
		}
		synchronized (this.seen) {
			found.forEach((entry) -> this.seen.add(Member.of(entry)));
		}
		return found;
	}

}
