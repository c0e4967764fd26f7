package io.psych.sandbox.backend;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import io.psych.sandbox.seccomp.Architecture;
import io.psych.sandbox.seccomp.SeccompFilter;
import io.psych.sandbox.spawn.ChannelPairs;
import io.psych.sandbox.spawn.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one sandbox on the host: the compiled child, the few files of
 * {@code /etc} that children are shown, the canary, and a folder for each execution.
 * Others may pass through it but not list it.
 *
 * @since 0.1.0
 */
public final class InstanceFolder implements AutoCloseable {

	/** Begins the name of every folder made here, for those who look for leftovers. */
	public static final String PREFIX = "psych-sandbox-";

	/**
	 * The kernel's bound on the bytes of a Unix socket's path, its final zero included
	 * (unix(7)).
	 */
	private static final int SOCKET_PATH = 108;

	/** What is appended to this folder's path for a socket: a counter and fixed names. */
	private static final int SOCKET_ROOM = 24;

	private static final String FONTS = """
			<?xml version="1.0"?>
			<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
			<fontconfig><dir>/usr/share/fonts</dir><cachedir>/tmp/fontconfig</cachedir></fontconfig>
			""";

	private final Path path;

	private final InstanceLock lock;

	private final ChildUsers users;

	private final ChannelPairs channels;

	private final AtomicLong executions = new AtomicLong();

	private InstanceFolder(Path path, InstanceLock lock, ChildUsers users) throws IOException {
		this.path = path;
		this.lock = lock;
		this.users = users;
		try {
			this.channels = ChannelPairs.create(path.resolve("n"));
		}
		catch (IOException ex) {
			Folders.delete(path);
			lock.close();
			throw ex;
		}
	}

	/**
	 * Make the folder.
	 * @param parent where to make it
	 * @param users the users that children run as
	 * @return the folder
	 * @throws IOException if it can't be made, or its path is too long for a socket
	 */
	public static InstanceFolder create(Path parent, ChildUsers users) throws IOException {
		byte[] random = new byte[6];
		new SecureRandom().nextBytes(random);
		Path path = parent.toRealPath()
			.resolve(PREFIX + ProcessHandle.current().pid() + "-" + HexFormat.of().formatHex(random));
		if (path.toString().getBytes(StandardCharsets.UTF_8).length + SOCKET_ROOM >= SOCKET_PATH) {
			throw new IOException(
					"a Unix socket below " + parent + " would have a path of more than " + SOCKET_PATH + " bytes");
		}
		for (HostUser user : users.all()) {
			checkPassable(path.getParent(), user);
		}
		InstanceLock.sweep(parent.toRealPath(), PREFIX);
		InstanceFolder folder = new InstanceFolder(path, InstanceLock.makeFolder(path), users);
		try {
			Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
			Files.setPosixFilePermissions(Files.createDirectory(path.resolve("x")),
					PosixFilePermissions.fromString("rwx--x--x"));
			Files.createDirectory(path.resolve("src"));
			folder.writeEtc();
			folder.writeFilters();
			Devices.copyTo(folder.path.resolve("dev"));
			readable(Files.writeString(folder.canary(), "the canary of psych-sandbox\n"));
			return folder;
		}
		catch (IOException ex) {
			folder.close();
			throw ex;
		}
	}

	/**
	 * A child that runs as another user must be able to reach its socket and its script.
	 */
	private static void checkPassable(@Nullable Path parent, HostUser user) throws IOException {
		for (Path folder = parent; folder != null; folder = folder.getParent()) {
			Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
			PosixFilePermission needed = PosixFilePermission.OTHERS_EXECUTE;
			if (Files.getAttribute(folder, "unix:uid").equals(user.uid())) {
				needed = PosixFilePermission.OWNER_EXECUTE;
			}
			else if (Files.getAttribute(folder, "unix:gid").equals(user.gid())) {
				needed = PosixFilePermission.GROUP_EXECUTE;
			}
			if (!permissions.contains(needed)) {
				throw new IOException("programs run as " + user.name() + ", who can't pass through " + folder + " ("
						+ PosixFilePermissions.toString(permissions) + ")");
			}
		}
	}

	/**
	 * Return a file that any user of the host can read, and no program must.
	 * @return the canary
	 */
	public Path canary() {
		return this.path.resolve("canary");
	}

	/**
	 * Return the folder shown to children as {@code /etc}; it also holds the compiled
	 * child, since every bind costs.
	 * @return the folder
	 */
	public Path etc() {
		return this.path.resolve("etc");
	}

	/**
	 * Return the folder shown to children as {@code /dev}.
	 * @return the folder, or {@code null} where no devices can be made
	 */
	public @Nullable Path devices() {
		Path devices = this.path.resolve("dev");
		return Files.isDirectory(devices) ? devices : null;
	}

	/**
	 * Return the compiled child.
	 * @return the file
	 */
	public Path bootstrap() {
		return etc().resolve("psych_bootstrap.pyc");
	}

	/**
	 * Return the filter of system calls that children install.
	 * @param network whether for children that keep the host's network
	 * @return the file, or {@code null} when the filter does not know this architecture
	 */
	public @Nullable Path filter(boolean network) {
		Path filter = etc().resolve(network ? "psych_network.bpf" : "psych.bpf");
		return Files.exists(filter) ? filter : null;
	}

	private void writeFilters() throws IOException {
		Architecture architecture = Architecture.current();
		if (architecture != null) {
			readable(Files.write(etc().resolve("psych.bpf"), SeccompFilter.denyList(architecture, false)));
			readable(Files.write(etc().resolve("psych_network.bpf"), SeccompFilter.denyList(architecture, true)));
		}
	}

	/**
	 * Return the folder for the child's sources.
	 * @return the folder
	 */
	public Path sources() {
		return this.path.resolve("src");
	}

	/**
	 * Return the users that children run as.
	 * @return the users
	 */
	public ChildUsers users() {
		return this.users;
	}

	/**
	 * Return what makes the channels of children that inherit theirs.
	 * @return makes channels
	 */
	public ChannelPairs channels() {
		return this.channels;
	}

	/**
	 * Make the folder of an execution.
	 * @return the folder
	 * @throws IOException if it can't be made
	 */
	public ExecutionFolder newExecution() throws IOException {
		return newExecution(true);
	}

	/**
	 * Prepare an execution.
	 * @param folder whether it needs a folder
	 * @return the folder, or what would be its name and its owner
	 * @throws IOException if it can't be made
	 */
	public ExecutionFolder newExecution(boolean folder) throws IOException {
		String name = Long.toString(this.executions.incrementAndGet(), Character.MAX_RADIX);
		HostUser user = this.users.take();
		if (user == null) {
			throw new IOException("every user of " + this.users + " (psych.sandbox.run-as) runs a program");
		}
		Path path = this.path.resolve("x").resolve(name);
		return folder ? ExecutionFolder.create(path, user, this.users)
				: ExecutionFolder.withoutFolder(path, user, this.users);
	}

	private void writeEtc() throws IOException {
		Path etc = Files.createDirectory(etc());
		StringBuilder passwd = new StringBuilder();
		StringBuilder group = new StringBuilder();
		for (HostUser user : this.users.all()) {
			passwd.append("sandbox%1$d:x:%1$d:%2$d::/tmp/work:/bin/sh\n".formatted(user.uid(), user.gid()));
			group.append("sandbox%1$d:x:%1$d:\n".formatted(user.gid()));
		}
		readable(Files.writeString(etc.resolve("passwd"), passwd));
		readable(Files.writeString(etc.resolve("group"), group));
		readable(Files.writeString(etc.resolve("hosts"), "127.0.0.1 localhost\n::1 localhost\n"));
		readable(Files.writeString(etc.resolve("nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files\n",
				StandardCharsets.US_ASCII));
		// What draws text, such as matplotlib, asks fontconfig, which complains without.
		Path fonts = Files.createDirectory(etc.resolve("fonts"));
		readable(Files.writeString(fonts.resolve("fonts.conf"), FONTS));
		Files.setPosixFilePermissions(fonts, PosixFilePermissions.fromString("rwxr-xr-x"));
		// Where the dynamic linker finds libraries outside its default folders.
		Path cache = Path.of("/etc/ld.so.cache");
		if (Files.isReadable(cache)) {
			readable(Files.copy(cache, etc.resolve("ld.so.cache")));
		}
		// Debian's numerical libraries are reached through links in there.
		Path alternatives = Path.of("/etc/alternatives");
		if (Files.isDirectory(alternatives)) {
			Path target = Files.createDirectory(etc.resolve("alternatives"));
			try (DirectoryStream<Path> links = Files.newDirectoryStream(alternatives, "*.so*")) {
				for (Path link : links) {
					Files.copy(link, target.resolve(link.getFileName()), LinkOption.NOFOLLOW_LINKS,
							StandardCopyOption.COPY_ATTRIBUTES);
				}
			}
			Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
		}
		Files.setPosixFilePermissions(etc, PosixFilePermissions.fromString("rwxr-xr-x"));
	}

	private static void readable(Path file) throws IOException {
		Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
	}

	@Override
	public void close() throws IOException {
		this.channels.close();
		Folders.delete(this.path);
		this.lock.close();
	}

}
