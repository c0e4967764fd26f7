package io.psych.sandbox.wire;

import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.function.IntSupplier;

/**
 * Hands bytes on in chunks, as a socket would.
 */
final class ChunkedChannel implements ReadableByteChannel {

	private final byte[] bytes;

	private final IntSupplier chunk;

	private int position;

	private int largestBuffer;

	ChunkedChannel(byte[] bytes, IntSupplier chunk) {
		this.bytes = bytes;
		this.chunk = chunk;
	}

	@Override
	public int read(ByteBuffer target) {
		this.largestBuffer = Math.max(this.largestBuffer, target.array().length);
		if (this.position == this.bytes.length) {
			return -1;
		}
		int count = Math.min(Math.min(this.chunk.getAsInt(), target.remaining()), this.bytes.length - this.position);
		target.put(this.bytes, this.position, count);
		this.position += count;
		return count;
	}

	/** Return how many bytes were taken. */
	int taken() {
		return this.position;
	}

	/** Return the size of the largest buffer that was read into. */
	int largestBuffer() {
		return this.largestBuffer;
	}

	@Override
	public boolean isOpen() {
		return true;
	}

	@Override
	public void close() {
	}

}
