package io.psych.sandbox.spawn;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Starts children, all from one thread that lives as long as the JVM: the kernel sends a
 * child's parent-death signal when the <em>thread</em> that started it ends
 * ({@code PR_SET_PDEATHSIG} in prctl(2)).
 *
 * @since 0.1.0
 */
public final class Spawner {

	private static final ExecutorService THREAD = Executors.newSingleThreadExecutor((task) -> {
		Thread thread = new Thread(task, "psych-sandbox-spawner");
		thread.setDaemon(true);
		return thread;
	});

	private final ExecutorService thread;

	/**
	 * Create a spawner; all of this JVM share one thread.
	 */
	public Spawner() {
		this(THREAD);
	}

	/**
	 * Create a spawner with a thread of its own.
	 * @param thread the thread
	 */
	Spawner(ExecutorService thread) {
		this.thread = thread;
	}

	/**
	 * Start a child.
	 * @param command how to start it
	 * @return the process
	 * @throws IOException if it can't be started
	 * @throws InterruptedException if the caller was interrupted; no process is left
	 */
	public ChildProcess start(ChildCommand command) throws IOException, InterruptedException {
		if (Thread.interrupted()) {
			// What is done already is handed over by a future even so.
			throw new InterruptedException();
		}
		Future<Process> started = this.thread.submit(() -> builder(command).start());
		try {
			return new LocalProcess(started.get());
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof IOException cause) {
				throw new IOException(cause.getMessage(), cause);
			}
			throw new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException ex) {
			discard(started);
			throw ex;
		}
	}

	/**
	 * What was started for a caller that has gone is ended on the thread that started it.
	 */
	private void discard(Future<Process> started) {
		this.thread.execute(() -> {
			try {
				started.get().destroyForcibly();
			}
			catch (ExecutionException ex) {
				// Nothing was started.
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
	}

	private static ProcessBuilder builder(ChildCommand command) {
		ProcessBuilder builder = new ProcessBuilder(command.arguments());
		builder.environment().clear();
		builder.environment().putAll(command.environment());
		builder.directory(command.directory().toFile());
		builder.redirectInput(new File("/dev/null"));
		return builder;
	}

}
