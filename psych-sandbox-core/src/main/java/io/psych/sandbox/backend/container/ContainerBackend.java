package io.psych.sandbox.backend.container;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.backend.Backend;
import io.psych.sandbox.backend.BackendException;
import io.psych.sandbox.backend.ChildConfiguration;
import io.psych.sandbox.backend.ExecutionFolder;
import io.psych.sandbox.backend.InstanceFolder;
import io.psych.sandbox.backend.Interpreter;
import io.psych.sandbox.backend.InterpreterFinder;
import io.psych.sandbox.backend.Packages;
import io.psych.sandbox.bootstrap.BootstrapSources;
import io.psych.sandbox.cgroup.Owner;
import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.TreeLimits;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.FileHandle;
import io.psych.sandbox.spawn.HostUser;
import io.psych.sandbox.spawn.NamedPipe;
import io.psych.sandbox.spawn.Spawner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each child as the init of a container of its own. The engine's client starts it
 * and goes; the child's channel and its two streams are a socket and pipes in a folder
 * that is bound into the container.
 *
 * @since 0.1.0
 */
public final class ContainerBackend implements Backend {

	/** The name of this backend. */
	public static final String NAME = "container";

	/** A host without spare memory takes its time to start a container. */
	private static final Duration START = Duration.ofSeconds(15);

	private static final Logger logger = LoggerFactory.getLogger(ContainerBackend.class);

	private static final Path TEMP = Path.of("/tmp");

	private static final Path CHANNEL = Path.of("/psych/c");

	private static final Path ETC = Path.of("/psych/etc");

	private static final Path SOURCES = Path.of("/psych/src");

	private static final Path TARGET = Path.of("/psych/out");

	private static final String BOOTSTRAP = "psych_image.pyc";

	private static final String STDOUT = "o";

	private static final String STDERR = "e";

	private static final String LABEL = "io.psych.sandbox";

	private static final int NOT_EXECUTABLE = 126;

	private static final int NOT_FOUND = 127;

	/** What gVisor says its kernel is, whatever that of the host (uname(2)). */
	private static final String GVISOR = "Sun Jan 10 15:06:54 PST 2016";

	private static final String GVISOR_FLAGS = "--runtime-flag=network=none, --runtime-flag=host-uds=open and"
			+ " --runtime-flag=host-fifo=open for the channel, and --runtime-flag=ignore-cgroups where it can't make"
			+ " control groups.";

	private static final String LOOK_AROUND = """
			import json, os, site, sys
			folders = [folder for folder in site.getsitepackages() if os.path.isdir(folder)]
			names = {name.rsplit(".", 1)[0] for folder in folders for name in os.listdir(folder)
			         if name.endswith((".dist-info", ".egg-info"))}
			system = os.uname()
			print(json.dumps({"system": system.release + " " + system.version, "folders": folders,
			                  "names": sorted(" ".join(name.split("-")[:2]) for name in names)}), flush=True)
			with open(sys.argv[1] + "/BUNDLER", encoding="utf-8") as file:
			    exec(compile(file.read(), "<bundler>", "exec"))
			""".replace("BUNDLER", BootstrapSources.BUNDLER);

	private final Engine engine;

	private final ContainerSettings settings;

	private final ChildConfiguration children;

	private final HostUser current;

	/** Names this sandbox and tells whether its JVM is alive. */
	private final String instance;

	/** The id of the image, which its name may come to mean another one than. */
	private String image = "";

	private ContainerBackend(Engine engine, ContainerSettings settings, ChildConfiguration children, HostUser current,
			String instance) {
		this.engine = engine;
		this.settings = settings;
		this.children = children;
		this.current = current;
		this.instance = instance;
	}

	/**
	 * Find the engine and the image, remove what dead instances have left, and compile
	 * the child with the interpreter of the image.
	 * @param children what children are started with; the interpreter of the image takes
	 * the place of the host's
	 * @param settings which containers to use
	 * @param current the user this JVM runs as
	 * @param spawner starts the engine's client
	 * @return the backend
	 * @throws BackendException if the engine, the image or its interpreter can't be used
	 * @throws InterruptedException if the caller was interrupted
	 */
	public static ContainerBackend create(ChildConfiguration children, ContainerSettings settings, HostUser current,
			Spawner spawner) throws BackendException, InterruptedException {
		return create(children, settings, current, spawner, Engine.PATIENCE);
	}

	static ContainerBackend create(ChildConfiguration children, ContainerSettings settings, HostUser current,
			Spawner spawner, Duration patience) throws BackendException, InterruptedException {
		if (!children.interpreter().packages().folders().isEmpty()) {
			throw new BackendException("folders of packages of this host are not shown to containers",
					"Install the packages in the image, whose site-packages programs can import from, and remove"
							+ " psych.sandbox.packages.");
		}
		Engine engine = Engine.find(settings.engine(), settings.runtime(), settings.extraArguments(), spawner,
				patience);
		if (!engine.isPodman() && settings.extraArguments()
			.stream()
			.anyMatch((argument) -> argument.startsWith(ExtraArguments.RUNTIME_FLAG))) {
			throw new BackendException("docker takes no --runtime-flag",
					"Put the runtime's arguments into runtimes of /etc/docker/daemon.json.");
		}
		try {
			byte[] random = new byte[6];
			new SecureRandom().nextBytes(random);
			Owner owner = Owner.current();
			ContainerBackend backend = new ContainerBackend(engine, settings, children, current,
					owner.group(HexFormat.of().formatHex(random)));
			backend.sweep(owner);
			backend.image = backend.findImage(patience);
			return backend.withInterpreter(backend.inspectImage());
		}
		catch (IOException ex) {
			throw new BackendException("a container can't be prepared: " + ex.getMessage(), null, ex);
		}
	}

	private ContainerBackend withInterpreter(Interpreter interpreter) {
		ContainerBackend backend = new ContainerBackend(this.engine, this.settings, new ChildConfiguration(interpreter,
				this.children.instance(), this.children.listeners(), this.children.allowedEnvironment()), this.current,
				this.instance);
		backend.image = this.image;
		return backend;
	}

	private String findImage(Duration patience) throws BackendException, InterruptedException {
		Engine.Answer answer = this.engine.require(patience,
				List.of("image", "inspect", "--format", "{{.Id}}", this.settings.image()));
		if (!answer.isGood()) {
			throw new BackendException(
					"the image " + this.settings.image() + " is not there, and is never pulled: " + answer.complaint(),
					this.settings.image().startsWith("localhost/")
							? "Make it: .ci/container-image " + this.settings.image()
							: "Fetch it: " + this.engine.executable().getFileName() + " pull " + this.settings.image());
		}
		return answer.output().replaceFirst("^sha256:", "");
	}

	/**
	 * Run the interpreter of the image once: what it is, which kernel it sees, and the
	 * child compiled for it.
	 */
	private Interpreter inspectImage() throws BackendException, IOException, InterruptedException {
		InstanceFolder instance = this.children.instance();
		String name = this.instance + "-image";
		try (ExecutionFolder folder = instance.newExecution()) {
			readable(instance.sources());
			List<String> arguments = options(name, folder.owner(), Limits.defaults(), false);
			Collections.addAll(arguments, "--detach", "--log-driver", "json-file", "--mount",
					bind(instance.sources(), SOURCES, true), "--mount", bind(folder.temp(), TARGET, false),
					"--entrypoint", this.settings.interpreter(), this.image);
			arguments.addAll(Interpreter.FLAGS);
			Collections.addAll(arguments, "-X", "no_debug_ranges", "-c", LOOK_AROUND, SOURCES.toString(),
					TARGET.resolve(BOOTSTRAP).toString());
			String output = look(name, arguments);
			Interpreter interpreter = interpreter(output);
			requireRuntime(name, output);
			try (FileHandle made = FileHandle.ofFolder(folder.temp());
					FileHandle file = made.child(Path.of(BOOTSTRAP));
					InputStream content = file.read()) {
				Path bootstrap = instance.etc().resolve(BOOTSTRAP);
				Files.copy(content, bootstrap);
				Files.setPosixFilePermissions(bootstrap, PosixFilePermissions.fromString("rw-r--r--"));
			}
			return interpreter;
		}
		finally {
			this.engine.remove(name);
		}
	}

	/**
	 * Start a container, wait for its end and return what it printed. No client is
	 * attached: docker's, at podman's socket, waits for ever for a container that ends
	 * before podman looks whether it runs.
	 */
	private String look(String name, List<String> arguments) throws BackendException, InterruptedException {
		requireStarted(this.engine.require(START, arguments));
		Engine.Answer end = this.engine.require(START, List.of("wait", name));
		Engine.Answer printed = this.engine.require(Engine.PATIENCE, List.of("logs", name));
		if (!end.isGood() || !printed.isGood()) {
			throw new BackendException("the engine does not tell how a container ended and what it printed: "
					+ end.complaint() + printed.complaint(), null);
		}
		if (!"0".equals(end.output())) {
			throw new BackendException(
					"%s of the image %s can't run the child's script, it ended with status %s: %s".formatted(
							this.settings.interpreter(), this.settings.image(), end.output(), printed.complaint()),
					"Run the command line in the trace log by hand; it fails the same way.");
		}
		return printed.output();
	}

	private static void readable(Path sources) throws IOException {
		Files.setPosixFilePermissions(sources, PosixFilePermissions.fromString("rwxr-xr-x"));
		try (DirectoryStream<Path> files = Files.newDirectoryStream(sources, "*.py")) {
			for (Path file : files) {
				Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
			}
		}
	}

	private void requireStarted(Engine.Answer answer) throws BackendException {
		String interpreter = this.settings.interpreter();
		String runtime = this.settings.runtime();
		String complaint = answer.complaint();
		// A runtime may end with these for whatever keeps it from starting.
		if ((answer.status() == NOT_FOUND || answer.status() == NOT_EXECUTABLE) && complaint.contains(interpreter)) {
			throw new BackendException(
					"the image %s has no %s: %s".formatted(this.settings.image(), interpreter, complaint),
					"Use an image with Python, such as python:3-slim, or set psych.sandbox.container.interpreter to the"
							+ " path of its python3.");
		}
		if (!answer.isGood() && runtime != null) {
			throw new BackendException("the runtime " + runtime + " can't start a container: " + complaint,
					isGvisor(runtime)
							? "gVisor takes these of podman's psych.sandbox.container.extra-args: " + GVISOR_FLAGS
							: "Install the runtime and tell the engine of it, or remove"
									+ " psych.sandbox.container.runtime.");
		}
		if (!answer.isGood()) {
			throw new BackendException(
					"no container of the image %s can be started, the engine's run ended with status %d: %s"
						.formatted(this.settings.image(), answer.status(), complaint),
					"Run the command line in the trace log by hand; it fails the same way.");
		}
	}

	private Interpreter interpreter(String output) throws BackendException {
		String who = this.settings.interpreter() + " of the image " + this.settings.image();
		String[] lines = output.split("\n");
		if (lines.length != 2) {
			throw new BackendException(who + " did not answer as a Python does", null);
		}
		Interpreter told = InterpreterFinder.told(who, lines[1]);
		JsonValue around = parse(who, lines[0]);
		List<String> folders = around.strings("folders");
		List<String> names = around.strings("names");
		return told.withPackages(new Packages((folders != null) ? folders.stream().map(Path::of).toList() : List.of(),
				(names != null) ? names : List.of()));
	}

	private static JsonValue parse(String who, String line) throws BackendException {
		try {
			return JsonValue.parse(line);
		}
		catch (JsonFormatException ex) {
			throw new BackendException(who + " did not answer as a Python does", null, ex);
		}
	}

	/**
	 * An engine may take another runtime than it is told to, and that must not pass for a
	 * kernel of the container's own.
	 */
	private void requireRuntime(String container, String output) throws BackendException, InterruptedException {
		String runtime = this.settings.runtime();
		if (runtime == null) {
			return;
		}
		String asked = Path.of(runtime).getFileName().toString();
		Engine.Answer answer = this.engine.require(Engine.PATIENCE, List.of("inspect", "--format",
				this.engine.isPodman() ? "{{.OCIRuntime}}" : "{{.HostConfig.Runtime}}", container));
		String found = Path.of(answer.output()).getFileName().toString();
		String remedy = "Tell the engine of the runtime (podman: [engine.runtimes] in containers.conf, docker:"
				+ " runtimes in daemon.json), or remove psych.sandbox.container.runtime.";
		if (!found.equals(asked)) {
			throw new BackendException("the runtime " + runtime + " was asked for, and the engine used " + found,
					remedy);
		}
		String system = String.valueOf(parse("the image", output.split("\n")[0]).string("system"));
		if (isGvisor(asked) && !system.contains(GVISOR)) {
			throw new BackendException("the runtime " + runtime
					+ " was asked for, but seen from inside the kernel is not gVisor's: " + system, remedy);
		}
	}

	private static boolean isGvisor(String runtime) {
		return runtime.contains("runsc") || runtime.contains("gvisor");
	}

	/** Remove the containers of dead instances, and of no others. */
	private void sweep(Owner current) throws IOException, InterruptedException {
		for (String id : containers(LABEL + ".instance")) {
			Engine.Answer answer = this.engine.ask(Engine.PATIENCE, "inspect", "--format",
					"{{index .Config.Labels \"" + LABEL + ".instance\"}}", id);
			Owner owner = Owner.of(answer.output());
			if (answer.isGood() && owner != null && owner.isDeadFor(current)) {
				this.engine.remove(id);
				logger.info("Removed container {}, left behind by an instance that has ended", id);
			}
		}
	}

	private List<String> containers(String label) throws IOException, InterruptedException {
		Engine.Answer answer = this.engine.ask(Engine.PATIENCE, "ps", "--all", "--quiet", "--no-trunc", "--filter",
				"label=" + label);
		if (!answer.isGood()) {
			throw new IOException("the containers that are there can't be listed: " + answer.complaint());
		}
		return answer.output().lines().filter((line) -> !line.isBlank()).toList();
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public boolean hasOwnView() {
		return true;
	}

	@Override
	public boolean isBounding() {
		return true;
	}

	@Override
	public Interpreter interpreter(Interpreter host) {
		return this.children.interpreter();
	}

	@Override
	public String software() {
		return this.engine.version() + ", image " + this.image.substring(0, Math.min(12, this.image.length()));
	}

	@Override
	public Path workspace(ExecutionFolder folder) {
		return TEMP.resolve("work");
	}

	@Override
	public ChildCommand command(ExecutionFolder folder, Limits limits, boolean network) throws IOException {
		List<String> arguments = options(container(folder), folder.owner(), limits, network);
		Map<String, String> allowed = this.children.allowedEnvironment();
		this.children.environment(TEMP).forEach((name, value) -> {
			// A value that is this JVM's own is not written where others can read it.
			boolean own = value.equals(allowed.get(name)) && value.equals(System.getenv(name));
			Collections.addAll(arguments, "--env", own ? name : name + "=" + value);
		});
		Collections.addAll(arguments, "--detach", "--log-driver", "none", "--mount",
				bind(this.children.instance().etc(), ETC, true), "--mount",
				bind(folder.channelFolder(), CHANNEL, true));
		if (this.settings.runtime() != null && isGvisor(this.settings.runtime())) {
			// Linux writes to a pipe of a mount that is read-only, gVisor does not.
			for (String pipe : List.of(STDOUT, STDERR)) {
				Collections.addAll(arguments, "--mount",
						bind(folder.channelFolder().resolve(pipe), CHANNEL.resolve(pipe), false));
			}
		}
		Collections.addAll(arguments, "--entrypoint", this.children.interpreter().executable().toString(), this.image);
		List<String> child = this.children.arguments(
				new ChildConfiguration.Place(ETC.resolve(BOOTSTRAP), CHANNEL.resolve(folder.socket().getFileName()),
						TEMP, restriction(network), null),
				Map.of("container",
						Map.of("stdout", CHANNEL.resolve(STDOUT).toString(), "stderr",
								CHANNEL.resolve(STDERR).toString(), "environment",
								List.copyOf(this.children.environment(TEMP).keySet()))));
		arguments.addAll(child.subList(1, child.size()));
		return new ChildCommand(this.engine.command(arguments), Map.of(), Path.of("/"));
	}

	private String container(ExecutionFolder folder) {
		return this.instance + "-" + folder.name();
	}

	private List<String> options(String name, HostUser user, Limits limits, boolean network) {
		TreeLimits tree = TreeLimits.of(limits);
		String memory = Long.toString(tree.memory().bytes());
		String workspace = Long.toString(limits.workspace().bytes());
		List<String> options = new ArrayList<>(List.of("run", "--name", name));
		Collections.addAll(options, "--label", LABEL + "=container", "--label", LABEL + ".instance=" + this.instance,
				"--pull", "never", "--no-healthcheck");
		Collections.addAll(options, "--network", network ? "host" : "none", "--hostname", "sandbox", "--ipc",
				"private");
		Collections.addAll(options, "--user", user.uid() + ":" + user.gid(), "--cap-drop", "ALL", "--security-opt",
				"no-new-privileges");
		Collections.addAll(options, "--memory", memory, "--memory-swap", memory, "--pids-limit",
				Integer.toString(tree.processes()), "--shm-size",
				Long.toString(ChildConfiguration.SHARED_MEMORY.bytes()));
		Collections.addAll(options, "--ulimit", "core=0:0", "--ulimit", "nofile=1024:1024", "--ulimit",
				"nproc=4096:4096", "--ulimit", "fsize=" + workspace + ":" + workspace);
		Collections.addAll(options, "--read-only", "--tmpfs",
				// What the image has there would come with its permissions.
				TEMP + ":rw,exec,nosuid,nodev,mode=1777,size=" + workspace
						+ (this.engine.isPodman() ? ",notmpcopyup" : ""),
				"--workdir", TEMP.toString());
		if (this.engine.isPodman()) {
			// It would make further file systems to write to, without a bound.
			options.add("--read-only-tmpfs=false");
			if (!this.current.isRoot()) {
				options.add("--userns=keep-id");
			}
		}
		else {
			// Docker's client may have podman behind it, whose default mounts can only be
			// covered from there.
			for (String folder : List.of("/run", "/var/tmp")) {
				Collections.addAll(options, "--tmpfs", folder + ":ro,noexec,nosuid,nodev,size=4096");
			}
			if (this.settings.runtime() != null) {
				options.add("--runtime=" + this.settings.runtime());
			}
		}
		this.settings.extraArguments()
			.stream()
			.filter((argument) -> !argument.startsWith(ExtraArguments.RUNTIME_FLAG))
			.forEach(options::add);
		return options;
	}

	private static String bind(Path source, Path target, boolean readOnly) throws IOException {
		if (source.toString().matches(".*[,\"\\s].*")) {
			throw new IOException("a folder whose path has commas, quotes or blanks can't be bound: " + source);
		}
		return "type=bind,source=" + source + ",target=" + target + (readOnly ? ",readonly" : "");
	}

	/** A second layer, as for every backend. */
	private ChildConfiguration.Restriction restriction(boolean network) {
		Path filter = this.children.instance().filter(network);
		List<Path> readable = new ArrayList<>(this.children.runtimeFolders());
		readable.addAll(List.of(ETC, Path.of("/etc"), Path.of("/proc")));
		return new ChildConfiguration.Restriction(readable,
				Arrays.asList(TEMP, Path.of("/dev"), CHANNEL.resolve(STDOUT), CHANNEL.resolve(STDERR)), network,
				(filter != null) ? ETC.resolve(filter.getFileName()) : null);
	}

	@Override
	public ChildProcess start(ChildCommand command, ExecutionFolder folder, Spawner spawner)
			throws IOException, InterruptedException {
		NamedPipe stdout = NamedPipe.create(folder.channelFolder().resolve(STDOUT));
		NamedPipe stderr = null;
		ChildProcess process = null;
		try {
			stderr = NamedPipe.create(folder.channelFolder().resolve(STDERR));
			folder.openChannel();
			Engine.Answer answer = this.engine.run(START, command.arguments());
			String id = answer.output();
			if (!answer.isGood() || !id.matches("[0-9a-f]{64}")) {
				throw new IOException("the engine's run ended with status %d: %s%s".formatted(answer.status(),
						answer.complaint(), answer.isGood() ? id : ""));
			}
			process = ContainerProcess.watch(this.engine, id, this.children.instance().canary().toString(), stdout,
					stderr);
			return process;
		}
		finally {
			if (process == null) {
				this.engine.remove(container(folder));
				stdout.close();
				if (stderr != null) {
					stderr.close();
				}
			}
		}
	}

	/** What a client was ended before it could tell of has our label. */
	@Override
	public void release() {
		try {
			for (String id : containers(LABEL + ".instance=" + this.instance)) {
				this.engine.remove(id);
			}
		}
		catch (IOException ex) {
			logger.warn("Containers of this sandbox can't be looked for: {}", ex.getMessage());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public String toString() {
		return NAME + " " + software() + ((this.settings.runtime() != null) ? " " + this.settings.runtime() : "");
	}

}
