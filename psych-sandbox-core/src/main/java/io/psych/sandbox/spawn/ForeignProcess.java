package io.psych.sandbox.spawn;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import com.sun.jna.LastErrorException;

/**
 * The end of a process that is no child of this JVM. Java asks for it every few hundred
 * milliseconds only; the kernel can tell.
 *
 * @since 0.1.0
 */
public final class ForeignProcess {

	private static final short POLLIN = 1;

	/** Of kernels before 5.3, which can't tell. */
	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private ForeignProcess() {
	}

	/**
	 * Return a future of the end of a process.
	 * @param process the process
	 * @return completes when it has ended
	 */
	public static CompletableFuture<Void> end(ProcessHandle process) {
		CompletableFuture<Void> end = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			await(process);
			end.complete(null);
		}, "psych-sandbox-end-of-" + process.pid());
		thread.setDaemon(true);
		thread.start();
		return end;
	}

	private static void await(ProcessHandle process) {
		int descriptor = open(process.pid());
		try {
			while (process.isAlive() && !(descriptor >= 0 && poll(descriptor))) {
				LockSupport.parkNanos(POLL_NANOS);
			}
		}
		finally {
			if (descriptor >= 0) {
				Libc.INSTANCE.close(descriptor);
			}
		}
	}

	private static int open(long pid) {
		try {
			return (int) Libc.INSTANCE.syscall(Libc.PIDFD_OPEN, pid, 0L);
		}
		catch (LastErrorException ex) {
			return -1;
		}
	}

	/** Return whether it has ended, after waiting for that. */
	private static boolean poll(int descriptor) {
		byte[] poll = ByteBuffer.allocate(Long.BYTES)
			.order(ByteOrder.nativeOrder())
			.putInt(descriptor)
			.putShort(POLLIN)
			.array();
		try {
			return Libc.INSTANCE.poll(poll, 1, -1) == 1;
		}
		catch (LastErrorException ex) {
			// Interrupted by a signal.
			return false;
		}
	}

}
