package io.psych.sandbox.run;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.psych.sandbox.wire.Frame;
import io.psych.sandbox.wire.FrameReader;
import io.psych.sandbox.wire.ProtocolViolationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what a program sends. The caller's thread does, and hands each call over to
 * another thread. While calls are answered at once, handing over would take most of their
 * time: then a thread of its own reads the calls and makes them itself, and the caller's
 * waits until there is something else than a call, or until a call takes so long that
 * what comes behind it has to be read meanwhile. One thread reads at a time.
 */
final class Conversation {

	private static final Logger logger = LoggerFactory.getLogger(Conversation.class);

	/**
	 * Short enough for a program whose tool was fast and then is not, long enough that
	 * looking after it costs nothing.
	 */
	static final Duration UNREAD = Duration.ofMillis(10);

	private final FrameReader reader;

	private final Calls calls;

	private final Pace pace;

	private final BooleanSupplier over;

	private final @Nullable ThreadFactory threads;

	private final Duration unread;

	/**
	 * Create a new conversation.
	 * @param reader reads the channel
	 * @param calls the calls of the program
	 * @param pace how fast they are made
	 * @param over whether nothing is to be read any more
	 * @param threads makes threads that may read and make calls; {@code null} where calls
	 * are made elsewhere, whatever it takes
	 * @param unread how long a call may keep from being read what was sent behind it
	 */
	Conversation(FrameReader reader, Calls calls, Pace pace, BooleanSupplier over, @Nullable ThreadFactory threads,
			Duration unread) {
		this.reader = reader;
		this.calls = calls;
		this.pace = pace;
		this.over = over;
		this.threads = threads;
		this.unread = unread;
	}

	/**
	 * Wait for the next frame, and have it answered if it is a call. Of calls that are
	 * answered at once there may have been many when this returns.
	 * @return the frame, or {@code null} when the program has closed the channel
	 * @throws IOException if the channel can't be read
	 * @throws ProtocolViolationException if what was sent is no frame or breaks the order
	 * of calls
	 * @throws InterruptedException if the caller was interrupted
	 */
	@Nullable Frame next() throws IOException, ProtocolViolationException, InterruptedException {
		Frame frame = this.reader.next();
		if (!(frame instanceof Frame.Call call)) {
			return frame;
		}
		if (this.threads != null && this.pace.isFast()) {
			Turn turn = new Turn(call);
			if (turn.isBegun(this.threads)) {
				return turn.await();
			}
		}
		if (!this.calls.accept(call)) {
			throw outOfOrder();
		}
		return frame;
	}

	private static ProtocolViolationException outOfOrder() {
		return new ProtocolViolationException("a call whose number is not the successor of the last one's");
	}

	/**
	 * What reading came to.
	 */
	@FunctionalInterface
	private interface End {

		@Nullable Frame get() throws IOException, ProtocolViolationException, InterruptedException;

	}

	/**
	 * The time in which another thread than the caller's reads.
	 */
	private final class Turn implements Runnable {

		/** Guards everything below. Never held over a read or a call. */
		private final ReentrantLock lock = new ReentrantLock();

		private final Condition changed = this.lock.newCondition();

		/** The call that is to be made, or was made last. */
		private Frame.Call call;

		/** Since when a call is being made and nothing is read, if that is so. */
		private long unreadSince;

		private boolean reading = true;

		/** Whether the caller's thread is to be told when nothing is read. */
		private boolean resting;

		/** Whether the caller's thread has taken the reading back. */
		private boolean taken;

		private @Nullable End end;

		Turn(Frame.Call first) {
			this.call = first;
		}

		boolean isBegun(ThreadFactory factory) {
			try {
				factory.newThread(this).start();
				return true;
			}
			catch (OutOfMemoryError ex) {
				logger.warn("No thread can be had to make calls on: {}", ex.getMessage());
				return false;
			}
		}

		/** Wait, on the caller's thread, until it is to read again or has no need to. */
		@Nullable Frame await() throws IOException, ProtocolViolationException, InterruptedException {
			End end;
			this.lock.lock();
			try {
				while (this.end == null && !this.taken) {
					awaitChange();
				}
				end = this.end;
			}
			finally {
				this.lock.unlock();
			}
			if (end != null) {
				return end.get();
			}
			Conversation.this.pace.stalled();
			return this.call;
		}

		private void awaitChange() throws InterruptedException {
			if (this.reading) {
				this.resting = true;
				this.changed.await();
				this.resting = false;
				return;
			}
			long left = Conversation.this.unread.toNanos() - (System.nanoTime() - this.unreadSince);
			if (left > 0) {
				this.changed.awaitNanos(left);
			}
			else {
				this.taken = true;
			}
		}

		@Override
		public void run() {
			End end = () -> {
				throw new IOException("the thread that read it has failed");
			};
			try {
				end = converse();
			}
			catch (IOException ex) {
				end = () -> {
					throw ex;
				};
			}
			catch (ProtocolViolationException ex) {
				end = () -> {
					throw ex;
				};
			}
			catch (InterruptedException ex) {
				end = () -> {
					throw new IOException("the thread that read it was interrupted", ex);
				};
			}
			finally {
				end(end);
			}
		}

		private void end(@Nullable End end) {
			this.lock.lock();
			try {
				this.end = end;
				this.changed.signal();
			}
			finally {
				this.lock.unlock();
			}
		}

		/**
		 * Make calls until something else comes, or another one is to read.
		 */
		private @Nullable End converse() throws IOException, ProtocolViolationException, InterruptedException {
			Calls calls = Conversation.this.calls;
			while (true) {
				Runnable made = calls.take(this.call);
				if (made == null) {
					throw outOfOrder();
				}
				leaveUnread();
				made.run();
				if (!readOn()) {
					return null;
				}
				if (Conversation.this.over.getAsBoolean() || !Conversation.this.pace.isFast()) {
					Frame last = this.call;
					return () -> last;
				}
				Frame next = Conversation.this.reader.next();
				if (!(next instanceof Frame.Call following)) {
					return () -> next;
				}
				this.call = following;
			}
		}

		private void leaveUnread() {
			this.lock.lock();
			try {
				this.reading = false;
				this.unreadSince = System.nanoTime();
				if (this.resting) {
					this.changed.signal();
				}
			}
			finally {
				this.lock.unlock();
			}
		}

		/** Take the reading again, unless it was taken meanwhile. */
		private boolean readOn() {
			this.lock.lock();
			try {
				this.reading = !this.taken;
				return this.reading;
			}
			finally {
				this.lock.unlock();
			}
		}

	}

}
