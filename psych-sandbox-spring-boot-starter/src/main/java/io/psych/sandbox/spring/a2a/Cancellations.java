package io.psych.sandbox.spring.a2a;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.spring.http.Credential;
import io.psych.sandbox.tool.ToolCallException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels tasks nobody waits for any more, on threads of its own: whoever gave one up was
 * interrupted, and waits for no other answer. Each is tried once.
 */
final class Cancellations implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Cancellations.class);

	private static final int THREADS = 4;

	private static final int MOST_WAITING = 256;

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final ThreadPoolExecutor threads;

	Cancellations() {
		this.threads = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(MOST_WAITING), (task) -> {
					Thread thread = new Thread(task, "psych-sandbox-a2a-cancel");
					thread.setDaemon(true);
					return thread;
				});
		this.threads.allowCoreThreadTimeOut(true);
	}

	/**
	 * Cancel a task soon.
	 * @param peer whose task it is
	 * @param card its card
	 * @param task the task
	 * @param credential what the task was begun with, or {@code null}
	 */
	void cancel(A2aPeer peer, AgentCard card, String task, @Nullable Credential credential) {
		try {
			this.threads.execute(() -> cancelNow(peer, card, task, credential));
		}
		catch (RejectedExecutionException ex) {
			logger.warn("A task of the A2A peer {} is not cancelled, too many others are to be or this service stops",
					peer.name());
		}
	}

	private static void cancelNow(A2aPeer peer, AgentCard card, String task, @Nullable Credential credential) {
		try {
			AgentReply reply = peer.cancel(card, task, new A2aPeer.Terms(credential, TIMEOUT));
			logger.debug("A task of the A2A peer {} is {} now", peer.name(), reply.state().id());
		}
		catch (ToolCallException ex) {
			logger.warn("A task of the A2A peer {} could not be cancelled ({}) and may go on", peer.name(),
					ex.kind().id());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		this.threads.shutdown();
		try {
			if (!this.threads.awaitTermination(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
				this.threads.shutdownNow();
			}
		}
		catch (InterruptedException ex) {
			this.threads.shutdownNow();
			Thread.currentThread().interrupt();
		}
	}

}
