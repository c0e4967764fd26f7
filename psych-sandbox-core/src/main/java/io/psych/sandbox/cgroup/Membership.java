package io.psych.sandbox.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.psych.sandbox.limits.ByteSize;

/**
 * The group that somebody else has put a process into, as this JVM can read it: its
 * limits, and what came of them.
 *
 * @since 0.1.0
 */
public final class Membership {

	private static final String MOST_PROCESSES = "pids.max";

	private final Place place;

	private final Cgroup group;

	private Membership(CgroupVersion version, Path memory, Path processes) {
		this.place = new Place(version, memory, processes);
		this.group = new Cgroup(this.place);
	}

	/**
	 * Find the group of a process.
	 * @param pid its id
	 * @return the group
	 * @throws IOException if it is in none that this JVM can read
	 */
	public static Membership of(long pid) throws IOException {
		List<Hierarchy> hierarchies = Hierarchy.read(Path.of("/proc", Long.toString(pid)), Path.of("/proc/self"));
		for (Hierarchy hierarchy : hierarchies) {
			if (hierarchy.isUnified() && Files.exists(hierarchy.folder().resolve(CgroupVersion.V2.memoryLimit()))) {
				return new Membership(CgroupVersion.V2, hierarchy.folder(), hierarchy.folder());
			}
		}
		return new Membership(CgroupVersion.V1, folder(hierarchies, "memory"), folder(hierarchies, "pids"));
	}

	private static Path folder(List<Hierarchy> hierarchies, String controller) throws IOException {
		for (Hierarchy hierarchy : hierarchies) {
			if (hierarchy.controllers().contains(controller)) {
				return hierarchy.folder();
			}
		}
		throw new IOException("no control group with the controller " + controller + " can be read");
	}

	/**
	 * Return whether the group is held to limits, or to lower ones.
	 * @param bytes the bytes its members may use together
	 * @param count the processes and threads it may have
	 * @return whether both are set
	 * @throws IOException if the kernel does not tell them
	 */
	public boolean isHeldTo(long bytes, int count) throws IOException {
		return limit(this.place.memory().resolve(this.place.version().memoryLimit())) <= bytes
				&& limit(this.place.processes().resolve(MOST_PROCESSES)) <= count;
	}

	/** The kernel writes {@code max}, or in version 1 a number beyond all memory. */
	private static long limit(Path file) throws IOException {
		String text = ControlFile.read(file);
		return text.matches("\\d{1,18}") ? Long.parseLong(text) : Long.MAX_VALUE;
	}

	/**
	 * Set the limits anew.
	 * @param memory the bytes its members may use together
	 * @param processes the processes and threads it may have
	 * @throws IOException if this JVM can't set them
	 */
	public void limit(ByteSize memory, int processes) throws IOException {
		this.group.limit(memory, processes);
	}

	/**
	 * Return how many processes were killed because the group had no memory left.
	 * @return the number
	 * @throws IOException if the kernel does not tell it, or the group is gone
	 */
	public long oomKills() throws IOException {
		return this.group.oomKills();
	}

	@Override
	public String toString() {
		return this.group.toString();
	}

}
