package io.psych.sandbox.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the kernel tells about mounts and groups, as data.
 */
class HierarchyTests {

	@TempDir
	Path folder;

	@Test
	void readOnHybridHostFindsEachHierarchyAtItsOwnGroup() throws IOException {
		Path memory = makeFolder("memory/jobs/7");
		Path unified = makeFolder("unified");
		assertThat(read("""
				4:memory:/jobs/7
				1:name=systemd:/
				0::/
				""", """
				22 27 0:21 / /proc rw,relatime - proc proc rw
				35 31 0:32 / %1$s/memory rw,relatime - cgroup cgroup rw,memory
				41 31 0:38 / %1$s/unified rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate
				""")).containsExactly(new Hierarchy(Set.of("memory"), this.folder.resolve("memory"), memory),
				new Hierarchy(Set.of(), unified, unified));
	}

	@Test
	void readWhenMountShowsOnlyOwnGroupFindsItAtMountPoint() throws IOException {
		Path memory = makeFolder("memory");
		assertThat(read("4:memory:/docker/abc\n",
				"35 31 0:32 /docker/abc %s/memory ro,nosuid - cgroup cgroup rw,memory\n"))
			.containsExactly(new Hierarchy(Set.of("memory"), memory, memory));
	}

	@Test
	void readWhenMountShowsGroupThatOnlyBeginsLikeOwnFindsNothing() throws IOException {
		makeFolder("memory/d");
		assertThat(read("4:memory:/docker/abcd\n", "35 31 0:32 /docker/abc %s/memory rw - cgroup cgroup rw,memory\n"))
			.isEmpty();
	}

	@Test
	void readWhenFirstMountHidesOwnGroupTakesNext() throws IOException {
		makeFolder("other");
		Path memory = makeFolder("memory");
		assertThat(read("4:memory:/docker/abc\n", """
				34 31 0:32 /docker/xyz %1$s/other rw - cgroup cgroup rw,memory
				35 31 0:32 /docker/abc %1$s/memory rw - cgroup cgroup rw,memory
				""")).extracting(Hierarchy::folder).containsExactly(memory);
	}

	@Test
	void readWhenControllersShareHierarchyFindsThemTogether() throws IOException {
		Path both = makeFolder("memory,pids");
		assertThat(read("4:pids,memory:/\n", "35 31 0:32 / %s/memory,pids rw - cgroup cgroup rw,memory,pids\n"))
			.containsExactly(new Hierarchy(Set.of("memory", "pids"), both, both));
	}

	@Test
	void readWhenGroupIsOutsideOfNamespaceFindsNothing() throws IOException {
		makeFolder("unified");
		assertThat(read("0::/../../init.scope\n", "41 31 0:38 / %s/unified rw - cgroup2 cgroup2 rw\n")).isEmpty();
	}

	@Test
	void readWhenGroupWasDeletedFindsNothing() throws IOException {
		makeFolder("unified");
		assertThat(read("0::/jobs/7 (deleted)\n", "41 31 0:38 / %s/unified rw - cgroup2 cgroup2 rw\n")).isEmpty();
	}

	@Test
	void readWhenNamesHoldSpacesAndColonsKeepsThem() throws IOException {
		Path own = makeFolder("with space/a:b");
		assertThat(read("0::/a:b\n", "41 31 0:38 / %s/with\\040space rw - cgroup2 cgroup2 rw\n"))
			.extracting(Hierarchy::folder)
			.containsExactly(own);
	}

	@Test
	void readWhenLinesAreMalformedPassesOverThem() throws IOException {
		Path unified = makeFolder("unified");
		assertThat(read("\nnonsense\n:\n0::/\n", """

				41
				41 31 0:38 - cgroup2
				41 31 0:38 / /x - cgroup2
				41 31 0:38 / %s/unified rw - cgroup2 cgroup2 rw
				""")).extracting(Hierarchy::folder).containsExactly(unified);
	}

	@Test
	void readWhenKernelTellsNothingFails() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> Hierarchy.read(this.folder.resolve("self")));
	}

	private Path makeFolder(String name) throws IOException {
		return Files.createDirectories(this.folder.resolve(name));
	}

	private List<Hierarchy> read(String cgroup, String mountinfo) throws IOException {
		Path self = Files.createDirectory(this.folder.resolve("self"));
		Files.writeString(self.resolve("cgroup"), cgroup);
		Files.writeString(self.resolve("mountinfo"), mountinfo.formatted(this.folder));
		return Hierarchy.read(self);
	}

}
