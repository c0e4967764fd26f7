package io.psych.sandbox.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * Where groups with limits can be made.
 *
 * @param version how limits are set there
 * @param memory the folder to make groups in that limit memory
 * @param processes the folder to make groups in that limit processes, the same for
 * version 2
 */
record Place(CgroupVersion version, Path memory, Path processes) {

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final List<String> CONTROLLERS = List.of("memory", "pids");

	private static final String CONTROL = "cgroup.subtree_control";

	/** Set by systemd on what it delegates (systemd.resource-control(5)). */
	private static final String DELEGATED = "user.delegate";

	private static final String DELEGATE = "Run the service in a group below one that is delegated to it: with systemd,"
			+ " set Delegate=yes and DelegateSubgroup=main; in a container, mount cgroup v2 writable, and have the"
			+ " entry point move itself into a group below the root before it starts the service.";

	/**
	 * Return the place in the unified hierarchy.
	 * @param hierarchies what is mounted
	 * @return the place, whose groups can have both controllers
	 * @throws CgroupsAbsentException if there is none
	 * @throws IOException if a file of the hierarchy can't be read or written
	 */
	static Place unified(List<Hierarchy> hierarchies) throws CgroupsAbsentException, IOException {
		for (Hierarchy hierarchy : hierarchies) {
			if (hierarchy.isUnified()) {
				List<String> offered = ControlFile.words(hierarchy.mountPoint().resolve("cgroup.controllers"));
				if (!offered.containsAll(CONTROLLERS)) {
					throw new CgroupsAbsentException(
							"the hierarchy at %s offers no memory and pids controllers, only %s"
								.formatted(hierarchy.mountPoint(), offered),
							null);
				}
				Path folder = limitable(hierarchy);
				enable(folder);
				return new Place(CgroupVersion.V2, folder, folder);
			}
		}
		throw new CgroupsAbsentException("no mounted hierarchy shows the group of this JVM",
				"Mount the cgroup2 file system at /sys/fs/cgroup.");
	}

	/**
	 * A group that holds processes can't have limited groups below it, so it is not in
	 * the group of this JVM that groups are made, the kernel's root group being the
	 * exception. To move this JVM into another is for who started it.
	 */
	private static Path limitable(Hierarchy hierarchy) throws CgroupsAbsentException, IOException {
		Path own = hierarchy.folder();
		if (isKernelRoot(own)) {
			return own;
		}
		Path top = hierarchy.mountPoint();
		for (Path group = own.getParent(); group != null && group.startsWith(top); group = group.getParent()) {
			if (isDelegated(group, top)) {
				requireUsable(group);
				return group;
			}
		}
		throw new CgroupsAbsentException(own + " holds this JVM, so the kernel lets no group in it have limits, and no"
				+ " group above it is delegated to this JVM", DELEGATE);
	}

	private static boolean isKernelRoot(Path group) {
		return !Files.exists(group.resolve("cgroup.type"));
	}

	private static boolean isDelegated(Path group, Path top) throws IOException {
		// What is mounted as the top of a container is the container's.
		if (group.equals(top)) {
			return !isKernelRoot(group);
		}
		Object owner = Files.getAttribute(group, "unix:uid");
		boolean handedOver = !owner.equals(0) && owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
		return handedOver || "1".equals(attribute(group, DELEGATED));
	}

	private static @Nullable String attribute(Path file, String name) {
		try {
			return new String((byte[]) Files.getAttribute(file, name.replace('.', ':')), StandardCharsets.UTF_8);
		}
		catch (IOException | UnsupportedOperationException ex) {
			// Not set, or not kept by this kernel: there is no telling one from the
			// other.
			return null;
		}
	}

	private static void requireUsable(Path group) throws CgroupsAbsentException, IOException {
		List<String> offered = ControlFile.words(group.resolve("cgroup.controllers"));
		if (!offered.containsAll(CONTROLLERS)) {
			throw new CgroupsAbsentException(
					"%s is delegated to this JVM without memory and pids controllers, only with %s".formatted(group,
							offered),
					"Delegate both: with systemd, set Delegate=memory pids.");
		}
		Path members = group.resolve(Cgroup.MEMBERS);
		if (!ControlFile.words(members).isEmpty()) {
			throw new CgroupsAbsentException(group
					+ " is delegated to this JVM, but holds processes, so the kernel lets no group in it have limits",
					DELEGATE);
		}
		// A process is moved by who may write here, in the nearest group above both ends.
		if (!Files.isWritable(members)) {
			throw new CgroupsAbsentException(
					members + " can't be written, so no process can be moved into a group below it",
					"Delegate the file together with its folder, and mount the hierarchy writable.");
		}
	}

	/**
	 * Let groups in a folder have limits.
	 */
	static void enable(Path folder) throws IOException {
		Path control = folder.resolve(CONTROL);
		if (!ControlFile.words(control).containsAll(CONTROLLERS)) {
			ControlFile.write(control, "+memory +pids");
		}
	}

	/**
	 * Return the place in the hierarchies of version 1.
	 * @param hierarchies what is mounted
	 * @return the place
	 * @throws CgroupsAbsentException if there is none
	 */
	static Place separate(List<Hierarchy> hierarchies) throws CgroupsAbsentException {
		return new Place(CgroupVersion.V1, folder(hierarchies, "memory"), folder(hierarchies, "pids"));
	}

	private static Path folder(List<Hierarchy> hierarchies, String controller) throws CgroupsAbsentException {
		for (Hierarchy hierarchy : hierarchies) {
			if (hierarchy.controllers().contains(controller)) {
				return hierarchy.folder();
			}
		}
		throw new CgroupsAbsentException(
				"no mounted hierarchy of the " + controller + " controller shows the group of this JVM", null);
	}

	/**
	 * Return the folders, each once.
	 */
	List<Path> folders() {
		return this.memory.equals(this.processes) ? List.of(this.memory) : List.of(this.memory, this.processes);
	}

	/**
	 * Return the files that take a thread, of version 1.
	 */
	List<Path> doors() {
		return folders().stream().map((folder) -> folder.resolve("tasks")).toList();
	}

	/**
	 * Return the place of groups in a group.
	 */
	Place in(String group) {
		return new Place(this.version, this.memory.resolve(group), this.processes.resolve(group));
	}

	/**
	 * Make the folders.
	 * @throws IOException if one can't be made; none is left
	 */
	void make() throws IOException {
		for (Path folder : folders()) {
			try {
				Files.createDirectory(folder);
			}
			catch (IOException ex) {
				if (!folder.equals(this.memory)) {
					Files.deleteIfExists(this.memory);
				}
				throw new IOException("the group " + folder + " can't be made: " + ControlFile.reason(ex), ex);
			}
		}
	}

	/**
	 * Remove the folders, waiting for what is ending in them. Those that are gone are
	 * removed.
	 * @param most how long to wait
	 * @throws IOException if one can't be removed
	 */
	void remove(Duration most) throws IOException {
		long deadline = System.nanoTime() + most.toNanos();
		IOException failure = null;
		for (Path folder : folders()) {
			try {
				remove(folder, deadline);
			}
			catch (FileSystemException ex) {
				IOException told = new IOException(
						"the group " + folder + " can't be removed: " + ControlFile.reason(ex), ex);
				if (failure != null) {
					told.addSuppressed(failure);
				}
				failure = told;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	private static void remove(Path folder, long deadline) throws IOException {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					Files.deleteIfExists(folder);
					return;
				}
				catch (FileSystemException ex) {
					if (ex instanceof AccessDeniedException || System.nanoTime() - deadline >= 0) {
						throw ex;
					}
				}
				LockSupport.parkNanos(POLL_NANOS);
				interrupted |= Thread.interrupted();
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
