package io.psych.sandbox.backend.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.psych.sandbox.backend.Backend;
import io.psych.sandbox.backend.BackendException;
import io.psych.sandbox.backend.ChildConfiguration;
import io.psych.sandbox.backend.Devices;
import io.psych.sandbox.backend.ExecutionFolder;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChannelPairs;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.HostUser;
import io.psych.sandbox.spawn.Spawner;
import org.jspecify.annotations.Nullable;

/**
 * Launches each child through bubblewrap. When this JVM is root, bubblewrap itself is
 * started as the unprivileged user that children run as: a user namespace of root's would
 * leave the program root's, whom the kernel's process limit does not bind.
 *
 * @since 0.1.0
 */
public final class BubblewrapBackend implements Backend {

	/** The name of this backend. */
	public static final String NAME = "bubblewrap";

	private static final Path TEMP = Path.of("/tmp");

	private static final Path ETC = Path.of("/etc");

	private static final Path DEV = Path.of("/dev");

	private static final Path CHANNEL = Path.of("/run/psych");

	private static final List<Path> SETPRIV = List.of(Path.of("/usr/bin/setpriv"), Path.of("/bin/setpriv"));

	private final Bubblewrap bubblewrap;

	private final ChildConfiguration children;

	/** Whether bubblewrap is started as the child's user, since this JVM is root. */
	private final boolean becomesAnother;

	/** Makes the channels that children inherit, or {@code null} where they can't. */
	private final @Nullable ChannelPairs channels;

	/**
	 * Starts bubblewrap as the child's user where this JVM is root and can't.
	 */
	private final @Nullable Path setpriv;

	/** What the command line begins with, the same for every child. */
	private final List<String> launcher;

	/** The read-only view, the same for every child. */
	private final List<String> view;

	/** Whether the view's devices are a folder of the sandbox. */
	private final boolean ownDevices;

	private BubblewrapBackend(Bubblewrap bubblewrap, ChildConfiguration children, boolean becomesAnother,
			boolean inherits, List<String> launcher, List<String> view) throws BackendException {
		this.bubblewrap = bubblewrap;
		this.children = children;
		this.becomesAnother = becomesAnother;
		this.channels = inherits ? children.instance().channels() : null;
		this.setpriv = (becomesAnother && !inherits) ? setpriv() : null;
		this.launcher = launcher;
		this.view = view;
		this.ownDevices = children.instance().devices() != null;
	}

	/**
	 * Find bubblewrap and prepare to launch children. That it works is proved by a trial
	 * execution, not here.
	 * @param children what children are started with
	 * @param executable the bubblewrap to use, or {@code null} to take it from the usual
	 * places
	 * @param current the user this JVM runs as
	 * @param spawner starts bubblewrap
	 * @return the backend
	 * @throws BackendException if bubblewrap is not there or can't be used
	 * @throws InterruptedException if the caller was interrupted
	 */
	public static BubblewrapBackend create(ChildConfiguration children, @Nullable Path executable, HostUser current,
			Spawner spawner) throws BackendException, InterruptedException {
		Bubblewrap bubblewrap = Bubblewrap.find(executable, spawner);
		List<String> launcher = new ArrayList<>();
		launcher.add(bubblewrap.executable().toString());
		Collections.addAll(launcher, "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts");
		if (Files.exists(Path.of("/proc/self/ns/cgroup"))) {
			launcher.add("--unshare-cgroup");
		}
		Collections.addAll(launcher, "--disable-userns", "--cap-drop", "ALL", "--new-session", "--die-with-parent",
				"--hostname", "sandbox");
		return new BubblewrapBackend(bubblewrap, children, current.isRoot(), spawner.isNative(), List.copyOf(launcher),
				view(children));
	}

	private static Path setpriv() throws BackendException {
		return SETPRIV.stream()
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new BackendException(
					"this JVM is root, and setpriv, which starts bubblewrap as an unprivileged user, is not installed",
					"Install util-linux, or run the service as an unprivileged user."));
	}

	private static List<String> view(ChildConfiguration children) throws BackendException {
		List<String> view = new ArrayList<>(List.of("--ro-bind", "/usr", "/usr"));
		for (Path folder : ChildConfiguration.SYSTEM_FOLDERS) {
			try {
				if (Files.isSymbolicLink(folder)) {
					Collections.addAll(view, "--symlink", Files.readSymbolicLink(folder).toString(), folder.toString());
				}
				else if (Files.isDirectory(folder)) {
					Collections.addAll(view, "--ro-bind", folder.toString(), folder.toString());
				}
			}
			catch (IOException ex) {
				throw new BackendException(folder + " can't be read: " + ex.getMessage(), null, ex);
			}
		}
		List<Path> folders = new ArrayList<>(children.interpreter().prefixes());
		folders.addAll(children.interpreter().packages().folders());
		for (Path prefix : folders) {
			if (prefix.getNameCount() == 0) {
				throw new BackendException(
						"a folder of the interpreter or its packages is the root folder, which would show all of the host",
						"Set psych.sandbox.interpreter to a python3 with a prefix of its own, such as /usr/bin/python3, and"
								+ " psych.sandbox.packages to folders that hold nothing but packages.");
			}
			if (prefix.startsWith(TEMP)) {
				throw new BackendException(
						"the folder " + prefix + " of the interpreter or its packages is below " + TEMP
								+ ", where children have a folder of their own",
						"Set psych.sandbox.interpreter to a python3 elsewhere, such as /usr/bin/python3, and"
								+ " psych.sandbox.packages to folders elsewhere.");
			}
			if (!prefix.startsWith("/usr") && !view.contains(prefix.toString())) {
				Collections.addAll(view, "--ro-bind", prefix.toString(), prefix.toString());
			}
		}
		Collections.addAll(view, "--ro-bind", children.instance().etc().toString(), "/etc", "--proc", "/proc");
		addDevices(view, children.instance().devices());
		Collections.addAll(view, "--size", Long.toString(ChildConfiguration.SHARED_MEMORY.bytes()), "--tmpfs",
				"/dev/shm");
		return List.copyOf(view);
	}

	private static void addDevices(List<String> view, @Nullable Path folder) {
		if (folder != null) {
			Collections.addAll(view, "--dev-bind", folder.toString(), DEV.toString());
			return;
		}
		Collections.addAll(view, "--tmpfs", DEV.toString());
		for (Path device : Devices.ALL) {
			Collections.addAll(view, "--dev-bind", device.toString(), device.toString());
		}
		Devices.LINKS
			.forEach((name, target) -> Collections.addAll(view, "--symlink", target, DEV.resolve(name).toString()));
		Collections.addAll(view, "--dir", DEV.resolve("shm").toString());
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
	public boolean needsFolder() {
		return this.channels == null;
	}

	@Override
	public ChildCommand command(ExecutionFolder folder, Limits limits, boolean network) throws IOException {
		String uid = Integer.toString(folder.owner().uid());
		String gid = Integer.toString(folder.owner().gid());
		List<String> command = new ArrayList<>();
		if (this.setpriv != null) {
			Collections.addAll(command, this.setpriv.toString(), "--reuid=" + uid, "--regid=" + gid, "--clear-groups",
					"--");
		}
		command.addAll(this.launcher);
		Collections.addAll(command, "--uid", uid, "--gid", gid);
		if (!network) {
			command.add("--unshare-net");
		}
		command.addAll(this.view);
		Collections.addAll(command, "--size", Long.toString(limits.workspace().bytes()), "--tmpfs", TEMP.toString(),
				"--dir", TEMP.resolve("work").toString());
		Path socket = null;
		if (this.channels == null) {
			folder.openChannel();
			Collections.addAll(command, "--ro-bind", folder.channelFolder().toString(), CHANNEL.toString());
			socket = CHANNEL.resolve(folder.socket().getFileName());
		}
		if (!this.ownDevices) {
			// Else it is root's, and to remount it would take the devices from it.
			Collections.addAll(command, "--remount-ro", DEV.toString());
		}
		Collections.addAll(command, "--remount-ro", "/", "--chdir", TEMP.resolve("work").toString(), "--");
		Path bootstrap = ETC.resolve(this.children.instance().bootstrap().getFileName());
		command.addAll(this.children
			.arguments(new ChildConfiguration.Place(bootstrap, socket, TEMP, restriction(network), null)));
		return new ChildCommand(command, this.children.environment(TEMP), Path.of("/"),
				(this.becomesAnother && this.setpriv == null) ? folder.owner() : null, this.channels, null);
	}

	@Override
	public Path workspace(ExecutionFolder folder) {
		return TEMP.resolve("work");
	}

	/** A second layer: were the view wrong, nothing more of it would be open. */
	private ChildConfiguration.Restriction restriction(boolean network) {
		Path filter = this.children.instance().filter(network);
		List<Path> readable = new ArrayList<>(this.children.outermostRuntimeFolders());
		readable.addAll(List.of(ETC, Path.of("/proc")));
		return new ChildConfiguration.Restriction(readable, List.of(TEMP, DEV), network,
				(filter != null) ? ETC.resolve(filter.getFileName()) : null);
	}

	@Override
	public String toString() {
		return NAME + " " + this.bubblewrap.version();
	}

}
