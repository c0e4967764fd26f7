package io.psych.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.psych.sandbox.backend.container.ContainerSettings;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.tool.ToolCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of containers when something around them fails: each fault has a finding
 * of its own and leaves nothing.
 */
@Tag("containers")
@EnabledIf(value = "io.psych.sandbox.Containers#areThere", disabledReason = "no podman with the image of the tests")
class ContainerFaultTests {

	private static final String EMPTY = "localhost/psych-sandbox-empty:test";

	@TempDir
	Path folder;

	@BeforeEach
	void open() throws IOException {
		Files.setPosixFilePermissions(this.folder, PosixFilePermissions.fromString("rwxr-xr-x"));
	}

	@AfterEach
	void nothingIsLeft() {
		assertThat(Containers.in(this.folder, "--all")).as("containers that are left").isEmpty();
		assertThat(Leftovers.processesWith(this.folder.toString())).isEmpty();
	}

	private SandboxBuilder builder(ContainerSettings settings) {
		return Sandbox.builder().backend("container").container(settings).folder(this.folder);
	}

	private String refusal(ContainerSettings settings) {
		long began = System.nanoTime();
		try (Sandbox sandbox = builder(settings).build()) {
			throw new AssertionError("it was built: " + sandbox.selection());
		}
		catch (NoUsableBackendException ex) {
			assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(25));
			return String.valueOf(ex.getMessage());
		}
	}

	/**
	 * Make a client that is podman's until a file says otherwise.
	 * @param client what it runs
	 */
	private Path client(String client) throws IOException {
		Path script = this.folder.resolve("client");
		Files.writeString(script, """
				#!/bin/sh
				case "$(cat FOLDER/mode 2> /dev/null)" in
				hangs) exec sleep 60 ;;
				stopped) echo "Cannot connect to the engine. Is it running?" >&2; exit 125 ;;
				dies)
					case " $* " in
					*" run "*"--detach"*) REAL "$@" > FOLDER/out 2>&1 & sleep 0.15; kill -9 $!; kill -9 $$ ;;
					esac ;;
				esac
				exec REAL "$@"
				""".replace("FOLDER", this.folder.toString()).replace("REAL", client));
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
		return script;
	}

	private void mode(String mode) throws IOException {
		Files.writeString(this.folder.resolve("mode"), mode);
	}

	private ContainerSettings through(Path client) {
		return Containers.settings().withEngine(client.toString());
	}

	@Test
	void anEngineThatIsNotThereIsToldWithWhatToInstall() {
		assertThat(refusal(Containers.settings().withEngine("no-such-engine")))
			.contains("no-such-engine can't be found on the PATH", "apt-get install podman");
		assertThat(refusal(Containers.settings().withEngine("/no/such/engine")))
			.contains("/no/such/engine is not the absolute path of an executable file");
		assertThat(refusal(Containers.settings().withEngine("/bin/true")))
			.contains("did not answer as podman or docker");
	}

	@Test
	void anImageThatIsNotThereIsToldWithTheCommandThatFetchesItAndIsNotPulled() {
		assertThat(refusal(ContainerSettings.of("registry.invalid/python:3").withEngine("podman")))
			.contains("the image registry.invalid/python:3 is not there", "podman pull registry.invalid/python:3");
		assertThat(refusal(ContainerSettings.of("localhost/not-made:1").withEngine("podman")))
			.contains(".ci/container-image localhost/not-made:1");
	}

	@Test
	void anImageWithoutPythonIsToldAsThat() throws IOException {
		Path tar = this.folder.resolve("empty.tar");
		// Two blocks of zeros are an archive without a file (tar(5)).
		Files.write(tar, new byte[1024]);
		Containers.podman("import", tar.toString(), EMPTY);
		try {
			assertThat(refusal(ContainerSettings.of(EMPTY).withEngine("podman")))
				.contains("the image " + EMPTY + " has no python3", "psych.sandbox.container.interpreter");
		}
		finally {
			Containers.podman("rmi", "--force", EMPTY);
		}
	}

	@Test
	void aRuntimeThatIsNotThereIsToldAsThat() {
		assertThat(refusal(Containers.settings().withRuntime("no-such-runtime"))).contains("no-such-runtime", "runtime",
				"psych.sandbox.container.runtime");
	}

	@Test
	void aRuntimeThatOnlyHasTheNameOfGvisorIsFoundOutFromInside() throws IOException {
		Path real = List.of(Path.of("/usr/sbin/runc"), Path.of("/usr/bin/runc"))
			.stream()
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow();
		Path named = Files.createSymbolicLink(this.folder.resolve("runsc"), real);
		assertThat(refusal(Containers.settings().withRuntime(named.toString())))
			.contains("seen from inside the kernel is not gVisor's");
	}

	@Test
	void anEngineThatHangsIsToldInTime() throws IOException {
		Path client = client("podman");
		mode("hangs");
		assertThat(refusal(through(client))).contains("did not answer '--version' within 10 s", "The engine hangs");
	}

	@Test
	void aClientThatIsKilledWhileItStartsAContainerLeavesNone() throws IOException {
		Path client = client("podman");
		try (Sandbox sandbox = builder(through(client)).build()) {
			sandbox.isolation();
			mode("dies");
			RunResult result = sandbox.run(RunRequest.of("1"));
			assertThat(result.failure().kind()).isEqualTo(FailureKind.BACKEND_NOT_READY);
			assertThat(result.failure().message()).contains("run ended with status 137");
			mode("real");
			assertThat(sandbox.run(RunRequest.of("1")).value()).isEqualTo(JsonValue.of(1));
		}
	}

	@Test
	void anEngineThatStopsWhileAProgramRunsIsToldInTimeAndTheProgramEnds() throws Exception {
		Path client = client("podman");
		Meeting meeting = Meeting.of(1);
		try (Sandbox sandbox = builder(through(client)).tools(ToolCatalog.of(meeting)).build()) {
			sandbox.isolation();
			CompletableFuture<RunResult> running = CompletableFuture
				.supplyAsync(() -> sandbox.run(RunRequest.of("import os\nawait meet()\nos._exit(7)")));
			meeting.awaitArrival();
			mode("stopped");
			meeting.go().countDown();
			RunResult result = running.get(30, TimeUnit.SECONDS);
			assertThat(result.failure().kind()).isEqualTo(FailureKind.PROVIDER_ERROR);
			assertThat(result.failure().message()).contains("nobody tells how its process ended");
			assertThat(sandbox.run(RunRequest.of("1")).failure().message()).contains("Cannot connect to the engine");
			mode("real");
			assertThat(sandbox.run(RunRequest.of("1")).value()).isEqualTo(JsonValue.of(1));
		}
	}

	@Test
	void aHostThatIsKilledLeavesNoProcessAndTheNextRemovesItsContainersAndNoOthers() throws Exception {
		Process host = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), HostDeathMain.class.getName(), "container",
				this.folder.toString(), "import time\nawait tell()\nwhile True: pass")
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try (Sandbox other = builder(Containers.settings()).pool(1, Duration.ofMinutes(5)).build()) {
			// Until its proofs are made it has containers for them as well.
			other.isolation();
			await(() -> other.pool().waiting() == 1);
			try (BufferedReader output = host.inputReader(StandardCharsets.UTF_8)) {
				assertThat(output.lines().anyMatch("told"::equals)).isTrue();
			}
			finally {
				host.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
			}
			await(() -> Containers.in(this.folder).size() == 1);
			assertThat(Containers.in(this.folder, "--all")).as("of the living, and of the dead with its proofs")
				.hasSizeGreaterThan(1);
			try (Sandbox next = builder(Containers.settings()).build()) {
				assertThat(next.run(RunRequest.of("1")).value()).isEqualTo(JsonValue.of(1));
			}
			assertThat(Containers.in(this.folder, "--all")).as("of the living").hasSize(1);
			assertThat(other.pool().waiting()).isEqualTo(1);
			assertThat(other.run(RunRequest.of("2")).value()).isEqualTo(JsonValue.of(2));
			assertThat(other.pool().taken()).isEqualTo(1);
		}
	}

	@Test
	void aWaitingContainerIsHeldToTheLimitsOfItsProgramAndUsedOnce() {
		try (Sandbox sandbox = builder(Containers.settings()).pool(1, Duration.ofMinutes(5)).build()) {
			sandbox.isolation();
			await(() -> sandbox.pool().waiting() == 1);
			Limits smaller = Limits.defaults().withAddressSpace(ByteSize.ofMebibytes(256)).withProcesses(32);
			RunResult first = sandbox.run(RunRequest.of("open('left', 'w').close()\n1").withLimits(smaller));
			assertThat(first.value()).isEqualTo(JsonValue.of(1));
			assertThat(first.isolation().grade(Guarantee.MEMORY)).isEqualTo(Grade.ENFORCED);
			assertThat(sandbox.pool().taken()).isEqualTo(1);
			await(() -> sandbox.pool().waiting() == 1);
			assertThat(sandbox.run(RunRequest.of("import os\nos.listdir('.')")).value())
				.isEqualTo(JsonValue.of(List.of()));
			assertThat(sandbox.pool().taken()).isEqualTo(2);
		}
	}

	@Test
	void engineRuntimeAndImageStandInTheReport() {
		try (Sandbox sandbox = builder(Containers.settings()).build()) {
			assertThat(sandbox.isolation().finding(Guarantee.FILESYSTEM).evidence())
				.containsPattern("by podman version \\d+\\.\\d+.*runc version \\d+.*image [0-9a-f]{12}");
		}
	}

	private static void await(BooleanSupplier condition) {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
		while (!condition.getAsBoolean()) {
			assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
		}
	}

}
