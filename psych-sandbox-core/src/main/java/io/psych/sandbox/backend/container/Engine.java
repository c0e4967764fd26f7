package io.psych.sandbox.backend.container;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import io.psych.sandbox.backend.BackendException;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.Spawner;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An engine, reached through its client. Each question has its end: a client that does
 * not answer in time is ended.
 *
 * @param executable the absolute path of the client
 * @param isPodman whether it is podman's
 * @param version its name and version, and that of its runtime where it tells
 * @param globals arguments that come before the command
 * @param spawner starts the client
 */
record Engine(Path executable, boolean isPodman, String version, List<String> globals, Spawner spawner) {

	/** Far beyond any answer on a loaded host. */
	static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final Logger logger = LoggerFactory.getLogger(Engine.class);

	private static final String INSTALL = "Install one (apt-get install podman), or set"
			+ " psych.sandbox.container.engine to the path of its client.";

	private static final int REMOVALS = 5;

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/**
	 * What a client answered.
	 *
	 * @param status its exit status
	 * @param output what it printed
	 * @param complaint what it printed to stderr, in one line
	 */
	record Answer(int status, String output, String complaint) {

		boolean isGood() {
			return this.status == 0;
		}

	}

	static Engine find(@Nullable String configured, @Nullable String runtime, List<String> extra, Spawner spawner,
			Duration patience) throws BackendException, InterruptedException {
		Path client = client(configured);
		Engine engine = new Engine(client, false, client.toString(), List.of(), spawner);
		String told = engine.first(patience, "--version");
		if (!told.startsWith("podman version ") && !told.startsWith("Docker version ")) {
			throw new BackendException(client + " did not answer as podman or docker does", INSTALL);
		}
		boolean podman = told.startsWith("podman");
		List<String> globals = new ArrayList<>();
		if (podman) {
			if (runtime != null) {
				globals.add("--runtime=" + runtime);
			}
			extra.stream().filter((argument) -> argument.startsWith(ExtraArguments.RUNTIME_FLAG)).forEach(globals::add);
		}
		engine = new Engine(client, podman, told, globals, spawner);
		String runtimes = podman ? engine.first(patience, "info", "--format", "{{.Host.OCIRuntime.Version}}")
				: engine.first(patience, "version", "--format",
						"{{.Server.Version}}{{range .Server.Components}}, {{.Name}} {{.Version}}{{end}}");
		return new Engine(client, podman, told.split(",")[0] + ", " + runtimes, List.copyOf(globals), spawner);
	}

	private static Path client(@Nullable String configured) throws BackendException {
		if (configured != null && configured.contains("/")) {
			Path path = Path.of(configured);
			if (!path.isAbsolute() || !Files.isExecutable(path)) {
				throw new BackendException(configured + " is not the absolute path of an executable file", INSTALL);
			}
			return path;
		}
		List<String> names = (configured != null) ? List.of(configured) : List.of("podman", "docker");
		String path = System.getenv("PATH");
		for (String name : names) {
			for (String folder : (path != null) ? path.split(File.pathSeparator) : new String[0]) {
				Path candidate = Path.of(folder, name);
				if (candidate.isAbsolute() && Files.isExecutable(candidate)) {
					return candidate;
				}
			}
		}
		throw new BackendException(String.join(" and ", names) + " can't be found on the PATH of this JVM", INSTALL);
	}

	/** Ask whether the engine is there; return the first line of its answer. */
	private String first(Duration patience, String... arguments) throws BackendException, InterruptedException {
		Answer answer = require(patience, List.of(arguments));
		if (!answer.isGood()) {
			String complaint = answer.complaint();
			if (complaint.contains("OCI runtime") || complaint.contains("runtime \"")) {
				throw new BackendException(this.executable.getFileName() + " does not have the runtime: " + complaint,
						"Install the runtime (apt-get install runsc) and tell the engine of it, or remove"
								+ " psych.sandbox.container.runtime.");
			}
			throw new BackendException("the engine behind " + this.executable + " does not answer: " + complaint,
					"Find out with '" + this.executable
							+ " info'. Docker is started with systemctl start docker; for another"
							+ " socket set DOCKER_HOST.");
		}
		return answer.output().lines().findFirst().orElse("");
	}

	/**
	 * Ask while the sandbox is built, when no answer is a finding.
	 */
	Answer require(Duration patience, List<String> arguments) throws BackendException, InterruptedException {
		try {
			return ask(patience, arguments);
		}
		catch (HungException ex) {
			throw new BackendException(String.valueOf(ex.getMessage()),
					"The engine hangs. Find out with '" + this.executable + " info', and restart it.", ex);
		}
		catch (IOException ex) {
			throw new BackendException(this.executable + " can't be run: " + ex.getMessage(), INSTALL, ex);
		}
	}

	Answer ask(Duration patience, String... arguments) throws IOException, InterruptedException {
		return ask(patience, List.of(arguments));
	}

	Answer ask(Duration patience, List<String> arguments) throws IOException, InterruptedException {
		return run(patience, command(arguments));
	}

	/**
	 * Return the command line of a question.
	 */
	List<String> command(List<String> arguments) {
		List<String> command = new ArrayList<>();
		command.add(this.executable.toString());
		command.addAll(this.globals);
		command.addAll(arguments);
		return command;
	}

	/**
	 * Run the client to its end.
	 * @throws HungException if it did not come to one in time; it is ended
	 * @throws IOException if it can't be run
	 * @throws InterruptedException if the caller was interrupted; it is ended
	 */
	Answer run(Duration patience, List<String> command) throws IOException, InterruptedException {
		ChildProcess client = this.spawner.start(new ChildCommand(command, System.getenv(), Path.of("/")));
		try {
			int status = client.exit().get(patience.toMillis(), TimeUnit.MILLISECONDS).code();
			Answer answer = new Answer(status, client.said(client.stdout()).strip(),
					client.said(client.stderr()).strip().replaceAll("\\s*\\n", " / "));
			logger.trace("{} of {} ended with status {}", command.get(1 + this.globals.size()), this.executable,
					status);
			return answer;
		}
		catch (TimeoutException | ExecutionException ex) {
			throw new HungException("%s did not answer '%s' within %d s".formatted(this.executable,
					command.get(1 + this.globals.size()), patience.toSeconds()), ex);
		}
		finally {
			client.tree().killForcibly();
			client.close();
		}
	}

	/**
	 * Remove a container, whatever its state. An interrupt does not end that, it is kept
	 * for the caller.
	 * @param container its id or name
	 */
	void remove(String container) {
		boolean interrupted = Thread.interrupted();
		String problem = "";
		for (int attempt = 0; attempt < REMOVALS; attempt++) {
			try {
				Answer answer = ask(PATIENCE, "rm", "--force", "--volumes", container);
				problem = answer.complaint();
				if (answer.isGood() || isGone(problem)) {
					problem = "";
					break;
				}
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
			catch (IOException ex) {
				problem = String.valueOf(ex.getMessage());
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
		if (!problem.isEmpty()) {
			logger.warn("The container {} is left: {}", container, problem);
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static boolean isGone(String complaint) {
		return complaint.contains("no such container") || complaint.contains("No such container")
				|| complaint.contains("no container with");
	}

	/**
	 * Thrown when a client does not come to an end.
	 */
	static final class HungException extends IOException {

		HungException(String message, Throwable cause) {
			super(message, cause);
		}

	}

}
