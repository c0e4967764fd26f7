package io.psych.sandbox.spring.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decompresses gzip (RFC 1952). Not the JDK's: its own goes one call deeper for each
 * empty member, so that 160 KB of them overflow the stack, and takes the end of what has
 * arrived for the end of all.
 */
final class GunzipStream extends InputStream {

	private static final int BUFFER = 8 * 1024;

	private static final int HAS_HEADER_CRC = 1 << 1;

	private static final int HAS_EXTRA = 1 << 2;

	private static final int HAS_NAME = 1 << 3;

	private static final int HAS_COMMENT = 1 << 4;

	private static final int RESERVED_FLAGS = 0xe0;

	private static final int DEFLATE = 8;

	private final InputStream in;

	private final byte[] buffer = new byte[BUFFER];

	private int position;

	private int end;

	private final Inflater inflater = new Inflater(true);

	private final CRC32 checksum = new CRC32();

	private boolean hasBegun;

	private boolean isInMember;

	GunzipStream(InputStream in) {
		this.in = in;
	}

	@Override
	public int read() throws IOException {
		byte[] one = new byte[1];
		return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		if (length == 0) {
			return 0;
		}
		while (true) {
			if (!this.isInMember && !beginMember()) {
				return -1;
			}
			int count = inflate(target, offset, length);
			if (count > 0) {
				this.checksum.update(target, offset, count);
				return count;
			}
			if (this.inflater.finished()) {
				endMember();
			}
			else if (this.inflater.needsDictionary()) {
				throw new ZipException("a dictionary is needed");
			}
			else {
				fill();
			}
		}
	}

	private int inflate(byte[] target, int offset, int length) throws ZipException {
		this.inflater.setInput(this.buffer, this.position, this.end - this.position);
		try {
			int count = this.inflater.inflate(target, offset, length);
			this.position = this.end - this.inflater.getRemaining();
			return count;
		}
		catch (DataFormatException ex) {
			throw new ZipException("broken data");
		}
	}

	/** Return whether there is one more. */
	private boolean beginMember() throws IOException {
		if (this.position == this.end && !tryFill()) {
			if (!this.hasBegun) {
				throw new EOFException();
			}
			return false;
		}
		if (next() != 0x1f || next() != 0x8b || next() != DEFLATE) {
			throw new ZipException("no gzip");
		}
		int flags = next();
		if ((flags & RESERVED_FLAGS) != 0) {
			throw new ZipException("unknown flags");
		}
		// Time, extra flags and operating system.
		skip(6);
		if ((flags & HAS_EXTRA) != 0) {
			skip(next() | next() << 8);
		}
		if ((flags & HAS_NAME) != 0) {
			skipText();
		}
		if ((flags & HAS_COMMENT) != 0) {
			skipText();
		}
		if ((flags & HAS_HEADER_CRC) != 0) {
			skip(2);
		}
		this.inflater.reset();
		this.checksum.reset();
		this.hasBegun = true;
		this.isInMember = true;
		return true;
	}

	private void endMember() throws IOException {
		long checksum = number();
		long length = number();
		if (checksum != this.checksum.getValue() || length != (this.inflater.getBytesWritten() & 0xffffffffL)) {
			throw new ZipException("wrong checksum");
		}
		this.isInMember = false;
	}

	private long number() throws IOException {
		return next() | next() << 8 | next() << 16 | (long) next() << 24;
	}

	private void skip(int bytes) throws IOException {
		for (int i = 0; i < bytes; i++) {
			next();
		}
	}

	private void skipText() throws IOException {
		int next = next();
		while (next != 0) {
			next = next();
		}
	}

	private int next() throws IOException {
		if (this.position == this.end) {
			fill();
		}
		return this.buffer[this.position++] & 0xff;
	}

	private void fill() throws IOException {
		if (!tryFill()) {
			throw new EOFException();
		}
	}

	private boolean tryFill() throws IOException {
		int count = this.in.read(this.buffer, 0, this.buffer.length);
		this.position = 0;
		this.end = Math.max(count, 0);
		return count > 0;
	}

	/**
	 * Give back the memory of the decompression. What is read from stays open: closing it
	 * may mean to read all that is left of it.
	 */
	@Override
	public void close() {
		this.inflater.end();
	}

}
