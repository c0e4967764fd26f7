package io.psych.sandbox.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.psych.sandbox.limits.ByteSize;
import org.jspecify.annotations.Nullable;

/**
 * A control group that bounds the memory and the number of all processes in it together,
 * those they start included. Memory is what its members used since they were put in: of
 * their own, of the kernel on their behalf, and of files, those of a {@code tmpfs}
 * included. What they had before stays with the group they came from.
 *
 * @since 0.1.0
 */
public final class Cgroup implements AutoCloseable {

	/** The file that lists a group's processes, and takes one to move here. */
	static final String MEMBERS = "cgroup.procs";

	private static final String MOST_PROCESSES = "pids.max";

	/**
	 * A process that is told to be gone holds its group until it has freed its memory.
	 */
	static final Duration EMPTYING = Duration.ofSeconds(2);

	private final Place place;

	/**
	 * Create a new instance for a group that exists, or existed.
	 * @param place its folders
	 */
	Cgroup(Place place) {
		this.place = place;
	}

	/**
	 * Make a group.
	 * @param place its folders
	 * @param memory the bytes its members may use together
	 * @param processes the processes and threads it may have
	 * @return the group
	 * @throws IOException if it can't be made; nothing of it is left
	 */
	static Cgroup create(Place place, ByteSize memory, int processes) throws IOException {
		place.make();
		try {
			Cgroup group = new Cgroup(place);
			group.limit(memory, processes);
			return group;
		}
		catch (IOException ex) {
			place.remove(EMPTYING);
			throw ex;
		}
	}

	/**
	 * Set its limits anew.
	 * @param memory the bytes its members may use together
	 * @param processes the processes and threads it may have
	 * @throws IOException if they can't be set
	 */
	public void limit(ByteSize memory, int processes) throws IOException {
		String bytes = Long.toString(memory.bytes());
		Path folder = this.place.memory();
		Path limit = folder.resolve(this.place.version().memoryLimit());
		Path swap = folder.resolve("memory.memsw.limit_in_bytes");
		if (this.place.version() == CgroupVersion.V2) {
			ControlFile.write(limit, bytes);
			writeIfThere(folder.resolve("memory.swap.max"), "0");
			writeIfThere(folder.resolve("memory.oom.group"), "1");
		}
		else if (!Files.exists(swap)) {
			ControlFile.write(limit, bytes);
			ControlFile.write(folder.resolve("memory.swappiness"), "0");
		}
		else {
			// Bounds memory and swap together, and is never below the bound of memory:
			// lowered last, raised first.
			try {
				ControlFile.write(limit, bytes);
				ControlFile.write(swap, bytes);
			}
			catch (IOException ex) {
				ControlFile.write(swap, bytes);
				ControlFile.write(limit, bytes);
			}
		}
		ControlFile.write(this.place.processes().resolve(MOST_PROCESSES), Integer.toString(processes));
	}

	/** Kernels without accounting for swap, and old ones, lack some of the files. */
	private static boolean writeIfThere(Path file, String value) throws IOException {
		if (!Files.exists(file)) {
			return false;
		}
		ControlFile.write(file, value);
		return true;
	}

	/**
	 * Move a process with all its threads into this group. What it starts from then on
	 * begins in the group; what it started before is not moved with it.
	 * @param pid its id
	 * @return whether it was there to be moved
	 * @throws IOException if it is there and can't be moved
	 */
	public boolean attach(long pid) throws IOException {
		if (pid <= 0) {
			// The kernel takes zero for the one who writes: this JVM.
			throw new IllegalArgumentException("pid must be positive but was " + pid);
		}
		for (Path folder : this.place.folders()) {
			try {
				ControlFile.write(folder.resolve(MEMBERS), Long.toString(pid));
			}
			catch (IOException ex) {
				if (Files.notExists(Path.of("/proc", Long.toString(pid)))) {
					return false;
				}
				throw ex;
			}
		}
		return true;
	}

	/**
	 * Return the files that take a thread, which goes there alone, and what it starts
	 * begins in here. Unlike {@link #attach} a thread that moves itself needs no grace
	 * period of the kernel. Only version 1 can tell threads of a process apart.
	 * @return the file of each controller, none for version 2
	 */
	List<Path> doors() {
		return (this.place.version() == CgroupVersion.V1) ? this.place.doors() : List.of();
	}

	/**
	 * Return whether a process is in this group, for each of the controllers.
	 * @param pid its id
	 * @return whether it is
	 * @throws IOException if the members can't be read
	 */
	public boolean holds(long pid) throws IOException {
		for (Path folder : this.place.folders()) {
			if (!members(folder).contains(pid)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Return which processes are not in this group, for any of the controllers.
	 * @param pids their ids
	 * @return the ids of those
	 * @throws IOException if the members can't be read
	 */
	public Set<Long> outside(Collection<Long> pids) throws IOException {
		Set<Long> outside = new TreeSet<>();
		for (Path folder : this.place.folders()) {
			List<Long> members = members(folder);
			pids.stream().filter((pid) -> !members.contains(pid)).forEach(outside::add);
		}
		return outside;
	}

	/**
	 * Return whether no process is in this group. One that has ended is not, whether or
	 * not its parent has taken note.
	 * @return whether it is empty
	 * @throws IOException if the members can't be read
	 */
	public boolean isEmpty() throws IOException {
		return members().isEmpty();
	}

	/**
	 * Return the processes in this group, for any of the controllers.
	 * @return their ids; zero stands for those this JVM can't see
	 * @throws IOException if the members can't be read
	 */
	public Set<Long> members() throws IOException {
		Set<Long> members = new TreeSet<>();
		for (Path folder : this.place.folders()) {
			members.addAll(members(folder));
		}
		return members;
	}

	private static List<Long> members(Path folder) throws IOException {
		try {
			return ControlFile.numbers(folder.resolve(MEMBERS));
		}
		catch (IOException ex) {
			if (Files.notExists(folder)) {
				// The group has been removed.
				return List.of();
			}
			throw ex;
		}
	}

	/**
	 * End every process in this group, as far as the kernel does that by itself. Where it
	 * does not, no member can start another from here on, and the caller has to end those
	 * returned; to be called until the group is empty.
	 * @return the processes to be ended by the caller, none where the kernel ends them
	 * @throws IOException if the group can't be told to
	 */
	public Set<Long> kill() throws IOException {
		try {
			if (writeIfThere(this.place.processes().resolve("cgroup.kill"), "1")) {
				return Set.of();
			}
			writeIfThere(this.place.processes().resolve(MOST_PROCESSES), "0");
		}
		catch (IOException ex) {
			if (Files.exists(this.place.processes())) {
				throw ex;
			}
		}
		Set<Long> left = members();
		// Those this JVM can't see, nor signal.
		left.remove(0L);
		return left;
	}

	/**
	 * Return how many processes were killed because the group had no memory left.
	 * @return the number
	 * @throws IOException if the kernel does not tell it
	 */
	public long oomKills() throws IOException {
		return ControlFile.count(this.place.memory().resolve(this.place.version().memoryEvents()), "oom_kill");
	}

	/**
	 * Return how many times a member could not start a process or a thread because the
	 * group had as many as it may.
	 * @return the number
	 * @throws IOException if the kernel does not tell it
	 */
	public long processRefusals() throws IOException {
		return ControlFile.count(this.place.processes().resolve("pids.events"), "max");
	}

	/**
	 * Return the most memory that was in use at one time.
	 * @return the amount, or {@code null} when this kernel does not keep it
	 * @throws IOException if what the kernel keeps can't be read
	 */
	public @Nullable ByteSize peakMemory() throws IOException {
		Path file = this.place.memory().resolve(this.place.version().memoryPeak());
		return Files.exists(file) ? ByteSize.ofBytes(ControlFile.number(file)) : null;
	}

	/**
	 * Remove this group, waiting for what is ending in it, at most two seconds. Does
	 * nothing when it has been removed.
	 * @throws IOException if processes are left in it
	 */
	@Override
	public void close() throws IOException {
		close(EMPTYING);
	}

	void close(Duration most) throws IOException {
		this.place.remove(most);
	}

	@Override
	public String toString() {
		return this.place.version() + " " + this.place.folders();
	}

}
