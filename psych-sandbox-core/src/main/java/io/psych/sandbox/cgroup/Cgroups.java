package io.psych.sandbox.cgroup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

import io.psych.sandbox.limits.ByteSize;
import org.jspecify.annotations.Nullable;

/**
 * Makes control groups for the executions of one sandbox, all in one group of its own
 * that tells whose it is. A program must not be able to write to their files: it could
 * leave its group where it runs as the user of this JVM.
 *
 * @since 0.1.0
 */
public final class Cgroups implements AutoCloseable {

	private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

	/** No file of the kernel begins like this. */
	private static final String EXECUTION = "run-";

	private static final String SPARE = "next-";

	/** Where the kernel tells the groups this JVM is in. */
	private static final Path TOLD = Path.of("/proc/self/cgroup");

	private static final Path THREAD = Path.of("/proc/thread-self");

	private static final Path TOLD_OF_THREAD = THREAD.resolve("cgroup");

	/** The largest page Linux has; below a page the kernel rounds to nothing. */
	private static final ByteSize LEAST_MEMORY = ByteSize.ofKibibytes(64);

	private final Place parent;

	private final Owner owner;

	private final Place own;

	/** A group that nobody is in yet. */
	private final AtomicReference<@Nullable Spare> spare = new AtomicReference<>();

	private final AtomicLong prepared = new AtomicLong();

	/** Where this JVM is, of one hierarchy that is used. */
	private final Path home;

	/** The groups of this JVM when it was seen at home, for the thread that announces. */
	private volatile String toldAtHome = "";

	/** Where the thread is that goes into groups, of version 1. */
	private volatile Rest rest = new Rest("", List.of());

	private final AtomicBoolean announcing = new AtomicBoolean();

	private volatile boolean closed;

	/**
	 * A group that was made ahead.
	 *
	 * @param group the group
	 * @param memory the bytes its members may use together
	 * @param processes the processes and threads it may have
	 */
	private record Spare(Cgroup group, ByteSize memory, int processes) {

	}

	/**
	 * Where a thread is when it is in no execution's group.
	 *
	 * @param told what the kernel tells of its groups there
	 * @param doors the files that take it back
	 */
	private record Rest(String told, List<Path> doors) {

	}

	private Cgroups(Path home, Place parent, Owner owner, Place own) {
		this.home = home;
		this.parent = parent;
		this.owner = owner;
		this.own = own;
	}

	/**
	 * Find out whether this JVM can make control groups, by making and removing one.
	 * Version 2 is taken where both can be had.
	 * @return makes groups
	 * @throws CgroupsAbsentException if it can't, with the reason
	 */
	public static Cgroups find() throws CgroupsAbsentException {
		return find(Path.of("/proc/self"));
	}

	static Cgroups find(Path process) throws CgroupsAbsentException {
		List<Hierarchy> hierarchies;
		try {
			hierarchies = Hierarchy.read(process);
		}
		catch (IOException ex) {
			throw new CgroupsAbsentException(
					"the kernel does not tell the control groups of this JVM: " + ex.getMessage(), null);
		}
		CgroupsAbsentException second;
		try {
			return prove(CgroupVersion.V2, hierarchies);
		}
		catch (CgroupsAbsentException ex) {
			second = ex;
		}
		try {
			return prove(CgroupVersion.V1, hierarchies);
		}
		catch (CgroupsAbsentException ex) {
			throw new CgroupsAbsentException(second.getMessage() + "; " + ex.getMessage(),
					(second.remedy() != null) ? second.remedy() : ex.remedy());
		}
	}

	private static Cgroups prove(CgroupVersion version, List<Hierarchy> hierarchies) throws CgroupsAbsentException {
		String remedy = null;
		try {
			Place place = (version == CgroupVersion.V2) ? Place.unified(hierarchies) : Place.separate(hierarchies);
			remedy = "Run the service as root, or as the owner of %s, and mount them writable."
				.formatted(place.folders());
			return open(home(version, hierarchies), place);
		}
		catch (CgroupsAbsentException ex) {
			throw new CgroupsAbsentException(version + ": " + ex.getMessage(), ex.remedy());
		}
		catch (IOException ex) {
			throw new CgroupsAbsentException(version + ": " + ex.getMessage(), remedy);
		}
	}

	private static Path home(CgroupVersion version, List<Hierarchy> hierarchies) {
		return hierarchies.stream()
			.filter((hierarchy) -> (version == CgroupVersion.V2) ? hierarchy.isUnified()
					: hierarchy.controllers().contains("pids"))
			.findFirst()
			.orElseThrow()
			.folder();
	}

	private static Cgroups open(Path home, Place parent) throws IOException {
		byte[] random = new byte[6];
		new SecureRandom().nextBytes(random);
		Owner owner = Owner.current();
		Cgroups cgroups = new Cgroups(home, parent, owner, parent.in(owner.group(HexFormat.of().formatHex(random))));
		cgroups.own.make();
		try {
			if (parent.version() == CgroupVersion.V2) {
				Place.enable(cgroups.own.memory());
			}
			cgroups.attempt();
			return cgroups;
		}
		catch (IOException ex) {
			cgroups.close();
			throw ex;
		}
	}

	/**
	 * Make a group with limits, read what is told of it, and remove it.
	 */
	private void attempt() throws IOException {
		try (Cgroup group = create("trial", ByteSize.ofMebibytes(16), 8)) {
			group.oomKills();
			group.processRefusals();
			group.peakMemory();
			group.members();
		}
	}

	/**
	 * Return the version that is used.
	 * @return the version
	 */
	public CgroupVersion version() {
		return this.parent.version();
	}

	/**
	 * Return the folders of the group that holds all groups made here.
	 * @return the folder in each hierarchy that is used
	 */
	public List<Path> folders() {
		return this.own.folders();
	}

	/**
	 * Make a group for an execution.
	 * @param name tells it from others made here: lower-case letters, digits and hyphens
	 * @param memory the bytes its members may use together, at least those of a page
	 * @param processes the processes and threads it may have at once, at least one
	 * @return the group
	 * @throws IOException if it can't be made; nothing of it is left
	 */
	public Cgroup create(String name, ByteSize memory, int processes) throws IOException {
		if (!NAME.matcher(name).matches()) {
			throw new IllegalArgumentException("name must match " + NAME + " but was '" + name + "'");
		}
		if (memory.compareTo(LEAST_MEMORY) < 0) {
			throw new IllegalArgumentException("memory must be at least " + LEAST_MEMORY + " but was " + memory);
		}
		if (processes < 1) {
			throw new IllegalArgumentException("processes must be at least 1 but was " + processes);
		}
		Spare spare = this.spare.getAndSet(null);
		if (spare == null) {
			return Cgroup.create(this.own.in(EXECUTION + name), memory, processes);
		}
		if (!spare.memory().equals(memory) || spare.processes() != processes) {
			try {
				spare.group().limit(memory, processes);
			}
			catch (IOException ex) {
				spare.group().close();
				throw ex;
			}
		}
		return spare.group();
	}

	/**
	 * Make the next group ahead, so that whoever needs it does not wait for it. Its
	 * limits are a guess, and are set anew when they turn out to be wrong.
	 * @param memory the bytes its members may probably use together
	 * @param processes the processes and threads it may probably have
	 * @throws IOException if it can't be made; nothing of it is left
	 */
	public void prepare(ByteSize memory, int processes) throws IOException {
		if (this.closed || this.spare.get() != null) {
			return;
		}
		String name = SPARE + Long.toString(this.prepared.incrementAndGet(), Character.MAX_RADIX);
		Cgroup group = Cgroup.create(this.own.in(name), memory, processes);
		if (!this.spare.compareAndSet(null, new Spare(group, memory, processes))) {
			group.close();
		}
	}

	/**
	 * Return whether a thread can go into a group alone, which version 1 lets it.
	 * @return whether it can
	 */
	public boolean takesThreads() {
		return version() == CgroupVersion.V1;
	}

	/**
	 * Let the calling thread go into a group, so that what it starts begins in there. It
	 * must not start a thread of this JVM's before it has come back.
	 * @param group the group
	 * @return lets it come back to where it was
	 * @throws IOException if it can't go there; it is where it was
	 */
	public Closeable enter(Cgroup group) throws IOException {
		List<Path> back = rest().doors();
		try {
			move(group.doors());
		}
		catch (IOException ex) {
			move(back);
			throw ex;
		}
		return () -> move(back);
	}

	/** The kernel takes zero for the thread that writes it. */
	private static void move(List<Path> doors) throws IOException {
		for (Path door : doors) {
			ControlFile.write(door, "0");
		}
	}

	/** Somebody may have moved this JVM, and the thread with it, since the last time. */
	private Rest rest() throws IOException {
		String told = ControlFile.read(TOLD_OF_THREAD);
		Rest rest = this.rest;
		if (!told.equals(rest.told())) {
			try {
				rest = new Rest(told, Place.separate(Hierarchy.read(THREAD)).doors());
			}
			catch (CgroupsAbsentException ex) {
				throw new IOException(ex.getMessage(), ex);
			}
			this.rest = rest;
		}
		return rest;
	}

	/**
	 * Say that a process is about to be moved. A kernel that has moved none for a while
	 * lets all processors come by first, which takes it some ten milliseconds; they pass
	 * while the process is being started, if it is told before. It has to be told by a
	 * move: this JVM is moved to where it is. To be called where nobody waits.
	 * @throws IOException if it may not move itself; the next move takes longer then
	 */
	public void announceMove() throws IOException {
		if (!this.announcing.compareAndSet(false, true)) {
			return;
		}
		try {
			long pid = ProcessHandle.current().pid();
			if (isAtHome(pid)) {
				ControlFile.write(this.home.resolve(Cgroup.MEMBERS), Long.toString(pid));
			}
		}
		finally {
			this.announcing.set(false);
		}
	}

	/**
	 * Somebody may have moved it elsewhere meanwhile. All members of its group are not
	 * listed anew for as long as the kernel tells the same groups of it.
	 */
	private boolean isAtHome(long pid) throws IOException {
		String told = ControlFile.read(TOLD);
		if (!told.equals(this.toldAtHome)) {
			if (!ControlFile.numbers(this.home.resolve(Cgroup.MEMBERS)).contains(pid)) {
				return false;
			}
			this.toldAtHome = told;
		}
		return true;
	}

	/**
	 * Remove the groups that dead JVMs left where this one makes its own. Groups of a
	 * living one, of one in another pid namespace, of another user and of anybody else
	 * are not touched.
	 * @return what came of it
	 * @throws IOException if the groups can't be listed
	 */
	public Leftovers removeLeftovers() throws IOException {
		int removed = 0;
		Set<Long> processes = new TreeSet<>();
		List<String> failures = new ArrayList<>();
		for (String name : namesIn(this.parent)) {
			if (isLeftover(name)) {
				try {
					if (remove(this.parent.in(name), processes)) {
						removed++;
					}
				}
				catch (IOException ex) {
					failures.add(String.valueOf(ex.getMessage()));
				}
			}
		}
		return new Leftovers(removed, processes, failures);
	}

	private boolean isLeftover(String name) throws IOException {
		Owner maker = Owner.of(name);
		if (maker == null || !maker.isDeadFor(this.owner)) {
			return false;
		}
		Object user = Files.getAttribute(this.own.memory(), "unix:uid");
		for (Path folder : this.parent.in(name).folders()) {
			try {
				if (!Files.getAttribute(folder, "unix:uid").equals(user)) {
					return false;
				}
			}
			catch (NoSuchFileException ex) {
				// Another JVM may be removing the same.
			}
		}
		return true;
	}

	private static boolean remove(Place leftover, Set<Long> processes) throws IOException {
		boolean empty = true;
		for (String name : namesIn(leftover)) {
			Cgroup group = new Cgroup(leftover.in(name));
			Set<Long> left = group.kill();
			if (left.isEmpty()) {
				group.close();
			}
			processes.addAll(left);
			empty &= left.isEmpty();
		}
		if (empty) {
			leftover.remove(Cgroup.EMPTYING);
		}
		return empty;
	}

	/**
	 * Return the groups of all folders of a place.
	 */
	private static Set<String> namesIn(Place place) throws IOException {
		Set<String> names = new TreeSet<>();
		for (Path folder : place.folders()) {
			try (DirectoryStream<Path> groups = Files.newDirectoryStream(folder, Files::isDirectory)) {
				groups.forEach((group) -> names.add(group.getFileName().toString()));
			}
			catch (NoSuchFileException ex) {
				// Another JVM may be removing the same.
			}
			catch (DirectoryIteratorException ex) {
				if (!(ex.getCause() instanceof NoSuchFileException)) {
					throw ex.getCause();
				}
			}
		}
		return names;
	}

	/**
	 * Remove the group of all groups made here, which must have been closed.
	 * @throws IOException if one is left
	 */
	@Override
	public void close() throws IOException {
		this.closed = true;
		Spare spare = this.spare.getAndSet(null);
		if (spare != null) {
			spare.group().close();
		}
		this.own.remove(Cgroup.EMPTYING);
	}

	@Override
	public String toString() {
		return version() + " " + folders();
	}

	/**
	 * What came of removing the groups of dead JVMs.
	 *
	 * @param removed how many JVMs' groups were removed
	 * @param processes what still lives in others, can't start anything any more, and has
	 * to be ended by the caller before these can be removed
	 * @param failures what could not be removed, and why
	 */
	public record Leftovers(int removed, Set<Long> processes, List<String> failures) {

		public Leftovers {
			processes = Set.copyOf(processes);
			failures = List.copyOf(failures);
		}

	}

}
