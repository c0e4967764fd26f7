package io.psych.sandbox.backend;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.psych.sandbox.json.JsonValue;
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
	 */
	public record Confinement(@Nullable HostUser user, boolean namespaces, boolean network) {

	}

	/**
	 * Return the interpreter's command line.
	 * @param bootstrap the compiled child, where the child sees it
	 * @param socket the channel, where the child sees it
	 * @param temp the folder for temporary files, where the child sees it
	 * @param confinement how the child confines itself, or {@code null} when a launcher
	 * has done it
	 * @return the command line
	 */
	public List<String> arguments(Path bootstrap, Path socket, Path temp, @Nullable Confinement confinement) {
		List<List<Object>> targets = new ArrayList<>();
		this.listeners.addresses()
			.forEach((listener) -> targets.add(List.of(listener.getAddress().getHostAddress(), listener.getPort())));
		Map<String, Object> probe = new LinkedHashMap<>();
		probe.put("canary", this.instance.canary().toString());
		probe.put("hostPid", ProcessHandle.current().pid());
		probe.put("listeners", targets);
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("channel", "unix:" + socket);
		json.put("workspace", temp.resolve("work").toString());
		json.put("program", temp.resolve("program.py").toString());
		json.put("probe", probe);
		if (confinement != null) {
			HostUser user = confinement.user();
			json.put("confine", Map.of("uid", (user != null) ? user.uid() : -1, "gid", (user != null) ? user.gid() : -1,
					"namespaces", confinement.namespaces(), "network", confinement.network()));
		}
		List<String> arguments = new ArrayList<>();
		arguments.add(this.interpreter.executable().toString());
		arguments.addAll(Interpreter.FLAGS);
		arguments.add(bootstrap.toString());
		arguments.add(JsonValue.of(json).toJson());
		return arguments;
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
	 * Return whether a variable may be in a child's environment.
	 * @param name its name
	 * @return whether it may
	 */
	public boolean isExpected(String name) {
		return SET_BY_LAUNCHERS.contains(name) || environment(Path.of("/")).containsKey(name);
	}

}
