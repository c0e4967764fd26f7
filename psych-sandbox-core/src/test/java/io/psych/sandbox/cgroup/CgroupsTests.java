package io.psych.sandbox.cgroup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.Spawner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Control groups of the kernel this runs on, of whichever version it has.
 */
@Tag("once")
@Timeout(60)
class CgroupsTests {

	private static final ByteSize MEMORY = ByteSize.ofMebibytes(64);

	private static final String ALLOCATE = "blob = bytearray(%d << 20)";

	private static final String WRITE = """
			with open('%s', 'wb') as file:
			    for _ in range(40):
			        file.write(bytes(1 << 20))
			""";

	private Cgroups cgroups;

	@BeforeEach
	void findCgroups() throws IOException {
		try {
			this.cgroups = Cgroups.find();
		}
		catch (CgroupsAbsentException ex) {
			// What find says is what is tested, so it must not be what skips the test.
			boolean evident = isRoot() && Files.isWritable(Path.of("/sys/fs/cgroup/memory"))
					&& Files.isWritable(Path.of("/sys/fs/cgroup/pids"));
			assertThat(evident).as("version 1 is there for root, but: %s", ex.getMessage()).isFalse();
			Assumptions.abort("This host has none: " + ex.getMessage());
		}
	}

	@AfterEach
	void removeOwnGroup() throws IOException {
		if (this.cgroups != null) {
			this.cgroups.close();
			assertThat(this.cgroups.folders()).allSatisfy((folder) -> assertThat(folder).doesNotExist());
		}
	}

	@Test
	void findMakesGroupOfOwnAndLeavesNoTrial() {
		assertThat(this.cgroups.folders()).isNotEmpty().allSatisfy((folder) -> {
			assertThat(folder).isDirectory();
			assertThat(folder.getFileName().toString()).startsWith("psych-sandbox-");
			assertThat(folder).isDirectoryNotContaining(Files::isDirectory);
		});
		assertThat(this.cgroups).hasToString(this.cgroups.version() + " " + this.cgroups.folders());
	}

	@Test
	void createWhenMembersTogetherExceedMemoryKillsAndCounts() throws IOException {
		try (Cgroup group = create(8); Worker first = Worker.startIn(group); Worker second = Worker.startIn(group)) {
			assertThat(first.run(ALLOCATE.formatted(40))).isEqualTo("done");
			assertThat(group.oomKills()).isZero();
			second.run(ALLOCATE.formatted(40));
			boolean firstLives = "done".equals(first.run("pass"));
			boolean secondLives = "done".equals(second.run("pass"));
			assertThat(firstLives && secondLives).isFalse();
			assertThat(group.oomKills()).isPositive();
			assertThat(group.peakMemory()).isBetween(ByteSize.ofMebibytes(40), MEMORY);
			first.close();
			second.close();
		}
	}

	@Test
	void createWhenProcessIsNotAttachedDoesNotBoundIt() throws IOException {
		try (Cgroup group = create(8); Worker worker = Worker.start()) {
			assertThat(worker.run(ALLOCATE.formatted(100))).isEqualTo("done");
			assertThat(group.oomKills()).isZero();
		}
	}

	@Test
	void createCountsFilesInMemory() throws IOException {
		Path file = Path.of("/dev/shm", "psych-sandbox-test-" + ProcessHandle.current().pid());
		try (Cgroup group = create(8)) {
			try (Worker worker = Worker.startIn(group)) {
				assertThat(worker.run(WRITE.formatted(file))).isEqualTo("done");
			}
			// The writer and its own memory are gone, the file is not.
			try (Worker worker = Worker.startIn(group)) {
				assertThat(worker.run(ALLOCATE.formatted(40))).isNull();
				assertThat(group.oomKills()).isPositive();
			}
		}
		finally {
			Files.delete(file);
		}
	}

	@Test
	void createBoundsSwapWithMemory() throws IOException {
		try (Cgroup group = create(8)) {
			Path folder = this.cgroups.folders().get(0).resolve("run-test");
			if (this.cgroups.version() == CgroupVersion.V1
					&& Files.exists(folder.resolve("memory.memsw.limit_in_bytes"))) {
				assertThat(folder.resolve("memory.memsw.limit_in_bytes")).hasContent("67108864");
			}
			else if (this.cgroups.version() == CgroupVersion.V1) {
				assertThat(folder.resolve("memory.swappiness")).hasContent("0");
			}
			else if (Files.exists(folder.resolve("memory.swap.max"))) {
				assertThat(folder.resolve("memory.swap.max")).hasContent("0");
			}
			assertThat(group.isEmpty()).isTrue();
		}
	}

	@Test
	void createWhenMembersReachProcessesRefusesForksAndThreadsOfThemAlone() throws IOException {
		String forkAll = """
				pids = []
				try:
				    while True:
				        pid = os.fork()
				        if pid == 0:
				            time.sleep(60)
				            os._exit(0)
				        pids.append(pid)
				except BlockingIOError:
				    answer = len(pids)
				""";
		try (Cgroup group = create(8); Worker worker = Worker.startIn(group); Worker other = Worker.start()) {
			assertThat(worker.run(forkAll)).isEqualTo("7");
			assertThat(group.processRefusals()).isEqualTo(1);
			assertThat(worker.run("import _thread\n_thread.start_new_thread(time.sleep, (60,))"))
				.isEqualTo("RuntimeError");
			assertThat(group.processRefusals()).isEqualTo(2);
			assertThat(group.members()).hasSize(8).contains(worker.pid());
			assertThat(other.run("pid = os.fork()\nif pid == 0: os._exit(0)\nanswer = os.waitpid(pid, 0)[1]"))
				.isEqualTo("0");
			end(group);
		}
	}

	@Test
	void attachOfEachProcessOfTreeHoldsAllAndThoseTheyStart() throws IOException {
		String forkTwice = """
				out, into = os.pipe()
				pid = os.fork()
				if pid == 0:
				    os.setsid()
				    grandchild = os.fork()
				    if grandchild == 0:
				        time.sleep(60)
				        os._exit(0)
				    os.write(into, str(grandchild).encode())
				    os.close(into)
				    time.sleep(60)
				    os._exit(0)
				answer = f"{pid} {os.read(out, 20).decode()}"
				""";
		String forkOnce = "pid = os.fork()\nif pid == 0:\n    time.sleep(60)\n    os._exit(0)\nanswer = pid";
		try (Cgroup group = create(8); Worker worker = Worker.start()) {
			List<Long> tree = new ArrayList<>(List.of(worker.pid()));
			for (String pid : String.valueOf(worker.run(forkTwice)).split(" ")) {
				tree.add(Long.parseLong(pid));
			}
			assertThat(tree).hasSize(3);
			for (long pid : tree) {
				assertThat(group.holds(pid)).isFalse();
				assertThat(group.attach(pid)).isTrue();
				assertThat(group.holds(pid)).isTrue();
			}
			long late = Long.parseLong(String.valueOf(worker.run(forkOnce)));
			assertThat(group.holds(late)).isTrue();
			assertThat(group.members()).containsExactlyInAnyOrder(tree.get(0), tree.get(1), tree.get(2), late);
			assertThat(group.holds(ProcessHandle.current().pid())).isFalse();
			end(group);
		}
	}

	@Test
	void attachWhenProcessHasGoneSaysSo() throws IOException {
		Worker worker = Worker.start();
		worker.close();
		try (Cgroup group = create(8)) {
			assertThat(group.attach(worker.pid())).isFalse();
			assertThat(group.holds(worker.pid())).isFalse();
		}
	}

	@Test
	void attachWhenPidWouldMeanThisJvmIsRefused() throws IOException {
		try (Cgroup group = create(8)) {
			assertThatIllegalArgumentException().isThrownBy(() -> group.attach(0))
				.withMessage("pid must be positive but was 0");
			assertThat(group.isEmpty()).isTrue();
		}
	}

	@Test
	void whatAThreadInTheGroupStartsIsInThereAndNoThreadIsLeft() throws Exception {
		try (Cgroup group = create(8)) {
			assertThat(this.cgroups.takesThreads()).isEqualTo(this.cgroups.version() == CgroupVersion.V1);
			Assumptions.assumeTrue(this.cgroups.takesThreads(), "Version 2 does not tell threads of a process apart");
			Set<String> before = groupsOfThreads();
			ChildCommand command = new ChildCommand(List.of("/bin/sh", "-c", "cat /proc/self/cgroup; cat"), Map.of(),
					Path.of("/"))
				.within(() -> enter(group));
			try (ChildProcess child = new Spawner().start(command)) {
				assertThat(child.exit().get(20, TimeUnit.SECONDS).code()).isZero();
				assertThat(child.said(child.stdout()).lines())
					.filteredOn((line) -> line.matches("\\d+:(memory|pids):.*/run-test"))
					.hasSize(2);
			}
			assertThat(group.members()).isEmpty();
			assertThat(groupsOfThreads()).isEqualTo(before);
		}
	}

	@Test
	void aThreadThatCanNotEnterIsWhereItWas() throws Exception {
		Cgroup gone = create(8);
		Assumptions.assumeTrue(this.cgroups.takesThreads(), "Version 2 does not tell threads of a process apart");
		gone.close();
		Set<String> before = groupsOfThreads();
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.cgroups.enter(gone))
			.withMessageContaining("run-test");
		assertThat(groupsOfThreads()).isEqualTo(before);
	}

	private Closeable enter(Cgroup group) {
		try {
			return this.cgroups.enter(group);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Set<String> groupsOfThreads() throws IOException {
		Set<String> groups = new TreeSet<>();
		try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
			for (Path thread : threads.toList()) {
				try {
					groups.add(ControlFile.read(thread.resolve("cgroup")));
				}
				catch (IOException ex) {
					// It has ended since it was listed.
					assertThat(thread).doesNotExist();
				}
			}
		}
		return groups;
	}

	@Test
	void announcedMoveLeavesThisJvmWhereItIs() throws IOException {
		String before = ControlFile.read(Path.of("/proc/self/cgroup"));
		this.cgroups.announceMove();
		assertThat(ControlFile.read(Path.of("/proc/self/cgroup"))).isEqualTo(before);
		try (Cgroup group = create(8); Worker worker = Worker.startIn(group)) {
			assertThat(group.holds(worker.pid())).isTrue();
		}
	}

	@Test
	void holdsWhenOnlyOneControllerHasProcessIsFalse() throws IOException {
		Assumptions.assumeTrue(this.cgroups.version() == CgroupVersion.V1,
				"Version 2 has one folder for all controllers");
		for (Path folder : this.cgroups.folders()) {
			try (Cgroup group = create(8); Worker worker = Worker.start()) {
				Files.writeString(folder.resolve("run-test/cgroup.procs"), Long.toString(worker.pid()));
				assertThat(group.holds(worker.pid())).isFalse();
				assertThat(group.members()).containsExactly(worker.pid());
				worker.close();
			}
		}
	}

	@Test
	void killEndsTreeThatForksFasterThanItIsListed() throws IOException {
		// None begins before all are there: chains take all the places of the group, for
		// those too that have ended and that nobody has taken notice of.
		String chains = """
				end = time.monotonic() + 50
				begin, begun = os.pipe()
				for _ in range(3):
				    if os.fork() == 0:
				        os.setsid()
				        os.close(begun)
				        os.read(begin, 1)
				        while time.monotonic() < end:
				            try:
				                if os.fork(): os._exit(0)
				            except BlockingIOError:
				                pass
				        os._exit(0)
				os.close(begun)
				""";
		try (Cgroup group = create(8); Worker worker = Worker.startIn(group)) {
			assertThat(worker.run(chains)).isEqualTo("done");
			Set<Long> before = group.members();
			while (before.size() < 2) {
				// A process that forks and ends while the list is read may be in it
				// neither before nor after.
				before = group.members();
			}
			end(group);
			assertThat(group.isEmpty()).isTrue();
		}
	}

	@Test
	void killOnVersion2WithoutLimitsEndsTree() throws Exception {
		Path own = Hierarchy.read(Path.of("/proc/self"))
			.stream()
			.filter(Hierarchy::isUnified)
			.map(Hierarchy::folder)
			.findFirst()
			.orElse(null);
		Assumptions.assumeTrue(own != null && Files.isWritable(own), "This host has no writable group of version 2");
		// Also where its memory and pids are with version 1, version 2 holds and kills.
		Place place = new Place(CgroupVersion.V2, own, own).in("psych-sandbox-test");
		place.make();
		try (Cgroup group = new Cgroup(place); Worker worker = Worker.startIn(group)) {
			assertThat(worker.run("if os.fork() == 0:\n    os.setsid()\n    time.sleep(60)")).isEqualTo("done");
			assertThat(group.members()).hasSize(2).contains(worker.pid());
			assertThat(group.holds(worker.pid())).isTrue();
			assertThat(group.kill()).isEmpty();
			assertThat(worker.run("pass")).isNull();
		}
		assertThat(place.memory()).doesNotExist();
	}

	@Test
	void unifiedWhenVersion1HasControllersSaysSo() throws IOException {
		List<Hierarchy> hierarchies = Hierarchy.read(Path.of("/proc/self"));
		Assumptions.assumeTrue(
				this.cgroups.version() == CgroupVersion.V1 && hierarchies.stream().anyMatch(Hierarchy::isUnified),
				"This host is not one that has both versions mounted and its controllers with version 1");
		assertThatExceptionOfType(CgroupsAbsentException.class).isThrownBy(() -> Place.unified(hierarchies))
			.withMessageMatching("the hierarchy at /\\S+ offers no memory and pids controllers, only \\[.*]");
	}

	@Test
	void closeWhileMemberStillExitsWaitsForIt() throws IOException {
		Cgroup group = this.cgroups.create("test", ByteSize.ofMebibytes(512), 8);
		try (Worker worker = Worker.startIn(group)) {
			assertThat(worker.run(ALLOCATE.formatted(300))).isEqualTo("done");
			worker.kill();
			group.close();
			assertThat(group.isEmpty()).isTrue();
			group.close();
		}
	}

	@Test
	void closeWhenMemberLivesFailsAfterItsBoundAndCanBeRepeated() throws IOException {
		Cgroup group = create(8);
		try (Worker worker = Worker.startIn(group)) {
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> group.close(Duration.ofMillis(20)))
				.withMessageMatching("the group /\\S+/run-test can't be removed: .+");
			assertThat(group.holds(worker.pid())).isTrue();
		}
		group.close();
	}

	@Test
	void closeWhenInterruptedStillWaitsAndKeepsInterrupt() throws IOException {
		Cgroup group = create(8);
		try (Worker worker = Worker.startIn(group)) {
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> group.close(Duration.ofMillis(20)));
			assertThat(Thread.interrupted()).isTrue();
			assertThat(worker.run("pass")).isEqualTo("done");
		}
		group.close();
	}

	@Test
	void createWhenNameIsTakenFailsAndLeavesOther() throws IOException {
		try (Cgroup group = create(8)) {
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> create(8))
				.withMessageMatching("the group /\\S+/run-test can't be made: .+");
			assertThat(group.processRefusals()).isZero();
			assertThat(group.oomKills()).isZero();
		}
	}

	@Test
	void createWhenArgumentsCantHoldFailsNamingThem() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.cgroups.create("../x", MEMORY, 8))
			.withMessageContaining("name must match")
			.withMessageContaining("'../x'");
		assertThatIllegalArgumentException().isThrownBy(() -> this.cgroups.create("x", ByteSize.ofKibibytes(63), 8))
			.withMessage("memory must be at least 64 KiB but was 63 KiB");
		assertThatIllegalArgumentException().isThrownBy(() -> this.cgroups.create("x", MEMORY, 0))
			.withMessage("processes must be at least 1 but was 0");
	}

	@Test
	void removeLeftoversRemovesThoseOfDeadJvmAndKeepsThoseOfLivingOne(@TempDir Path dead, @TempDir Path living)
			throws Exception {
		try (OtherJvm killed = OtherJvm.start(dead); OtherJvm other = OtherJvm.start(living)) {
			long orphan = Long.parseLong(killed.line());
			List<Path> left = lines(killed, this.cgroups.folders().size());
			long member = Long.parseLong(other.line());
			List<Path> held = lines(other, this.cgroups.folders().size());
			killed.kill();
			assertThat(ProcessHandle.of(orphan)).isPresent();
			long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
			while (left.stream().anyMatch(Files::exists) && System.nanoTime() - deadline < 0) {
				Cgroups.Leftovers leftovers = this.cgroups.removeLeftovers();
				assertThat(leftovers.processes()).doesNotContain(member);
				leftovers.processes().forEach(CgroupsTests::kill);
			}
			assertThat(left).hasSameSizeAs(held).allSatisfy((folder) -> assertThat(folder).doesNotExist());
			assertThat(held).allSatisfy((folder) -> assertThat(folder.resolve("run-held")).isDirectory());
			assertThat(ProcessHandle.of(member)).isPresent();
			assertThat(this.cgroups.folders()).allSatisfy((folder) -> assertThat(folder).isDirectory());
		}
	}

	@Test
	void removeLeftoversKeepsWhatIsNotCertainlyOurs() throws IOException {
		Owner me = Owner.current();
		Worker gone = Worker.start();
		gone.close();
		String pid = Long.toString(gone.pid());
		String dead = new Owner(me.namespace(), pid, "1").group("aa");
		String reused = new Owner(me.namespace(), me.pid(), "1").group("aa");
		String mine = me.group("aa");
		String elsewhere = new Owner("1", pid, "1").group("aa");
		String otherUsers = new Owner(me.namespace(), pid, "1").group("bb");
		Assumptions.assumeTrue(isRoot(), "Only root can give a group to another user");
		String foreign = "psych-sandbox-" + pid;
		List<String> all = List.of(dead, reused, mine, elsewhere, otherUsers, foreign);
		Path parent = this.cgroups.folders().get(0).getParent();
		try {
			for (String name : all) {
				Files.createDirectory(parent.resolve(name));
			}
			Files.setAttribute(parent.resolve(otherUsers), "unix:uid", 65534, LinkOption.NOFOLLOW_LINKS);
			assertThat(this.cgroups.removeLeftovers().failures()).isEmpty();
			assertThat(all.stream().filter((name) -> Files.exists(parent.resolve(name))))
				.containsExactlyInAnyOrder(mine, elsewhere, otherUsers, foreign);
		}
		finally {
			for (String name : all) {
				Files.deleteIfExists(parent.resolve(name));
			}
		}
	}

	@Test
	void findWhenUserIsUnprivilegedGivesReason(@TempDir Path folder) throws Exception {
		Assumptions.assumeTrue(isRoot(), "Only root can start another user's process");
		try (OtherJvm jvm = OtherJvm.start(folder, "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")) {
			assertThat(jvm.line()).contains(this.cgroups.version() + ": ")
				.containsPattern(
						"can't be made: permission denied|no group above it is delegated|cgroup.procs can't be written");
			assertThat(jvm.line())
				.containsPattern("^(Run the service as root|Run the service in a group|Delegate the file)");
		}
	}

	private static boolean isRoot() throws IOException {
		return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
	}

	private Cgroup create(int processes) throws IOException {
		return this.cgroups.create("test", MEMORY, processes);
	}

	private static List<Path> lines(OtherJvm jvm, int count) throws IOException {
		List<Path> lines = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			lines.add(Path.of(jvm.line()));
		}
		return lines;
	}

	/**
	 * End all members, as a caller does where the kernel does not.
	 */
	private static void end(Cgroup group) throws IOException {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
		do {
			group.kill().forEach(CgroupsTests::kill);
			LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(250));
		}
		while (!group.isEmpty() && System.nanoTime() - deadline < 0);
	}

	private static void kill(long pid) {
		ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
	}

}
