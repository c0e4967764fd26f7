package io.psych.sandbox.backend;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

import io.psych.sandbox.spawn.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one execution: the socket its child connects to, and the workspace of a
 * child without a launcher, which mounts a file system of its own over it where it can.
 * The workspace belongs to the user the child runs as; the channel stays this JVM's, so
 * that no program of that user can connect in the child's place, unless a launcher that
 * runs as that user needs it. An execution whose child inherits its channel and is given
 * what it works in by a launcher has only the name of a folder. Removed with all that is
 * in it when closed.
 *
 * @since 0.1.0
 */
public final class ExecutionFolder implements AutoCloseable {

	private static final String SOCKET = "s";

	private static final FileAttribute<?> PRIVATE = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

	private final Path path;

	private final HostUser owner;

	private final ChildUsers users;

	private final @Nullable ServerSocketChannel listener;

	private ExecutionFolder(Path path, HostUser owner, ChildUsers users, @Nullable ServerSocketChannel listener) {
		this.path = path;
		this.owner = owner;
		this.users = users;
		this.listener = listener;
	}

	static ExecutionFolder create(Path path, HostUser owner, ChildUsers users) throws IOException {
		Files.createDirectory(path);
		ServerSocketChannel listener = null;
		try {
			Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
			Path channel = Files.createDirectory(path.resolve("c"), PRIVATE);
			Path temp = Files.createDirectory(path.resolve("t"), PRIVATE);
			Path work = Files.createDirectory(temp.resolve("work"), PRIVATE);
			listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
			listener.bind(UnixDomainSocketAddress.of(channel.resolve(SOCKET)), 1);
			give(work, owner);
			give(temp, owner);
			return new ExecutionFolder(path, owner, users, listener);
		}
		catch (IOException ex) {
			if (listener != null) {
				listener.close();
			}
			Folders.delete(path);
			users.giveBack(owner);
			throw ex;
		}
	}

	/**
	 * For a child that needs no folder: it inherits its channel, and a launcher makes
	 * what it works in.
	 */
	static ExecutionFolder withoutFolder(Path path, HostUser owner, ChildUsers users) {
		return new ExecutionFolder(path, owner, users, null);
	}

	private static void give(Path path, HostUser owner) throws IOException {
		if (!Files.getAttribute(path, "unix:uid").equals(owner.uid())) {
			Files.setAttribute(path, "unix:gid", owner.gid());
			Files.setAttribute(path, "unix:uid", owner.uid());
		}
	}

	/**
	 * Return the name of the folder.
	 * @return lower-case letters and digits, another one for each execution of a sandbox
	 */
	public String name() {
		return this.path.getFileName().toString();
	}

	/**
	 * Return the user the folder belongs to, whom the child runs as.
	 * @return the user
	 */
	public HostUser owner() {
		return this.owner;
	}

	/**
	 * Return the socket that waits for the child. It takes one connection: the caller
	 * closes it then.
	 * @return the socket
	 * @throws IllegalStateException if there is no folder
	 */
	public ServerSocketChannel listener() {
		if (this.listener == null) {
			throw new IllegalStateException("execution " + name() + " has no folder");
		}
		return this.listener;
	}

	/**
	 * Open the channel to the child's user, for a launcher that runs as that user.
	 * @throws IOException if it can't be
	 */
	public void openChannel() throws IOException {
		give(socket(), this.owner);
		give(channelFolder(), this.owner);
	}

	/**
	 * Return the folder that holds nothing but the socket.
	 * @return the folder
	 */
	public Path channelFolder() {
		return this.path.resolve("c");
	}

	/**
	 * Return the socket's path.
	 * @return the path
	 */
	public Path socket() {
		return channelFolder().resolve(SOCKET);
	}

	/**
	 * Return the folder for temporary files, which holds the workspace.
	 * @return the folder
	 */
	public Path temp() {
		return this.path.resolve("t");
	}

	/**
	 * Return the folder a child without a launcher works in.
	 * @return the folder
	 */
	public Path workspace() {
		return temp().resolve("work");
	}

	@Override
	public void close() throws IOException {
		if (this.listener != null) {
			this.listener.close();
			Folders.delete(this.path);
		}
		this.users.giveBack(this.owner);
	}

}
