package io.psych.sandbox.output;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.limits.ByteSize;
import org.jspecify.annotations.Nullable;

/**
 * Drains one pipe of a child until it ends, whatever the child writes, and keeps what the
 * cap allows.
 *
 * @since 0.1.0
 */
public final class OutputPump {

	private static final int BUFFER = 64 * 1024;

	private final InputStream pipe;

	private final CountDownLatch ended = new CountDownLatch(1);

	private final Object lock = new Object();

	/** Guarded by the lock. */
	private HeadAndTail kept;

	/** What has come through the pipe in all. Guarded by the lock. */
	private long count;

	/** {@code null} where nothing is kept from the pipe. Guarded by the lock. */
	private @Nullable Remainder remainder;

	private OutputPump(InputStream pipe, ByteSize most) {
		this.pipe = pipe;
		this.kept = new HeadAndTail(most);
	}

	/**
	 * Begin to drain a pipe.
	 * @param pipe the pipe
	 * @param most the bytes to keep
	 * @param executor runs the pump on a platform thread until the pipe ends
	 * @return the pump
	 */
	public static OutputPump start(InputStream pipe, ByteSize most, Executor executor) {
		OutputPump pump = new OutputPump(pipe, most);
		executor.execute(pump::drain);
		return pump;
	}

	/**
	 * Keep another number of bytes from now on.
	 * @param most the bytes to keep
	 */
	public void keep(ByteSize most) {
		synchronized (this.lock) {
			byte[] before = this.kept.captured().content();
			this.kept = new HeadAndTail(most);
			this.kept.add(before, before.length);
		}
	}

	/**
	 * Append, when the pipe has ended, what was kept from it.
	 * @param remainder tells what that is
	 */
	public void append(Remainder remainder) {
		synchronized (this.lock) {
			this.remainder = remainder;
		}
	}

	private void drain() {
		byte[] buffer = new byte[BUFFER];
		try (InputStream pipe = this.pipe) {
			for (int count = pipe.read(buffer); count >= 0; count = pipe.read(buffer)) {
				Remainder remainder;
				long all;
				synchronized (this.lock) {
					this.kept.add(buffer, count);
					this.count += count;
					all = this.count;
					remainder = this.remainder;
				}
				if (remainder != null) {
					remainder.grown(all);
				}
			}
		}
		catch (IOException ex) {
			// The pipe was closed because nobody waits for its end any more.
		}
		finally {
			this.ended.countDown();
		}
	}

	/**
	 * Wait for the pipe to end, which it does when no process holds its other end, and
	 * return what was kept.
	 * @param most how long to wait before the pipe is given up
	 * @return what was kept
	 */
	public Captured finish(Duration most) {
		boolean interrupted = false;
		try {
			if (!this.ended.await(most.toMillis(), TimeUnit.MILLISECONDS)) {
				this.pipe.close();
			}
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		catch (IOException ex) {
			// It is given up either way.
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		appendRest();
		return snapshot();
	}

	private void appendRest() {
		Remainder remainder;
		long all;
		synchronized (this.lock) {
			remainder = this.remainder;
			this.remainder = null;
			all = this.count;
		}
		if (remainder != null) {
			byte[] rest = remainder.rest(all);
			synchronized (this.lock) {
				this.kept.add(rest, rest.length);
			}
		}
	}

	/**
	 * Return what was kept so far.
	 * @return what was kept
	 */
	public Captured snapshot() {
		synchronized (this.lock) {
			return this.kept.captured();
		}
	}

}
