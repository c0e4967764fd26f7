package io.psych.sandbox.spring.s3;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import software.amazon.awssdk.http.ContentStreamProvider;

/**
 * Content in a file for temporary files, so that it can be sent again when an attempt
 * fails. The file has no name any more once it is open: nothing is left of it when this
 * JVM is killed.
 */
final class SpooledContent implements ContentStreamProvider, AutoCloseable {

	private final FileChannel file;

	SpooledContent(InputStream content) throws IOException {
		Path path = Files.createTempFile("psych-sandbox-blob-", null);
		try {
			this.file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
		}
		finally {
			Files.delete(path);
		}
		try {
			content.transferTo(Channels.newOutputStream(this.file));
		}
		catch (IOException ex) {
			this.file.close();
			throw ex;
		}
	}

	@Override
	public InputStream newStream() {
		return new InputStream() {

			private long position;

			@Override
			public int read() throws IOException {
				byte[] one = new byte[1];
				return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
			}

			@Override
			public int read(byte[] target, int offset, int length) throws IOException {
				int read = SpooledContent.this.file.read(ByteBuffer.wrap(target, offset, length), this.position);
				this.position += Math.max(0, read);
				return read;
			}

		};
	}

	@Override
	public void close() throws IOException {
		this.file.close();
	}

}
