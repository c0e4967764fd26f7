package io.psych.sandbox.backend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.spawn.HostUser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ChildConfigurationTests {

	private static final Path TEMP = Path.of("/tmp");

	private final HostListeners listeners = HostListeners.open();

	private InstanceFolder instance;

	private ChildConfiguration children;

	@BeforeEach
	void configure(@TempDir Path parent) throws IOException {
		Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwx--x--x"));
		this.instance = InstanceFolder.create(parent, ChildUsers.shared(HostUser.current()));
		this.children = new ChildConfiguration(
				new Interpreter(Path.of("/usr/bin/python3"), "3.11.2", List.of(Path.of("/usr")), Packages.NONE),
				this.instance, this.listeners, Map.of("TZ", "UTC"));
	}

	@AfterEach
	void close() throws IOException {
		this.listeners.close();
		this.instance.close();
	}

	@Test
	void environmentIsBuiltFromNothing() {
		assertThat(this.children.environment(TEMP)).containsOnlyKeys("TZ", "HOME", "TMPDIR", "PATH", "LANG",
				"PYTHONDONTWRITEBYTECODE", "MALLOC_ARENA_MAX", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
				"MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "MPLBACKEND", "MPLCONFIGDIR", "MATPLOTLIBRC");
		assertThat(this.children.environment(TEMP)).containsEntry("TZ", "UTC")
			.containsEntry("HOME", "/tmp/work")
			.containsEntry("TMPDIR", "/tmp")
			.containsEntry("MPLBACKEND", "Agg")
			.containsEntry("MPLCONFIGDIR", "/tmp/matplotlib");
	}

	@Test
	void variableIsExpectedWhenItWasGivenOrALauncherSetsIt() {
		assertThat(this.children.expectedVariables()).containsAll(this.children.environment(TEMP).keySet())
			.contains("PWD");
		for (String name : List.of("DATABASE_PASSWORD", "tz", "", "LD_PRELOAD", "PYTHONPATH")) {
			assertThat(this.children.expectedVariables()).doesNotContain(name);
		}
	}

	@Test
	void argumentsStartAnIsolatedInterpreterWithTheProbesItMustAttempt() {
		List<String> arguments = this.children
			.arguments(new ChildConfiguration.Place(Path.of("/etc/b.pyc"), Path.of("/run/s"), TEMP, null, null));
		assertThat(arguments).hasSize(9)
			.startsWith("/usr/bin/python3", "-I", "-S", "-B", "-u", "-X", "utf8", "/etc/b.pyc");
		JsonValue configuration = JsonValue.parse(arguments.get(8));
		assertThat(configuration.members()).containsOnlyKeys("channel", "workspace", "program", "packages", "probe");
		assertThat(configuration.string("channel")).isEqualTo("unix:/run/s");
		assertThat(configuration.string("workspace")).isEqualTo("/tmp/work");
		JsonValue probe = configuration.member("probe");
		assertThat(probe.string("canary")).isEqualTo(this.instance.canary().toString());
		assertThat(probe.integer("hostPid")).isEqualTo(ProcessHandle.current().pid());
		assertThat((List<?>) probe.member("listeners").toJava()).hasSize(this.listeners.addresses().size());
	}

	@Test
	void outermostFoldersAreThoseThatAllOthersLieOrLeadBelow() throws IOException {
		List<Path> outermost = this.children.outermostRuntimeFolders();
		assertThat(outermost).startsWith(Path.of("/usr")).doesNotHaveDuplicates();
		for (Path folder : this.children.runtimeFolders()) {
			if (Files.exists(folder)) {
				assertThat(outermost).anyMatch(folder.toRealPath()::startsWith);
			}
		}
		for (Path one : outermost) {
			assertThat(outermost).filteredOn(one::startsWith).containsExactly(one);
		}
	}

	@Test
	void argumentsCarryHowAChildConfinesItselfWhereNoLauncherDoes() {
		assertThat(confine(
				new ChildConfiguration.Confinement(new HostUser("nobody", 65534, 65533), true, false, Map.of())))
			.isEqualTo(JsonValue
				.parse("{\"uid\":65534,\"gid\":65533,\"namespaces\":true,\"network\":false,\"mounts\":{}}"));
		assertThat(confine(new ChildConfiguration.Confinement(null, false, true, Map.of())))
			.isEqualTo(JsonValue.parse("{\"uid\":-1,\"gid\":-1,\"namespaces\":false,\"network\":true,\"mounts\":{}}"));
	}

	@Test
	void mountsHaveAnInodeForEachPageAndAThousandAtLeast() {
		ChildConfiguration.Tmpfs large = new ChildConfiguration.Tmpfs(TEMP, ByteSize.ofMebibytes(64));
		ChildConfiguration.Tmpfs small = new ChildConfiguration.Tmpfs(Path.of("/dev/shm"), ByteSize.ofBytes(1));
		Map<String, ChildConfiguration.Tmpfs> mounts = Map.of("workspace", large, "shm", small);
		assertThat(confine(new ChildConfiguration.Confinement(null, true, false, mounts)).member("mounts"))
			.isEqualTo(JsonValue.parse("{\"workspace\":[\"/tmp\",67108864,16384],\"shm\":[\"/dev/shm\",1,1024]}"));
	}

	private JsonValue confine(ChildConfiguration.Confinement confinement) {
		List<String> arguments = this.children
			.arguments(new ChildConfiguration.Place(Path.of("/b"), Path.of("/s"), TEMP, null, confinement));
		return JsonValue.parse(arguments.get(arguments.size() - 1)).member("confine");
	}

}
