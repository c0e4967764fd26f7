package io.psych.sandbox.spawn;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import com.sun.jna.LastErrorException;

/**
 * A pipe with a name, for a child that can't inherit one. It can be read from the
 * beginning; that all writers have gone is told once it is released.
 *
 * @since 0.1.0
 */
public final class NamedPipe implements AutoCloseable {

	/** Keeps the pipe from being without a writer before the child has opened it. */
	private final RandomAccessFile writer;

	private final FileInputStream reader;

	private NamedPipe(RandomAccessFile writer, FileInputStream reader) {
		this.writer = writer;
		this.reader = reader;
	}

	/**
	 * Make a pipe that any user can write to who can reach it.
	 * @param path where
	 * @return the pipe
	 * @throws IOException if it can't be made
	 */
	public static NamedPipe create(Path path) throws IOException {
		byte[] name = RawName.bytes(path);
		byte[] bytes = new byte[name.length + 2];
		bytes[0] = '/';
		System.arraycopy(name, 0, bytes, 1, name.length);
		try {
			Libc.INSTANCE.mkfifo(bytes, 0600);
		}
		catch (LastErrorException ex) {
			throw new FileSystemException(path.toString(), null, ex.getMessage());
		}
		Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw--w--w-"));
		// To open both ends at once waits for nobody (fifo(7)), and then there is a
		// writer for the reader.
		RandomAccessFile writer = new RandomAccessFile(path.toFile(), "rw");
		try {
			return new NamedPipe(writer, new FileInputStream(path.toFile()));
		}
		catch (IOException ex) {
			writer.close();
			throw ex;
		}
	}

	/**
	 * Return the end to read from.
	 * @return the stream
	 */
	public InputStream stream() {
		return this.reader;
	}

	/**
	 * Give up the own writing end: when the last writer goes, the stream ends.
	 */
	public void release() {
		try {
			this.writer.close();
		}
		catch (IOException ex) {
			// The descriptor is gone either way (close(2)).
		}
	}

	/**
	 * Give up both ends. Nobody must be reading.
	 */
	@Override
	public void close() {
		release();
		try {
			this.reader.close();
		}
		catch (IOException ex) {
			// As above.
		}
	}

}
