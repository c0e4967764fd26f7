package io.psych.sandbox.spawn;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;

import com.sun.jna.Native;

/**
 * Makes channels between this JVM and children that inherit theirs. Java makes no channel
 * of a descriptor, so that this JVM connects to itself, at an address that nobody else
 * can reach; a number that only this JVM knows tells its own connection from any other.
 *
 * @since 0.1.0
 */
public final class ChannelPairs implements AutoCloseable {

	/** {@code AF_UNIX} and {@code SOCK_STREAM} on every architecture of Linux here. */
	private static final short AF_UNIX = 1;

	private static final int SOCK_STREAM = 1;

	private static final int TOKEN = 16;

	private final Path folder;

	private final byte[] address;

	private final ServerSocketChannel listener;

	private final SecureRandom random = new SecureRandom();

	private ChannelPairs(Path folder, byte[] address, ServerSocketChannel listener) {
		this.folder = folder;
		this.address = address;
		this.listener = listener;
	}

	/**
	 * Prepare to make channels.
	 * @param folder a folder that is not there yet, with a path that leaves room for a
	 * socket's name
	 * @return makes channels
	 * @throws IOException if the folder or the socket can't be made
	 */
	public static ChannelPairs create(Path folder) throws IOException {
		Files.createDirectory(folder,
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
		Path socket = folder.resolve("s");
		ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
		try {
			listener.bind(UnixDomainSocketAddress.of(socket));
		}
		catch (IOException ex) {
			listener.close();
			throw ex;
		}
		// struct sockaddr_un: the family, and the path with a zero.
		byte[] path = RawName.bytes(socket);
		ByteBuffer address = ByteBuffer.allocate(Short.BYTES + 1 + path.length + 1).order(ByteOrder.nativeOrder());
		address.putShort(AF_UNIX).put((byte) '/').put(path);
		return new ChannelPairs(folder, address.array(), listener);
	}

	/**
	 * Make a channel. To be called by a thread that nobody interrupts: an interrupt
	 * closes the listener.
	 * @return its two ends
	 * @throws IOException if it can't be made
	 */
	synchronized Pair make() throws IOException {
		int descriptor = SpawnLibc.socket(AF_UNIX, SOCK_STREAM | SpawnLibc.O_CLOEXEC, 0);
		if (descriptor < 0) {
			throw failed("made");
		}
		try {
			byte[] token = new byte[TOKEN];
			this.random.nextBytes(token);
			if (SpawnLibc.connect(descriptor, this.address, this.address.length) != 0) {
				throw failed("connected");
			}
			if (SpawnLibc.write(descriptor, token, TOKEN) != TOKEN) {
				throw failed("written to");
			}
			return new Pair(descriptor, accept(token));
		}
		catch (IOException ex) {
			SpawnLibc.close(descriptor);
			throw ex;
		}
	}

	private static IOException failed(String what) {
		return new IOException("the channel can't be " + what + ": " + SpawnLibc.meaning(Native.getLastError()));
	}

	/** What was written before is there to be read at once. */
	private SocketChannel accept(byte[] token) throws IOException {
		while (true) {
			SocketChannel channel = this.listener.accept();
			channel.configureBlocking(false);
			ByteBuffer said = ByteBuffer.allocate(TOKEN);
			if (channel.read(said) == TOKEN && Arrays.equals(said.array(), token)) {
				channel.configureBlocking(true);
				return channel;
			}
			channel.close();
		}
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		Files.deleteIfExists(this.folder.resolve("s"));
		Files.deleteIfExists(this.folder);
	}

	/**
	 * The two ends of a channel.
	 *
	 * @param descriptor the end of the child
	 * @param channel the end of this JVM
	 */
	record Pair(int descriptor, SocketChannel channel) {

	}

}
