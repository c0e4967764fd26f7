package io.psych.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.psych.sandbox.contract.RunRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is left when the host's JVM ends without a chance to clean up, and what a JVM that
 * is PID 1 leaves to reap.
 */
@Tag("once")
class HostDeathTests {

	@TempDir
	Path folder;

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void aHostKilledInTheMiddleLeavesNoProcessAndItsFolderIsSweptByTheNext(String backend) throws Exception {
		Files.setPosixFilePermissions(this.folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		String marker = "orphan-" + UUID.randomUUID();
		Process host = start(List.of(), backend,
				"""
						import subprocess, time
						subprocess.Popen(["sh", "-c", "trap '' TERM HUP; while :; do sleep 1; done", "%s"], start_new_session=True)
						print("up", flush=True)
						await tell()
						time.sleep(600)
						"""
					.formatted(marker));
		try (BufferedReader output = host.inputReader(StandardCharsets.UTF_8)) {
			assertThat(output.lines().anyMatch("told"::equals)).isTrue();
			assertThat(Leftovers.processesWith(marker)).isNotEmpty();
		}
		finally {
			host.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
		}
		awaitNoProcess(marker);
		assertThat(instanceFolders()).hasSize(1);
		try (Sandbox next = Sandbox.builder().backend(backend).folder(this.folder).build();
				Sandbox other = Sandbox.builder().backend(backend).folder(this.folder).build()) {
			assertThat(next.run(RunRequest.of("1")).failure()).isNull();
			assertThat(other.run(RunRequest.of("1")).failure()).isNull();
			assertThat(instanceFolders()).hasSize(2);
		}
		assertThat(instanceFolders()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void aHostThatIsPidOneLeavesNoZombie(String backend) throws Exception {
		Files.setPosixFilePermissions(this.folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		Process host = start(List.of("unshare", "--pid", "--fork", "--mount-proc"), backend, "count-zombies");
		try (BufferedReader output = host.inputReader(StandardCharsets.UTF_8)) {
			assertThat(output.lines().filter((line) -> line.startsWith("pid"))).containsExactly("pid 1 zombies 0");
		}
		finally {
			host.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
		}
	}

	@Test
	void foldersOfOthersAreLeftAlone() throws IOException {
		Files.setPosixFilePermissions(this.folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		Path foreign = Files.createDirectory(this.folder.resolve("psych-sandbox-no-lock"));
		try (Sandbox sandbox = Sandbox.builder().backend("process").folder(this.folder).build()) {
			assertThat(sandbox.run(RunRequest.of("1")).failure()).isNull();
		}
		assertThat(foreign).exists();
	}

	private Process start(List<String> launcher, String backend, String program) throws IOException {
		List<String> command = new ArrayList<>(launcher);
		command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), HostDeathMain.class.getName(), backend, this.folder.toString(),
				program));
		return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
	}

	private List<Path> instanceFolders() throws IOException {
		List<Path> found = new ArrayList<>();
		try (DirectoryStream<Path> folders = Files.newDirectoryStream(this.folder, "*psych-sandbox-*")) {
			folders.forEach(found::add);
		}
		return found;
	}

	private static void awaitNoProcess(String marker) {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
		while (!Leftovers.processesWith(marker).isEmpty()) {
			assertThat(System.nanoTime()).as("deadline for %s", Leftovers.processesWith(marker)).isLessThan(deadline);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
		}
	}

}
