package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Limits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Containers by the client of docker, which asks podman's service at its socket.
 */
@Tag("containers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(value = "areThere", disabledReason = "no podman with the image of the tests, or no client of docker")
class ContainerDockerClientTests {

	@TempDir
	static Path folder;

	private Process service;

	private Sandbox sandbox;

	static boolean areThere() {
		String path = System.getenv().getOrDefault("PATH", "");
		return Containers.areThere()
				&& List.of(path.split(":")).stream().anyMatch((each) -> Files.isExecutable(Path.of(each, "docker")));
	}

	@BeforeAll
	void build() throws IOException {
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		Path socket = folder.resolve("socket");
		this.service = new ProcessBuilder("podman", "system", "service", "--time=0", "unix://" + socket)
			.redirectErrorStream(true)
			.redirectOutput(folder.resolve("service.log").toFile())
			.start();
		await(() -> Files.exists(socket));
		Path client = Files.writeString(folder.resolve("client"),
				"#!/bin/sh\nexec env DOCKER_HOST=unix://%s docker \"$@\"\n".formatted(socket));
		Files.setPosixFilePermissions(client, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.sandbox = Sandbox.builder()
			.backend("container")
			.container(Containers.settings().withEngine(client.toString()))
			.folder(folder)
			.build();
	}

	@AfterAll
	void nothingIsLeft() throws InterruptedException {
		try {
			if (this.sandbox != null) {
				this.sandbox.close();
			}
			assertThat(Containers.in(folder, "--all")).as("containers that are left").isEmpty();
		}
		finally {
			this.service.destroy();
			assertThat(this.service.waitFor(20, TimeUnit.SECONDS)).isTrue();
		}
	}

	private RunResult run(String program) {
		return this.sandbox.run(RunRequest.of(program));
	}

	@Test
	void whatItIsAndWhatItProvedStandInTheReport() {
		assertThat(this.sandbox.isolation().level()).isEqualTo(Level.ISOLATED);
		assertThat(this.sandbox.isolation().finding(Guarantee.FILESYSTEM).evidence()).contains("Docker version",
				"Podman Engine");
	}

	@Test
	void aProgramPrintsReturnsAndHasAStatus() {
		RunResult result = run("import sys\nprint('out')\nprint('err', file=sys.stderr)\n{'a': 1}");
		assertThat(result.value()).isEqualTo(JsonValue.of(Map.of("a", 1)));
		assertThat(result.stdout().text()).isEqualTo("out\n");
		assertThat(result.stderr().text()).isEqualTo("err\n");
		assertThat(run("import os\nos._exit(7)").failure()).extracting("exitStatus").isEqualTo(7);
	}

	@Test
	void aProgramIsEndedByItsDeadline() {
		RunResult result = this.sandbox
			.run(RunRequest.of("while True: pass").withLimits(Limits.defaults().withWallTime(Duration.ofMillis(500))));
		assertThat(result.failure()).extracting("kind").isEqualTo(FailureKind.TIMEOUT);
	}

	@Test
	void nothingButItsOwnFolderCanBeWrittenTo() {
		assertThat(run("""
				import os
				[line.split()[1] for line in open("/proc/self/mounts")
				 if line.split()[2] == "tmpfs" and line.split()[1] in ("/run", "/var/tmp")
				 and not line.split()[3].startswith("ro")]
				""").value()).isEqualTo(JsonValue.of(List.of()));
	}

	private static void await(BooleanSupplier condition) {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
		while (!condition.getAsBoolean()) {
			assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
		}
	}

}
