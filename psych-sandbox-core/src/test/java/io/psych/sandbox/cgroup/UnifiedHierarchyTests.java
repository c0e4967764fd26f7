package io.psych.sandbox.cgroup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.Set;

import io.psych.sandbox.limits.ByteSize;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Version 2 on a tree of plain files, which stands for the kernel's: hosts that give
 * memory and pids to version 1 have no version 2 that limits anything. What such a tree
 * can't show, that the kernel obeys, is shown by {@link CgroupsTests} on a host whose
 * version 2 has them.
 */
class UnifiedHierarchyTests {

	@TempDir
	Path top;

	@Test
	void unifiedWhenJvmIsInKernelRootMakesGroupsThere() throws Exception {
		makeGroup("", "cpu memory pids", "", 1, 4711);
		Files.delete(this.top.resolve("cgroup.type"));
		assertThat(unified("")).isEqualTo(new Place(CgroupVersion.V2, this.top, this.top));
		assertThat(this.top.resolve("cgroup.subtree_control")).hasContent("+memory +pids");
	}

	@Test
	void unifiedWhenTopOfContainerHoldsNobodyMakesGroupsThere() throws Exception {
		makeGroup("", "cpu memory pids", "");
		makeGroup("main", "", "", 4711);
		assertThat(unified("main")).isEqualTo(new Place(CgroupVersion.V2, this.top, this.top));
		assertThat(this.top.resolve("cgroup.subtree_control")).hasContent("+memory +pids");
	}

	@Test
	void unifiedWhenControllersAreEnabledLeavesThem() throws Exception {
		makeGroup("", "cpu memory pids", "cpu memory pids");
		makeGroup("main", "", "", 4711);
		unified("main");
		assertThat(this.top.resolve("cgroup.subtree_control")).hasContent("cpu memory pids");
	}

	@Test
	void unifiedWhenTopOfContainerHoldsProcessesSaysSo() throws Exception {
		makeGroup("", "cpu memory pids", "", 1);
		makeGroup("main", "", "", 4711);
		assertAbsent("main", this.top + " is delegated to this JVM, but holds processes", "DelegateSubgroup=main");
	}

	@Test
	void unifiedWhenJvmIsInTopOfContainerSaysSo() throws Exception {
		makeGroup("", "cpu memory pids", "", 4711);
		assertAbsent("", this.top + " holds this JVM", "have the entry point move itself into a group below the root");
	}

	@Test
	void unifiedWhenNothingIsDelegatedSaysSo() throws Exception {
		makeGroup("", "cpu memory pids", "memory pids");
		Files.delete(this.top.resolve("cgroup.type"));
		makeGroup("system.slice", "memory pids", "memory pids");
		makeGroup("system.slice/psych.service", "memory pids", "", 4711);
		if ((int) Files.getAttribute(this.top, "unix:uid") != 0) {
			// What belongs to an unprivileged user counts as delegated to it.
			assertThat(unified("system.slice/psych.service").memory()).isEqualTo(this.top.resolve("system.slice"));
			return;
		}
		assertAbsent("system.slice/psych.service", "no group above it is delegated to this JVM", "Delegate=yes");
	}

	@Test
	void unifiedWhenGroupIsMarkedAsDelegatedMakesGroupsThere() throws Exception {
		makeGroup("", "cpu memory pids", "memory pids");
		Files.delete(this.top.resolve("cgroup.type"));
		Path delegated = makeGroup("psych.service", "memory pids", "");
		makeGroup("psych.service/main", "memory pids", "", 4711);
		markDelegated(delegated);
		assertThat(unified("psych.service/main").memory()).isEqualTo(delegated);
	}

	@Test
	void unifiedWhenDelegationLacksControllersSaysSo() throws Exception {
		makeGroup("", "cpu memory pids", "pids");
		Path delegated = makeGroup("psych.service", "pids", "");
		makeGroup("psych.service/main", "pids", "", 4711);
		markDelegated(delegated);
		assertAbsent("psych.service/main", delegated + " is delegated to this JVM without memory and pids",
				"Delegate=");
	}

	@Test
	void unifiedWhenHierarchyLacksControllersNamesThoseItHas() throws Exception {
		makeGroup("", "hugetlb", "");
		assertAbsent("", "the hierarchy at " + this.top + " offers no memory and pids controllers, only [hugetlb]",
				null);
	}

	@Test
	void findWhenGroupsCantBeLimitedTellsReasonAndLeavesNothing() throws Exception {
		// In a tree of plain files a new group has no files to write limits to.
		makeGroup("", "cpu memory pids", "memory pids");
		makeGroup("main", "", "", 4711);
		Path self = Files.createDirectory(this.top.resolve("self"));
		Files.writeString(self.resolve("cgroup"), "0::/main\n");
		Files.writeString(self.resolve("mountinfo"), "41 31 0:38 / %s rw - cgroup2 cgroup2 rw\n".formatted(this.top));
		assertThatExceptionOfType(CgroupsAbsentException.class).isThrownBy(() -> Cgroups.find(self))
			.withMessageContaining("cgroup v2: ")
			.withMessageContaining("cgroup.subtree_control")
			.withMessageContaining("cgroup v1: no mounted hierarchy of the memory controller");
		assertThat(this.top).isDirectoryNotContaining("glob:**psych-sandbox-*");
	}

	@Test
	void limitWritesMemoryWithoutSwapAndProcesses() throws IOException {
		Cgroup group = group("memory.max", "memory.swap.max", "memory.oom.group", "pids.max");
		group.limit(ByteSize.ofMebibytes(64), 7);
		assertThat(this.top.resolve("memory.max")).hasContent("67108864");
		assertThat(this.top.resolve("memory.swap.max")).hasContent("0");
		assertThat(this.top.resolve("memory.oom.group")).hasContent("1");
		assertThat(this.top.resolve("pids.max")).hasContent("7");
	}

	@Test
	void limitWhenKernelDoesNotAccountForSwapMakesNoFile() throws IOException {
		group("memory.max", "pids.max").limit(ByteSize.ofMebibytes(64), 7);
		assertThat(this.top.resolve("memory.swap.max")).doesNotExist();
	}

	@Test
	void limitWhenThereIsNoMemoryFileFailsNamingIt() throws IOException {
		Cgroup group = group("pids.max");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> group.limit(ByteSize.ofMebibytes(64), 7))
			.withMessage("'67108864' can't be written to %s/memory.max: there is no such file", this.top);
		assertThat(this.top.resolve("memory.max")).doesNotExist();
	}

	@Test
	void countersAreReadByTheirKeys() throws IOException {
		Cgroup group = group();
		Files.writeString(this.top.resolve("memory.events"),
				"low 0\nhigh 0\nmax 9\noom 2\noom_kill 3\noom_group_kill 1\n");
		Files.writeString(this.top.resolve("pids.events"), "max 5\n");
		Files.writeString(this.top.resolve("memory.peak"), "1048576\n");
		Files.writeString(this.top.resolve("cgroup.procs"), "12\n0\n34\n");
		assertThat(group.oomKills()).isEqualTo(3);
		assertThat(group.processRefusals()).isEqualTo(5);
		assertThat(group.peakMemory()).isEqualTo(ByteSize.ofMebibytes(1));
		assertThat(group.members()).containsExactly(0L, 12L, 34L);
		assertThat(group.holds(34)).isTrue();
		assertThat(group.holds(3)).isFalse();
	}

	@Test
	void peakMemoryWhenKernelDoesNotKeepItIsNull() throws IOException {
		assertThat(group().peakMemory()).isNull();
	}

	@Test
	void countersWhenMalformedFailRatherThanReadAsZero() throws IOException {
		Cgroup group = group();
		for (String text : List.of("", "max", "oom_kill", "oom_kill \n", "oom_kill -1\n", "oom_kill 1 2\n",
				"oom_kill 18446744073709551615\n", "oom_kill \u0663\n", "oom_kills 3\n")) {
			Files.writeString(this.top.resolve("memory.events"), text);
			assertThatExceptionOfType(IOException.class).as(text)
				.isThrownBy(group::oomKills)
				.withMessageContaining("memory.events");
		}
		Files.writeString(this.top.resolve("cgroup.procs"), "12\nx\n");
		assertThatExceptionOfType(IOException.class).isThrownBy(group::isEmpty).withMessageContaining("'x'");
	}

	@Test
	void killWhenKernelKillsReturnsNobody() throws IOException {
		Cgroup group = group("cgroup.kill");
		Files.writeString(this.top.resolve("cgroup.procs"), "12\n");
		assertThat(group.kill()).isEmpty();
		assertThat(this.top.resolve("cgroup.kill")).hasContent("1");
	}

	@Test
	void killWhenKernelDoesNotKillStopsForksAndReturnsThoseThatCanBeSignalled() throws IOException {
		Cgroup group = group("pids.max");
		Files.writeString(this.top.resolve("cgroup.procs"), "12\n0\n34\n");
		assertThat(group.kill()).containsExactly(12L, 34L);
		assertThat(this.top.resolve("pids.max")).hasContent("0");
	}

	private Path makeGroup(String name, String offered, String enabled, long... members) throws IOException {
		Path group = Files.createDirectories(this.top.resolve(name));
		Files.writeString(group.resolve("cgroup.type"), "domain\n");
		Files.writeString(group.resolve("cgroup.controllers"), offered + "\n");
		Files.writeString(group.resolve("cgroup.subtree_control"), enabled + "\n");
		StringBuilder pids = new StringBuilder();
		for (long member : members) {
			pids.append(member).append('\n');
		}
		Files.writeString(group.resolve("cgroup.procs"), pids);
		return group;
	}

	private static void markDelegated(Path group) {
		try {
			Files.getFileAttributeView(group, UserDefinedFileAttributeView.class)
				.write("delegate", ByteBuffer.wrap("1".getBytes(StandardCharsets.US_ASCII)));
		}
		catch (IOException ex) {
			Assumptions.abort("Temporary files can't have attributes here: " + ex.getMessage());
		}
	}

	private Place unified(String own) throws CgroupsAbsentException, IOException {
		return Place.unified(List.of(new Hierarchy(Set.of(), this.top, this.top.resolve(own))));
	}

	private void assertAbsent(String own, String reason, String remedy) {
		assertThatExceptionOfType(CgroupsAbsentException.class).isThrownBy(() -> unified(own))
			.withMessageContaining(reason)
			.satisfies((ex) -> {
				if (remedy == null) {
					assertThat(ex.remedy()).isNull();
				}
				else {
					assertThat(ex.remedy()).contains(remedy);
				}
			});
	}

	private Cgroup group(String... files) throws IOException {
		for (String file : files) {
			Files.createFile(this.top.resolve(file));
		}
		return new Cgroup(new Place(CgroupVersion.V2, this.top, this.top));
	}

}
