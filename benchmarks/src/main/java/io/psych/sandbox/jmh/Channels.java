package io.psych.sandbox.jmh;

import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Channels with nothing behind them.
 */
final class Channels {

	private Channels() {
	}

	/**
	 * Sends the same bytes again and again.
	 */
	static final class Endless implements ReadableByteChannel {

		private final ByteBuffer bytes;

		Endless(byte[] bytes) {
			this.bytes = ByteBuffer.wrap(bytes);
		}

		@Override
		public int read(ByteBuffer target) {
			if (!this.bytes.hasRemaining()) {
				this.bytes.rewind();
			}
			int count = Math.min(target.remaining(), this.bytes.remaining());
			target.put(target.position(), this.bytes, this.bytes.position(), count);
			target.position(target.position() + count);
			this.bytes.position(this.bytes.position() + count);
			return count;
		}

		@Override
		public boolean isOpen() {
			return true;
		}

		@Override
		public void close() {
		}

	}

	/**
	 * Takes everything and counts it.
	 */
	static final class Sink implements WritableByteChannel {

		private long bytes;

		@Override
		public int write(ByteBuffer source) {
			int count = source.remaining();
			source.position(source.limit());
			this.bytes += count;
			return count;
		}

		long bytes() {
			return this.bytes;
		}

		@Override
		public boolean isOpen() {
			return true;
		}

		@Override
		public void close() {
		}

	}

}
