package io.psych.sandbox.spawn;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads a pipe, in which there are no positions to ask for as in a file.
 */
final class PipeStream extends InputStream {

	private final FileInputStream file;

	/**
	 * Create a new instance, which opens the pipe once more.
	 * @param descriptor a descriptor of the end to read from
	 */
	PipeStream(int descriptor) throws IOException {
		this.file = new FileInputStream("/proc/self/fd/" + descriptor);
	}

	@Override
	public int read() throws IOException {
		return this.file.read();
	}

	@Override
	public int read(byte[] bytes, int offset, int length) throws IOException {
		return this.file.read(bytes, offset, length);
	}

	@Override
	public int available() throws IOException {
		return this.file.available();
	}

	@Override
	public void close() throws IOException {
		this.file.close();
	}

}
