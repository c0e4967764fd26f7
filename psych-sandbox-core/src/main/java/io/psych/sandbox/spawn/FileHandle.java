package io.psych.sandbox.spawn;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

import com.sun.jna.LastErrorException;

/**
 * Points at one file or folder, whatever becomes of its name and of everybody else who
 * knows it: that of a file system in memory outlives the mount namespace it was mounted
 * in. No link is followed to get it. To have one reads nothing, opens no device and waits
 * for no pipe ({@code O_PATH} in open(2)), so what it points at can be looked at first.
 *
 * @since 0.1.0
 */
public final class FileHandle implements AutoCloseable {

	private final int descriptor;

	private final Path path;

	private final AtomicBoolean closed = new AtomicBoolean();

	private FileHandle(int descriptor) {
		this.descriptor = descriptor;
		this.path = Path.of("/proc/self/fd", Integer.toString(descriptor));
	}

	/**
	 * Point at a folder. Links are followed on the way to it, not at its end.
	 * @param path the absolute path of the folder
	 * @return the handle
	 * @throws IOException if it is not there, or no folder
	 */
	public static FileHandle ofFolder(Path path) throws IOException {
		FileHandle handle = open(Libc.AT_FDCWD, path);
		try {
			FileFacts facts = handle.facts();
			if (!facts.isFolder()) {
				throw new FileSystemException(path.toString(), null, "it is a " + facts.kind() + ", not a folder");
			}
			return handle;
		}
		catch (IOException ex) {
			handle.close();
			throw ex;
		}
	}

	/**
	 * Point at what has a name in this folder, a link included.
	 * @param name one name
	 * @return the handle
	 * @throws IOException if there is nothing of that name, or it can't be reached
	 */
	public FileHandle child(Path name) throws IOException {
		if (name.isAbsolute() || name.getNameCount() != 1) {
			throw new IllegalArgumentException("name must be one name but was " + name);
		}
		return open(this.descriptor, name);
	}

	private static FileHandle open(int folder, Path path) throws IOException {
		byte[] raw = RawName.bytes(path);
		byte[] bytes = Arrays.copyOf(raw, raw.length + 1);
		if (path.isAbsolute()) {
			bytes = new byte[raw.length + 2];
			bytes[0] = '/';
			System.arraycopy(raw, 0, bytes, 1, raw.length);
		}
		try {
			return new FileHandle(Libc.INSTANCE.openat(folder, bytes, Libc.O_PATH | Libc.O_NOFOLLOW | Libc.O_CLOEXEC));
		}
		catch (LastErrorException ex) {
			throw new FileSystemException(path.toString(), null, ex.getMessage());
		}
	}

	/**
	 * Return a path by which this very process reaches it, as long as it is not closed.
	 * @return the path, a link of the kernel's that has to be followed
	 */
	public Path path() {
		return this.path;
	}

	/**
	 * Return what the kernel tells of it now.
	 * @return the facts
	 * @throws IOException if it can't be asked
	 */
	public FileFacts facts() throws IOException {
		return FileFacts.of(this.path);
	}

	/**
	 * Open the folder it is for listing.
	 * @return its entries, in the order of its file system
	 * @throws IOException if it may not be listed
	 */
	public DirectoryStream<Path> list() throws IOException {
		return Files.newDirectoryStream(this.path);
	}

	/**
	 * Open the regular file it is for reading. Anything else could keep the caller
	 * waiting.
	 * @return its content
	 * @throws IOException if it may not be read, or is no regular file
	 */
	public InputStream read() throws IOException {
		FileFacts facts = facts();
		if (!facts.isRegular()) {
			throw new FileSystemException(this.path.toString(), null, "it is a " + facts.kind());
		}
		return Files.newInputStream(this.path);
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			Libc.INSTANCE.close(this.descriptor);
		}
	}

}
