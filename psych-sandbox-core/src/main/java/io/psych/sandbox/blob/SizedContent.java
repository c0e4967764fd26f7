package io.psych.sandbox.blob;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Content that must have the size that was said. The last bytes are handed on only once
 * it is known that nothing follows, so that whoever copies content of a wrong size never
 * has as much as was said. Closing it does not close what it reads from.
 *
 * @since 0.1.0
 */
public final class SizedContent extends InputStream {

	private final InputStream content;

	private final long bytes;

	private long missing;

	/**
	 * Create the stream. Reading it throws an {@link IOException} if the content has
	 * another size.
	 * @param content the content
	 * @param bytes the size
	 * @throws IOException if it is said to be empty and is not
	 */
	public SizedContent(InputStream content, long bytes) throws IOException {
		if (bytes < 0) {
			throw new IllegalArgumentException("bytes must not be negative but was " + bytes);
		}
		this.content = content;
		this.bytes = bytes;
		this.missing = bytes;
		if (bytes == 0) {
			checkEnd();
		}
	}

	@Override
	public int read() throws IOException {
		byte[] one = new byte[1];
		return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		Objects.checkFromIndexSize(offset, length, target.length);
		if (length == 0) {
			return 0;
		}
		if (this.missing == 0) {
			return -1;
		}
		int read = this.content.read(target, offset, (int) Math.min(length, this.missing));
		if (read < 0) {
			throw new EOFException(
					"content said to have " + this.bytes + " bytes has only " + (this.bytes - this.missing));
		}
		this.missing -= read;
		if (this.missing == 0) {
			checkEnd();
		}
		return read;
	}

	private void checkEnd() throws IOException {
		if (this.content.read() >= 0) {
			throw new IOException("content said to have " + this.bytes + " bytes has more");
		}
	}

}
