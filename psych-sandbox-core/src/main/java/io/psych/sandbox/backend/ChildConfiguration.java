package io.psych.sandbox.backend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * What every child is started with, whichever the backend: its arguments and its
 * environment, which is built from nothing.
 *
 * @param interpreter the interpreter
 * @param instance the folder of the sandbox
 * @param listeners listeners a child tries to reach
 * @param allowedEnvironment variables of this JVM that are handed on
 * @since 0.1.0
 */
public record ChildConfiguration(Interpreter interpreter, InstanceFolder instance, HostListeners listeners,
		Map<String, String> allowedEnvironment) {

	private static final Path USR = Path.of("/usr");

	/** The folders beside {@code /usr} in which programs and libraries are found. */
	public static final List<Path> SYSTEM_FOLDERS = List.of(Path.of("/bin"), Path.of("/sbin"), Path.of("/lib"),
			Path.of("/lib32"), Path.of("/lib64"), Path.of("/libx32"));

	/**
	 * Those of them that are folders of their own on this host; most lead into another.
	 */
	private static final List<Path> OWN_SYSTEM_FOLDERS = SYSTEM_FOLDERS.stream()
		.filter(ChildConfiguration::isOwnFolder)
		.toList();

	/**
	 * The size of {@code /dev/shm}. Python's semaphores and small shared arrays live in
	 * there; bulk belongs into the workspace.
	 */
	public static final ByteSize SHARED_MEMORY = ByteSize.ofMebibytes(16);

	/**
	 * What a launcher or the interpreter sets by itself; their values tell nothing of the
	 * host.
	 */
	private static final Set<String> SET_BY_LAUNCHERS = Set.of("PWD");

	/**
	 * How a child confines itself when no launcher does.
	 *
	 * @param user the user to become, or {@code null} to stay the one it is
	 * @param namespaces whether to leave the host's namespaces
	 * @param network whether to keep the host's network
	 * @param mounts file systems it mounts in a namespace of its own, by their name in
	 * its report; the one that holds its workspace is {@code workspace}
	 */
	public record Confinement(@Nullable HostUser user, boolean namespaces, boolean network, Map<String, Tmpfs> mounts) {

	}

	/**
	 * A file system in memory.
	 *
	 * @param folder the existing folder it covers
	 * @param size the bytes that all files in it may hold together
	 */
	public record Tmpfs(Path folder, ByteSize size) {

		/** Even empty files take about 1 KiB of the kernel's memory each. */
		private static final long BYTES_PER_INODE = 4096;

		private static final long FEWEST_INODES = 1024;

		/** As many files as there are pages, which bounds the empty ones too. */
		long inodes() {
			return Math.max(this.size.bytes() / BYTES_PER_INODE, FEWEST_INODES);
		}

	}

	/**
	 * What is left open to a child by Landlock and seccomp.
	 *
	 * @param readable files and folders it may read and execute
	 * @param writable folders it may also write in
	 * @param network whether it may use TCP
	 * @param filter the filter of system calls, where the child sees it, or {@code null}
	 * for none
	 */
	public record Restriction(List<Path> readable, List<Path> writable, boolean network, @Nullable Path filter) {

	}

	/**
	 * Where a child finds what it needs, and what it does to itself.
	 *
	 * @param bootstrap the compiled child, where the child sees it
	 * @param socket the channel, where the child sees it, or {@code null} when it
	 * inherits its channel
	 * @param temp the folder for temporary files, where the child sees it
	 * @param restriction what it leaves open to itself, or {@code null} for everything
	 * @param confinement how it confines itself, or {@code null} when a launcher has done
	 * it
	 */
	public record Place(Path bootstrap, @Nullable Path socket, Path temp, @Nullable Restriction restriction,
			@Nullable Confinement confinement) {

	}

	/**
	 * Return the interpreter's command line.
	 * @param place where the child finds what it needs
	 * @return the command line
	 */
	public List<String> arguments(Place place) {
		return arguments(place, Map.of());
	}

	/**
	 * Return the interpreter's command line.
	 * @param place where the child finds what it needs
	 * @param more what else it is told, by name
	 * @return the command line
	 */
	public List<String> arguments(Place place, Map<String, Object> more) {
		List<List<Object>> targets = new ArrayList<>();
		this.listeners.addresses()
			.forEach((listener) -> targets.add(List.of(listener.getAddress().getHostAddress(), listener.getPort())));
		Map<String, Object> probe = new LinkedHashMap<>();
		probe.put("canary", this.instance.canary().toString());
		probe.put("hostPid", ProcessHandle.current().pid());
		probe.put("listeners", targets);
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("channel", (place.socket() != null) ? "unix:" + place.socket() : "fd:" + ChildCommand.CHANNEL);
		json.put("workspace", place.temp().resolve("work").toString());
		json.put("program", place.temp().resolve("program.py").toString());
		json.put("packages", this.interpreter.packages().folders().stream().map(Path::toString).toList());
		json.put("probe", probe);
		Restriction restriction = place.restriction();
		if (restriction != null) {
			Map<String, @Nullable Object> restrict = new LinkedHashMap<>();
			restrict.put("readable", restriction.readable().stream().map(Path::toString).toList());
			restrict.put("writable", restriction.writable().stream().map(Path::toString).toList());
			restrict.put("network", restriction.network());
			restrict.put("filter", (restriction.filter() != null) ? restriction.filter().toString() : null);
			json.put("restrict", restrict);
		}
		Confinement confinement = place.confinement();
		if (confinement != null) {
			HostUser user = confinement.user();
			Map<String, Object> mounts = new LinkedHashMap<>();
			confinement.mounts()
				.forEach((name, tmpfs) -> mounts.put(name,
						List.of(tmpfs.folder().toString(), tmpfs.size().bytes(), tmpfs.inodes())));
			Map<String, Object> confine = new LinkedHashMap<>();
			confine.put("uid", (user != null) ? user.uid() : -1);
			confine.put("gid", (user != null) ? user.gid() : -1);
			confine.put("namespaces", confinement.namespaces());
			confine.put("network", confinement.network());
			confine.put("mounts", mounts);
			json.put("confine", confine);
		}
		json.putAll(more);
		List<String> arguments = new ArrayList<>();
		arguments.add(this.interpreter.executable().toString());
		arguments.addAll(Interpreter.FLAGS);
		arguments.add(place.bootstrap().toString());
		arguments.add(JsonValue.of(json).toJson());
		return arguments;
	}

	/**
	 * Return the folders that programs, libraries, the interpreter and its packages lie
	 * in.
	 * @return the folders; one that does not exist may be among them
	 */
	public List<Path> runtimeFolders() {
		List<Path> folders = new ArrayList<>(List.of(USR));
		folders.addAll(SYSTEM_FOLDERS);
		folders.addAll(this.interpreter.prefixes());
		folders.addAll(this.interpreter.packages().folders());
		return folders;
	}

	/**
	 * Return of these folders what Landlock needs a rule for, where a child sees the
	 * folders of this host: none that is not there or below another.
	 * @return the folders
	 */
	public List<Path> outermostRuntimeFolders() {
		List<Path> outermost = new ArrayList<>(List.of(USR));
		for (Path folder : runtimeFolders()) {
			boolean superfluous = SYSTEM_FOLDERS.contains(folder) && !OWN_SYSTEM_FOLDERS.contains(folder);
			if (!superfluous && outermost.stream().noneMatch(folder::startsWith)) {
				outermost.add(folder);
			}
		}
		return outermost;
	}

	private static boolean isOwnFolder(Path folder) {
		try {
			return !folder.toRealPath().startsWith(USR);
		}
		catch (IOException ex) {
			return Files.exists(folder);
		}
	}

	/**
	 * Return the environment of a child.
	 * @param temp the folder for temporary files, where the child sees it
	 * @return the whole environment
	 */
	public Map<String, String> environment(Path temp) {
		Map<String, String> environment = new TreeMap<>(this.allowedEnvironment);
		environment.put("HOME", temp.resolve("work").toString());
		environment.put("TMPDIR", temp.toString());
		environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
		environment.put("LANG", "C.UTF-8");
		environment.put("PYTHONDONTWRITEBYTECODE", "1");
		// There is no display, and what matplotlib caches is nobody's result.
		environment.put("MPLBACKEND", "Agg");
		environment.put("MPLCONFIGDIR", temp.resolve("matplotlib").toString());
		// Debian's must find settings, and without these looks in /etc, which is closed.
		environment.put("MATPLOTLIBRC", "/dev/null");
		// Each arena of glibc's malloc and each stack of a numerical library's threads
		// reserves
		// address space by the number of the host's processors, which the limit would not
		// survive.
		environment.put("MALLOC_ARENA_MAX", "2");
		for (String library : new String[] { "OMP", "OPENBLAS", "MKL", "NUMEXPR" }) {
			environment.put(library + "_NUM_THREADS", "1");
		}
		return environment;
	}

	/**
	 * Return the variables that may be in a child's environment.
	 * @return their names
	 */
	public Set<String> expectedVariables() {
		Set<String> names = new HashSet<>(SET_BY_LAUNCHERS);
		names.addAll(environment(Path.of("/")).keySet());
		return Set.copyOf(names);
	}

}
