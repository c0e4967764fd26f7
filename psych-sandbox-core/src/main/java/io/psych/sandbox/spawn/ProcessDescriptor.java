package io.psych.sandbox.spawn;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

import com.sun.jna.Native;
import org.jspecify.annotations.Nullable;

/**
 * Refers to one process and never to a later one of the same number, and is told its end
 * by the kernel (pidfd_open(2)): when it has become a zombie with all its threads.
 */
final class ProcessDescriptor implements AutoCloseable {

	/** The numbers of {@code pidfd_send_signal(2)} and {@code pidfd_open(2)}. */
	private static final long SEND_SIGNAL = 424;

	private static final long OPEN = 434;

	private static final short POLLIN = 1;

	private static final long SIGKILL = 9;

	private static final long SIGTERM = 15;

	private static final long ALMOST_A_MILLISECOND = 999_999;

	static {
		// Bound directly, which costs a tenth of what Libc does for each call.
		Native.register(ProcessDescriptor.class, "c");
	}

	private final int descriptor;

	private ProcessDescriptor(int descriptor) {
		this.descriptor = descriptor;
	}

	private static native long syscall(long number, long first, long second, long third, long fourth);

	/** Of one {@code struct pollfd}. */
	private static native int poll(byte[] descriptors, long count, int timeout);

	private static native int close(int descriptor);

	/**
	 * Refer to whichever process has a number now.
	 * @param pid the number
	 * @return the descriptor, or {@code null} when there is no such process, or this
	 * kernel (before 5.3) or who confines this JVM does not give any
	 */
	static @Nullable ProcessDescriptor open(long pid) {
		long descriptor = syscall(OPEN, pid, 0, 0, 0);
		return (descriptor >= 0) ? new ProcessDescriptor((int) descriptor) : null;
	}

	/**
	 * Wait for its end, natively: a virtual thread keeps its carrier meanwhile. An
	 * interrupt does not end the wait.
	 * @param nanos how long at most, negative for ever
	 * @return whether it has ended; a signal to this JVM may end the wait before
	 */
	boolean awaitEnd(long nanos) {
		byte[] poll = ByteBuffer.allocate(Long.BYTES)
			.order(ByteOrder.nativeOrder())
			.putInt(this.descriptor)
			.putShort(POLLIN)
			.array();
		long millis = (nanos < 0) ? -1 : TimeUnit.NANOSECONDS.toMillis(nanos + ALMOST_A_MILLISECOND);
		return poll(poll, 1, (int) Math.min(millis, Integer.MAX_VALUE)) == 1;
	}

	/**
	 * Send it a signal.
	 * @param kill whether it is SIGKILL, or else SIGTERM
	 * @return whether it could be sent
	 */
	boolean signal(boolean kill) {
		return syscall(SEND_SIGNAL, this.descriptor, kill ? SIGKILL : SIGTERM, 0, 0) == 0;
	}

	@Override
	public void close() {
		close(this.descriptor);
	}

}
