package io.psych.sandbox.contract;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A caller's way to stop an execution: before it starts, while it runs, in the middle of
 * a call. Interrupting the thread that waits for the execution does the same.
 *
 * @since 0.1.0
 */
public final class Cancellation {

	private final Object lock = new Object();

	/** Listeners to tell, or {@code null} once cancelled. */
	private @Nullable List<Runnable> listeners = new ArrayList<>();

	/**
	 * Stop the execution this was given to. Stopping twice is stopping once.
	 */
	public void cancel() {
		List<Runnable> told;
		synchronized (this.lock) {
			told = this.listeners;
			this.listeners = null;
		}
		if (told != null) {
			told.forEach(Runnable::run);
		}
	}

	/**
	 * Return whether the execution was stopped.
	 * @return whether it was
	 */
	public boolean isCancelled() {
		synchronized (this.lock) {
			return this.listeners == null;
		}
	}

	/**
	 * Run something when the execution is stopped, at once if it already was.
	 * @param listener what to run; must not block
	 * @return removes the listener
	 */
	public Runnable onCancel(Runnable listener) {
		synchronized (this.lock) {
			if (this.listeners != null) {
				this.listeners.add(listener);
				return () -> remove(listener);
			}
		}
		listener.run();
		return () -> {
		};
	}

	private void remove(Runnable listener) {
		synchronized (this.lock) {
			if (this.listeners != null) {
				this.listeners.remove(listener);
			}
		}
	}

}
