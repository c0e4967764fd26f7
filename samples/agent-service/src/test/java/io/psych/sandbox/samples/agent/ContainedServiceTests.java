package io.psych.sandbox.samples.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The service itself in a container, started by Testcontainers on podman: what it can
 * offer there with what an engine grants by default, and what it takes to offer more.
 * Image and jars are made by {@code .ci/containers}.
 */
@Tag("containers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(value = "areThere", disabledReason = "no podman with the image, or no jars: .ci/containers makes them")
class ContainedServiceTests {

	private static final String IMAGE = "localhost/psych-sandbox-java:test";

	private static final Path SERVICE = Path.of("target", "agent-service.jar");

	private static final Path TOOL = Path.of("..", "cli", "target", "psych-sandbox-cli.jar");

	private static final int PORT = 8080;

	private static final String DETAILS = "$.components.psychSandbox.details.";

	private static final String WRITES_A_FILE = """
			import os
			with open("left.txt", "w") as file:
				file.write("left")
			print(os.getuid())
			len(await list_orders())
			""";

	@TempDir
	static Path folder;

	private Process engine;

	private Contained root;

	private Contained user;

	private Contained granted;

	static boolean areThere() throws IOException, InterruptedException {
		if (!Files.exists(SERVICE) || !Files.exists(TOOL)) {
			return false;
		}
		return List.of(System.getenv("PATH").split(":"))
			.stream()
			.anyMatch((each) -> Files.isExecutable(Path.of(each, "podman")))
				&& new ProcessBuilder("podman", "image", "exists", IMAGE).start().waitFor() == 0;
	}

	@BeforeAll
	void start() throws Exception {
		Path socket = Path.of(URI.create(System.getenv("DOCKER_HOST")).getPath());
		Files.deleteIfExists(socket);
		this.engine = new ProcessBuilder("podman", "system", "service", "--time=0", "unix://" + socket)
			.redirectErrorStream(true)
			.redirectOutput(folder.resolve("engine.log").toFile())
			.start();
		await(() -> Files.exists(socket));
		int[] ports = freePorts();
		this.root = new Contained(ports[0], "0:0");
		this.user = new Contained(ports[1], "1000:1000");
		this.granted = new Contained(ports[2], "1000:1000", "seccomp=unconfined", "unmask=ALL", "no-new-privileges");
		this.granted.withCreateContainerCmdModifier((command) -> command.getHostConfig().withCapDrop(Capability.ALL));
		Startables.deepStart(this.root, this.user, this.granted).join();
	}

	@AfterAll
	void nothingIsLeft() throws Exception {
		try {
			List<ProcessHandle> processes = new ArrayList<>();
			for (Contained each : List.of(this.root, this.user, this.granted)) {
				processes.addAll(each.isRunning() ? each.processes() : List.of());
				each.stop();
			}
			assertThat(processes).as("processes of the containers").hasSizeGreaterThan(3);
			await(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
			assertThat(DockerClientFactory.lazyClient()
				.listContainersCmd()
				.withShowAll(true)
				.withLabelFilter(
						Map.of(DockerClientFactory.TESTCONTAINERS_SESSION_ID_LABEL, DockerClientFactory.SESSION_ID))
				.exec()).as("containers that are left").isEmpty();
		}
		finally {
			this.engine.destroy();
			assertThat(this.engine.waitFor(20, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void asRootItIsUpAtLevelProcessAndSaysWhyNotAtMore() throws Exception {
		Answer health = this.root.health();
		assertThat(health.status()).isEqualTo(200);
		assertThat(health.text(DETAILS + "level")).isEqualTo("process");
		assertThat(health.text(DETAILS + "backend")).isEqualTo("process");
		assertThat(health.text(DETAILS + "notTaken.bubblewrap.reason")).contains("bwrap: ", "Operation not permitted");
		assertThat(health.text(DETAILS + "notTaken.bubblewrap.remedy")).contains("seccomp profile");
		Map<String, String> grades = grades(health.at(DETAILS + "guarantees"));
		assertThat(grades).hasSize(10)
			.doesNotContainValue("unavailable")
			.containsEntry("cpu", "enforced")
			.containsEntry("process-count", "enforced")
			.containsEntry("wall-clock", "enforced")
			.containsEntry("environment", "enforced")
			.containsEntry("process-tree", "unverified")
			.containsEntry("memory", "unverified")
			.containsEntry("file-size", "unverified");
		Doctor doctor = this.root.doctor();
		assertThat(doctor.exitCode()).isZero();
		assertThat(doctor.text("$.auto")).isEqualTo("process");
		assertThat(doctor.grades("process")).isEqualTo(grades);
		assertThat(doctor.backend("bubblewrap").get("reason"))
			.isEqualTo(health.text(DETAILS + "notTaken.bubblewrap.reason"));
	}

	@Test
	void asRootProgramsRunAsAnotherUserButTheirFilesAreNotCollected() {
		Answer answer = this.root.execute(WRITES_A_FILE);
		assertThat(answer.<Object>at("$.failure")).isNull();
		assertThat(answer.text("$.stdout.text")).isEqualTo("65534\n");
		assertThat(answer.<Integer>at("$.value")).isEqualTo(36);
		assertThat(answer.text("$.isolation.level")).isEqualTo("process");
		assertThat(answer.<List<String>>at("$.notes"))
			.containsExactly("The files of the working folder could not be collected.");
	}

	@Test
	void whatAProgramLeavesRunningIsEndedAndNoDeadProcessStaysWithAJvmThatIsTheInit() throws Exception {
		Answer answer = this.root
			.execute("import subprocess\nsubprocess.run(['/bin/sh', '-c', 'sleep 60 & sleep 60 & exit 3']).returncode");
		assertThat(answer.<Integer>at("$.value")).isEqualTo(3);
		assertThat(answer.<List<String>>at("$.notes"))
			.contains("2 processes that the program started were still running at its end and were ended.");
		await(() -> this.root.processes("Z").isEmpty());
		await(() -> this.root.commands().stream().noneMatch((command) -> command.startsWith("sleep ")));
	}

	@Test
	void asAUserItIsOutOfServiceAndSaysWhatToDo() throws Exception {
		Answer health = this.user.health();
		assertThat(health.status()).isEqualTo(503);
		assertThat(health.text("$.components.psychSandbox.status")).isEqualTo("OUT_OF_SERVICE");
		assertThat(health.text(DETAILS + "notTaken.bubblewrap.reason")).contains("bwrap: ", "Operation not permitted");
		assertThat(health.text(DETAILS + "notTaken.process.reason")).contains("only root can start them as another");
		assertThat(health.text(DETAILS + "notTaken.process.remedy")).contains("allow-same-user");
		assertThat(this.user.execute("6 * 7").status()).isEqualTo(503);
		Doctor doctor = this.user.doctor();
		assertThat(doctor.exitCode()).isEqualTo(4);
		assertThat(doctor.text("$.auto")).isNull();
		for (String backend : List.of("bubblewrap", "process")) {
			assertThat(doctor.backend(backend).get("reason"))
				.isEqualTo(health.text(DETAILS + "notTaken." + backend + ".reason"));
		}
	}

	@Test
	void asAUserThatMayMakeNamespacesItIsolates() throws Exception {
		assertThat(this.granted.shell("cat /proc/1/status")).contains("NoNewPrivs:\t1", "CapBnd:\t0000000000000000");
		Answer health = this.granted.health();
		assertThat(health.status()).isEqualTo(200);
		assertThat(health.text(DETAILS + "level")).isEqualTo("isolated");
		assertThat(health.text(DETAILS + "backend")).isEqualTo("bubblewrap");
		Map<String, String> grades = grades(health.at(DETAILS + "guarantees"));
		assertThat(grades).hasSize(10).containsEntry("memory", "unverified");
		assertThat(grades.values()).filteredOn("enforced"::equals).hasSize(9);
		Doctor doctor = this.granted.doctor();
		assertThat(doctor.exitCode()).isZero();
		assertThat(doctor.text("$.auto")).isEqualTo("bubblewrap");
		assertThat(doctor.grades("bubblewrap")).isEqualTo(grades);
		Answer answer = this.granted.execute(WRITES_A_FILE);
		assertThat(answer.<Object>at("$.failure")).isNull();
		assertThat(answer.<Integer>at("$.value")).isEqualTo(36);
		assertThat(answer.text("$.isolation.level")).isEqualTo("isolated");
		assertThat(answer.<List<String>>at("$.attachments[*].name")).contains("left.txt");
		assertThat(answer.<List<String>>at("$.notes")).isEmpty();
	}

	/** Podman may choose one port for two containers it makes at the same time. */
	private static int[] freePorts() throws IOException {
		InetAddress address = InetAddress.getLoopbackAddress();
		try (ServerSocket first = new ServerSocket(0, 1, address);
				ServerSocket second = new ServerSocket(0, 1, address);
				ServerSocket third = new ServerSocket(0, 1, address)) {
			return new int[] { first.getLocalPort(), second.getLocalPort(), third.getLocalPort() };
		}
	}

	private static Map<String, String> grades(Map<String, Map<String, String>> guarantees) {
		return guarantees.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (guarantee) -> guarantee.getValue().get("grade")));
	}

	private static void await(Callable<Boolean> condition) throws Exception {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
		while (!condition.call()) {
			assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
		}
	}

	/**
	 * The service in a container of its own.
	 */
	private static final class Contained extends GenericContainer<Contained> {

		Contained(int port, String user, String... securityOptions) {
			super(DockerImageName.parse(IMAGE));
			withCopyFileToContainer(MountableFile.forHostPath(SERVICE, 0644), "/app/service.jar");
			withCopyFileToContainer(MountableFile.forHostPath(TOOL, 0644), "/app/tool.jar");
			withCommand("/opt/java/bin/java", "-XX:TieredStopAtLevel=1", "-jar", "/app/service.jar",
					"--server.address=0.0.0.0", "--agent-service.data-folder=/tmp/data");
			withExposedPorts(PORT);
			// Podman may choose one free port for two containers it makes at the same
			// time
			withStartupAttempts(3);
			withCreateContainerCmdModifier((command) -> narrow(command.withUser(user), port, securityOptions));
			waitingFor(Wait.forHttp("/actuator/health")
				.forStatusCodeMatching((status) -> status == 200 || status == 503)
				.withStartupTimeout(Duration.ofMinutes(2)));
		}

		/** It executes programs for whoever can reach it. */
		private static void narrow(CreateContainerCmd command, int port, String... securityOptions) {
			command.getHostConfig()
				.withPortBindings(
						new PortBinding(Ports.Binding.bindIpAndPort("127.0.0.1", port), ExposedPort.tcp(PORT)))
				.withSecurityOpts(List.of(securityOptions));
		}

		private RestTestClient client() {
			return RestTestClient.bindToServer().baseUrl("http://127.0.0.1:" + getMappedPort(PORT)).build();
		}

		Answer health() {
			return Answer.toGet(client(), "/actuator/health");
		}

		Answer execute(String program) {
			return Answer.toProgram(client(), program);
		}

		Doctor doctor() throws IOException, InterruptedException {
			Path output = Files.createTempFile(folder, "doctor-", ".json");
			int exitCode = run(output, "/opt/java/bin/java", "-XX:TieredStopAtLevel=1", "-jar", "/app/tool.jar",
					"doctor", "--json");
			return new Doctor(exitCode, Files.readString(output));
		}

		String shell(String script) throws IOException, InterruptedException {
			Path output = Files.createTempFile(folder, "shell-", ".txt");
			run(output, "/bin/sh", "-c", script);
			return Files.readString(output);
		}

		/**
		 * Run a command inside. By podman's client, for what its service runs so is
		 * watched by a process that stays for five minutes.
		 */
		private int run(Path output, String... command) throws IOException, InterruptedException {
			List<String> line = new ArrayList<>(List.of("podman", "exec", getContainerId()));
			line.addAll(List.of(command));
			Process process = new ProcessBuilder(line).redirectOutput(output.toFile())
				.redirectError(folder.resolve("exec.log").toFile())
				.start();
			assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
			return process.exitValue();
		}

		/** Return those in a state, as the kernel tells it, seen from inside. */
		List<String> processes(String state) throws IOException, InterruptedException {
			return shell("cat /proc/[0-9]*/stat").lines().filter((line) -> line.contains(") " + state + " ")).toList();
		}

		List<String> commands() throws IOException, InterruptedException {
			return shell("for each in /proc/[0-9]*/cmdline; do cat $each; echo; done").lines()
				.map((line) -> line.replace('\0', ' '))
				.toList();
		}

		/** Return the processes of this container as the host sees them. */
		List<ProcessHandle> processes() {
			ProcessHandle init = ProcessHandle.of(getCurrentContainerInfo().getState().getPidLong()).orElseThrow();
			List<ProcessHandle> processes = new ArrayList<>(init.descendants().toList());
			processes.add(init);
			return processes;
		}

	}

	/**
	 * What the command line tool tells inside.
	 *
	 * @param exitCode its exit code
	 * @param json what it printed
	 */
	private record Doctor(int exitCode, String json) {

		String text(String path) {
			return JsonPath.read(this.json, path);
		}

		Map<String, Object> backend(String name) {
			List<Map<String, Object>> found = JsonPath.read(this.json, "$.backends[?(@.name == '" + name + "')]");
			return found.get(0);
		}

		@SuppressWarnings("unchecked")
		Map<String, String> grades(String backend) {
			return ContainedServiceTests.grades((Map<String, Map<String, String>>) backend(backend).get("guarantees"));
		}

	}

}
