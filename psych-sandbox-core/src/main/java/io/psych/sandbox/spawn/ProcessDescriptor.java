package io.psych.sandbox.spawn;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

import com.sun.jna.LastErrorException;
import org.jspecify.annotations.Nullable;

/**
 * Refers to one process and never to a later one of the same number, and is told its end
 * by the kernel (pidfd_open(2)): when it has become a zombie with all its threads.
 */
final class ProcessDescriptor implements AutoCloseable {

	private static final short POLLIN = 1;

	private static final int SIGKILL = 9;

	private static final int SIGTERM = 15;

	private final int descriptor;

	private ProcessDescriptor(int descriptor) {
		this.descriptor = descriptor;
	}

	/**
	 * Refer to whichever process has a number now.
	 * @param pid the number
	 * @return the descriptor, or {@code null} when there is no such process, or this
	 * kernel (before 5.3) or who confines this JVM does not give any
	 */
	static @Nullable ProcessDescriptor open(long pid) {
		try {
			return new ProcessDescriptor((int) Libc.INSTANCE.syscall(Libc.PIDFD_OPEN, pid, 0L));
		}
		catch (LastErrorException ex) {
			return null;
		}
	}

	/**
	 * Wait for its end, natively: a virtual thread keeps its carrier meanwhile. An
	 * interrupt does not end the wait.
	 * @param nanos how long at most, negative for ever
	 * @return whether it has ended
	 */
	boolean awaitEnd(long nanos) {
		byte[] poll = ByteBuffer.allocate(Long.BYTES)
			.order(ByteOrder.nativeOrder())
			.putInt(this.descriptor)
			.putShort(POLLIN)
			.array();
		// Rounded up: what is left of a millisecond is waited for as well.
		long millis = (nanos < 0) ? -1 : TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
		try {
			return Libc.INSTANCE.poll(poll, 1, (int) Math.min(millis, Integer.MAX_VALUE)) == 1;
		}
		catch (LastErrorException ex) {
			// Interrupted by a signal.
			return false;
		}
	}

	/**
	 * Send it a signal.
	 * @param kill whether it is SIGKILL, or else SIGTERM
	 * @return whether it could be sent
	 */
	boolean signal(boolean kill) {
		try {
			Libc.INSTANCE.syscall(Libc.PIDFD_SEND_SIGNAL, this.descriptor, kill ? SIGKILL : SIGTERM, 0, 0);
			return true;
		}
		catch (LastErrorException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		Libc.INSTANCE.close(this.descriptor);
	}

}
