package io.psych.sandbox.spawn;

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

	private static final Launcher LAUNCHER = Launcher.best();

	private final ExecutorService thread;

	private final Launcher launcher;

	/**
	 * Create a spawner; all of this JVM share one thread.
	 */
	public Spawner() {
		this(THREAD, LAUNCHER);
	}

	private Spawner(ExecutorService thread, Launcher launcher) {
		this.thread = thread;
		this.launcher = launcher;
	}

	/**
	 * Return a spawner like this one with a thread of its own.
	 * @param thread the thread
	 * @return the spawner
	 */
	Spawner on(ExecutorService thread) {
		return new Spawner(thread, this.launcher);
	}

	/**
	 * Return a spawner that starts processes as Java does, as every one does where the C
	 * library lacks what {@link #isNative()} needs.
	 * @return the spawner
	 */
	public static Spawner ofJava() {
		return new Spawner(THREAD, new JavaLauncher());
	}

	/**
	 * Return whether it can start a child as another user and with a channel.
	 * @return whether it can
	 */
	public boolean isNative() {
		return this.launcher instanceof NativeLauncher;
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
		Future<ChildProcess> started = this.thread.submit(() -> this.launcher.launch(command));
		try {
			return started.get();
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
	private void discard(Future<ChildProcess> started) {
		this.thread.execute(() -> {
			try {
				try (ChildProcess child = started.get()) {
					child.tree().killForcibly();
				}
			}
			catch (ExecutionException ex) {
				// Nothing was started.
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
	}

}
