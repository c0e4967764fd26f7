package io.psych.sandbox.run;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Does what no program can influence any more, after its answer: one thing after the
 * other, on one thread. Whoever brings more than can wait does it himself, so that what
 * is left to do is bounded.
 */
final class Aftermath implements AutoCloseable {

	private static final int MOST_WAITING = 64;

	private final ThreadPoolExecutor thread;

	Aftermath(ThreadFactory threads) {
		this.thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING),
				threads, (task, executor) -> task.run());
	}

	/**
	 * Do something after all that waits, or now.
	 * @param task what to do; does not throw
	 */
	void later(Runnable task) {
		this.thread.execute(task);
	}

	/**
	 * Wait until all that was brought before is done. An interrupt does not end the wait,
	 * it is kept for the caller.
	 */
	void settle() {
		if (this.thread.isShutdown()) {
			return;
		}
		FutureTask<Void> last = new FutureTask<>(() -> null);
		boolean interrupted = false;
		boolean brought = false;
		this.thread.prestartCoreThread();
		try {
			while (true) {
				try {
					if (!brought) {
						this.thread.getQueue().put(last);
						brought = true;
					}
					last.get();
					return;
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public void close() {
		settle();
		this.thread.shutdown();
	}

}
