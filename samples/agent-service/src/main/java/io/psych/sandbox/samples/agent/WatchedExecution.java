package io.psych.sandbox.samples.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;

import org.springframework.core.task.AsyncTaskExecutor;

/**
 * An execution that ends when its client goes away. A servlet container notices that only
 * when it writes, so a blank is written now and then: JSON may begin with any number of
 * them.
 */
final class WatchedExecution {

	/** The second write after a client left fails, so it is noticed within a second. */
	private static final Duration PULSE = Duration.ofMillis(400);

	private final Sandbox sandbox;

	private final AsyncTaskExecutor executor;

	WatchedExecution(Sandbox sandbox, AsyncTaskExecutor executor) {
		this.sandbox = sandbox;
		this.executor = executor;
	}

	/**
	 * Run a program for as long as its client is there.
	 * @param request the request
	 * @param client where the client reads
	 * @return the result
	 * @throws IOException if the client is gone
	 * @throws InterruptedException if the service is shutting down
	 */
	RunResult run(RunRequest request, OutputStream client) throws IOException, InterruptedException {
		Cancellation cancellation = new Cancellation();
		Future<RunResult> running = this.executor.submit(() -> this.sandbox.run(request, cancellation));
		try {
			return await(running, client);
		}
		finally {
			// Nothing happens when the execution is over, which it is unless the client
			// is
			// gone.
			cancellation.cancel();
		}
	}

	private static RunResult await(Future<RunResult> running, OutputStream client)
			throws IOException, InterruptedException {
		while (true) {
			try {
				return running.get(PULSE.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (TimeoutException ex) {
				client.write(' ');
				client.flush();
			}
			catch (ExecutionException ex) {
				throw (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex);
			}
		}
	}

}
