package io.psych.sandbox.artifact;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The content of a file of a known size: fails when there turns out to be less or more of
 * it, or when the time for it is over.
 */
final class Content extends InputStream {

	/** Enough to tell a type by. */
	private static final int HEAD = 4096;

	private final BufferedInputStream source;

	private final BooleanSupplier expired;

	private long left;

	private @Nullable String problem;

	Content(InputStream source, long bytes, BooleanSupplier expired) {
		this.source = new BufferedInputStream(source, HEAD);
		this.left = bytes;
		this.expired = expired;
	}

	/**
	 * Return what it begins with. To be called before it is read.
	 */
	byte[] head() throws IOException {
		this.source.mark(HEAD);
		byte[] head = this.source.readNBytes((int) Math.min(HEAD, this.left));
		this.source.reset();
		return head;
	}

	/**
	 * Return why it failed, or {@code null} when it did not.
	 */
	@Nullable String problem() {
		return this.problem;
	}

	@Override
	public int read() throws IOException {
		byte[] one = new byte[1];
		return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xFF;
	}

	@Override
	public int read(byte[] buffer, int offset, int length) throws IOException {
		if (length == 0) {
			return 0;
		}
		if (this.expired.getAsBoolean()) {
			throw failed("the time for collecting was over before it was read");
		}
		if (this.left == 0) {
			if (this.source.read() >= 0) {
				throw failed("it grew while it was read");
			}
			return -1;
		}
		int read = this.source.read(buffer, offset, (int) Math.min(length, this.left));
		if (read < 0) {
			throw failed("it shrank while it was read");
		}
		this.left -= read;
		return read;
	}

	private IOException failed(String problem) {
		this.problem = problem;
		return new IOException(problem);
	}

}
