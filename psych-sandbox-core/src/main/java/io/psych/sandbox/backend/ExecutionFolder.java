package io.psych.sandbox.backend;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.psych.sandbox.spawn.HostUser;

/**
 * The folder of one execution: the socket its child connects to, and the workspace of a
 * child that has no file system of its own. Belongs to the user the child runs as and is
 * open to nobody else; removed with all that is in it when closed.
 *
 * @since 0.1.0
 */
public final class ExecutionFolder implements AutoCloseable {

	private static final String SOCKET = "s";

	private final Path path;

	private final ServerSocketChannel listener;

	private ExecutionFolder(Path path, ServerSocketChannel listener) {
		this.path = path;
		this.listener = listener;
	}

	static ExecutionFolder create(Path path, HostUser owner) throws IOException {
		Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
		ServerSocketChannel listener = null;
		try {
			Path channel = Files.createDirectory(path.resolve("c"));
			Path temp = Files.createDirectory(path.resolve("t"));
			Path work = Files.createDirectory(temp.resolve("work"));
			listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
			listener.bind(UnixDomainSocketAddress.of(channel.resolve(SOCKET)), 1);
			for (Path made : new Path[] { work, temp, channel.resolve(SOCKET), channel, path }) {
				give(made, owner);
			}
			return new ExecutionFolder(path, listener);
		}
		catch (IOException ex) {
			if (listener != null) {
				listener.close();
			}
			Folders.delete(path);
			throw ex;
		}
	}

	private static void give(Path path, HostUser owner) throws IOException {
		if (!Files.getAttribute(path, "unix:uid").equals(owner.uid())) {
			Files.setAttribute(path, "unix:gid", owner.gid());
			Files.setAttribute(path, "unix:uid", owner.uid());
		}
	}

	/**
	 * Return the socket that waits for the child. It takes one connection: the caller
	 * closes it then.
	 * @return the socket
	 */
	public ServerSocketChannel listener() {
		return this.listener;
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
	 * Return the folder a child without a file system of its own works in.
	 * @return the folder
	 */
	public Path workspace() {
		return temp().resolve("work");
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		Folders.delete(this.path);
	}

}
