package io.psych.sandbox.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.psych.sandbox.contract.Cancellation;
import org.jspecify.annotations.Nullable;

/**
 * How many executions run at once, and who is next. Beyond the bound a caller waits in
 * the queue of its tenant, and the tenants take turns, so that one that asks for much
 * delays itself first. A queue that is full refuses at once.
 *
 * @since 0.1.0
 */
public final class Admission {

	private final int most;

	private final int mostWaiting;

	private final Duration patience;

	/** Guards everything below. Held over nothing that takes long. */
	private final ReentrantLock lock = new ReentrantLock();

	/** Those who wait by their tenant, the one whose turn it is first. */
	private final Map<String, Deque<Waiter>> queues = new LinkedHashMap<>();

	private int running;

	private int waiting;

	private long refused;

	/**
	 * Create a new instance.
	 * @param most how many executions run at once
	 * @param mostWaiting how many of one tenant wait
	 * @param patience how long one waits
	 */
	public Admission(int most, int mostWaiting, Duration patience) {
		this.most = most;
		this.mostWaiting = mostWaiting;
		this.patience = patience;
	}

	/**
	 * Wait for a place. Whoever gets one gives it back by {@link #leave()}.
	 * @param tenant whose execution it is
	 * @param cancellation ends the wait
	 * @return why there is none, or {@code null} when a place was got
	 * @throws InterruptedException if the caller was interrupted
	 */
	public @Nullable String enter(String tenant, Cancellation cancellation) throws InterruptedException {
		Waiter waiter;
		this.lock.lock();
		try {
			if (this.running < this.most && this.waiting == 0) {
				this.running++;
				return null;
			}
			Deque<Waiter> queue = this.queues.computeIfAbsent(tenant, (absent) -> new ArrayDeque<>());
			if (queue.size() >= this.mostWaiting) {
				dropIfEmpty(tenant, queue);
				this.refused++;
				return "%d executions are running and %d of this tenant are waiting, which is as many as may"
					.formatted(this.running, queue.size());
			}
			waiter = new Waiter(this.lock.newCondition());
			queue.add(waiter);
			this.waiting++;
		}
		finally {
			this.lock.unlock();
		}
		Runnable unsubscribe = cancellation.onCancel(() -> wake(waiter));
		try {
			return await(waiter, tenant, cancellation);
		}
		finally {
			unsubscribe.run();
		}
	}

	private @Nullable String await(Waiter waiter, String tenant, Cancellation cancellation)
			throws InterruptedException {
		long left = this.patience.toNanos();
		this.lock.lock();
		try {
			while (!waiter.admitted && left > 0 && !cancellation.isCancelled()) {
				left = waiter.changed.awaitNanos(left);
			}
			if (waiter.admitted) {
				return null;
			}
			this.refused++;
			return cancellation.isCancelled() ? "it was cancelled while it waited"
					: "%d executions are running, and none ended within %d ms".formatted(this.running,
							this.patience.toMillis());
		}
		catch (InterruptedException ex) {
			if (waiter.admitted) {
				// The place must not be lost with whoever was to have it.
				release();
			}
			throw ex;
		}
		finally {
			if (!waiter.admitted) {
				withdraw(waiter, tenant);
			}
			this.lock.unlock();
		}
	}

	private void wake(Waiter waiter) {
		this.lock.lock();
		try {
			waiter.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void withdraw(Waiter waiter, String tenant) {
		Deque<Waiter> queue = this.queues.get(tenant);
		if (queue != null && queue.remove(waiter)) {
			this.waiting--;
			dropIfEmpty(tenant, queue);
		}
	}

	private void dropIfEmpty(String tenant, Deque<Waiter> queue) {
		if (queue.isEmpty()) {
			this.queues.remove(tenant);
		}
	}

	/**
	 * Give a place back, to whose turn it is.
	 */
	public void leave() {
		this.lock.lock();
		try {
			release();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void release() {
		Iterator<Map.Entry<String, Deque<Waiter>>> turns = this.queues.entrySet().iterator();
		if (!turns.hasNext()) {
			this.running--;
			return;
		}
		Map.Entry<String, Deque<Waiter>> turn = turns.next();
		String tenant = turn.getKey();
		Deque<Waiter> queue = turn.getValue();
		Waiter next = queue.remove();
		this.waiting--;
		turns.remove();
		if (!queue.isEmpty()) {
			this.queues.put(tenant, queue);
		}
		next.admitted = true;
		next.changed.signal();
	}

	/**
	 * Return how it is doing.
	 * @return the numbers
	 */
	public Status status() {
		this.lock.lock();
		try {
			return new Status(this.most, this.running, this.waiting, this.refused);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * How many run and wait.
	 *
	 * @param most how many executions run at once at most
	 * @param running how many run
	 * @param waiting how many wait
	 * @param refused how many were refused because they would have waited too long
	 */
	public record Status(int most, int running, int waiting, long refused) {

	}

	private static final class Waiter {

		private final Condition changed;

		private boolean admitted;

		Waiter(Condition changed) {
			this.changed = changed;
		}

	}

}
