package io.psych.sandbox.backend.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.backend.Backend;
import io.psych.sandbox.backend.BackendException;
import io.psych.sandbox.backend.ChildConfiguration;
import io.psych.sandbox.backend.ExecutionFolder;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.HostUser;

/**
 * Starts each child directly. Before it waits for a program, the child leaves the host's
 * network, pid, ipc, uts and mount namespaces where it may, becomes an unprivileged user
 * where this JVM is root, and drops every capability. In a mount namespace of its own its
 * folder, {@code /dev/shm} and {@code /proc} are its alone and bounded; all else is the
 * host's view. Where the kernel has Landlock, the host's files can't be opened, but their
 * names stay visible.
 *
 * @since 0.1.0
 */
public final class ProcessBackend implements Backend {

	/** The name of this backend. */
	public static final String NAME = "process";

	/**
	 * Files outside the runtime that interpreters and libraries read, none of which is a
	 * secret.
	 */
	private static final List<Path> OPEN_FILES = List.of(Path.of("/etc/ld.so.cache"), Path.of("/etc/alternatives"),
			Path.of("/etc/fonts"), Path.of("/etc/localtime"), Path.of("/proc/self"), Path.of("/proc/meminfo"),
			Path.of("/proc/cpuinfo"), Path.of("/proc/stat"), Path.of("/dev/zero"), Path.of("/dev/full"),
			Path.of("/dev/random"), Path.of("/dev/urandom"));

	private static final Path SHARED_MEMORY = Path.of("/dev/shm");

	private final ChildConfiguration children;

	/** Whether children become another user than that of this JVM. */
	private final boolean becomesAnother;

	private ProcessBackend(ChildConfiguration children, boolean becomesAnother) {
		this.children = children;
		this.becomesAnother = becomesAnother;
	}

	/**
	 * Prepare to start children.
	 * @param children what children are started with
	 * @param current the user this JVM runs as
	 * @param allowSameUser whether children may run as that user
	 * @return the backend
	 * @throws BackendException if children would run as that user and may not
	 */
	public static ProcessBackend create(ChildConfiguration children, HostUser current, boolean allowSameUser)
			throws BackendException {
		if (children.instance().users().all().stream().allMatch((user) -> user.uid() != current.uid())) {
			return new ProcessBackend(children, true);
		}
		if (!allowSameUser) {
			throw new BackendException(
					"programs would run as " + current.name()
							+ ", the user of this JVM, since only root can start them as another",
					"Install bubblewrap, or run the service as root with psych.sandbox.run-as naming an unprivileged"
							+ " user, or accept it with psych.sandbox.allow-same-user=true.");
		}
		return new ProcessBackend(children, false);
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public boolean hasOwnView() {
		return false;
	}

	@Override
	public ChildCommand command(ExecutionFolder folder, Limits limits, boolean network) {
		Map<String, ChildConfiguration.Tmpfs> mounts = Map.of("workspace",
				new ChildConfiguration.Tmpfs(folder.temp(), limits.workspace()), "shm",
				new ChildConfiguration.Tmpfs(SHARED_MEMORY, ChildConfiguration.SHARED_MEMORY));
		List<String> arguments = this.children
			.arguments(new ChildConfiguration.Place(this.children.instance().bootstrap(), folder.socket(),
					folder.temp(), restriction(folder, network), new ChildConfiguration.Confinement(
							this.becomesAnother ? folder.owner() : null, true, network, mounts)));
		return new ChildCommand(arguments, this.children.environment(folder.temp()), folder.workspace());
	}

	@Override
	public Path workspace(ExecutionFolder folder) {
		return folder.workspace();
	}

	@Override
	public String toString() {
		return NAME;
	}

	private ChildConfiguration.Restriction restriction(ExecutionFolder folder, boolean network) {
		List<Path> readable = new ArrayList<>(this.children.outermostRuntimeFolders());
		readable.addAll(OPEN_FILES);
		return new ChildConfiguration.Restriction(readable, List.of(folder.temp(), Path.of("/dev/null")), network,
				this.children.instance().filter(network));
	}

}
