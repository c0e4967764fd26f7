package io.psych.sandbox.spawn;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The end of a process that is no child of this JVM. Java asks for it every few hundred
 * milliseconds only; the kernel can tell.
 *
 * @since 0.1.0
 */
public final class ForeignProcess {

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
		try (ProcessDescriptor descriptor = ProcessDescriptor.open(process.pid())) {
			while (process.isAlive() && !(descriptor != null && descriptor.awaitEnd(-1))) {
				LockSupport.parkNanos(POLL_NANOS);
			}
		}
	}

}
