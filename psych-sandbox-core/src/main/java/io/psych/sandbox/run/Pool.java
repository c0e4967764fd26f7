package io.psych.sandbox.run;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Children that were started ahead and wait for a program, each for one. They are told
 * apart by what can't be changed any more, the size of their workspace; all other limits
 * arrive with the program. One is started at a time, after an answer: two at once would
 * take the processors that programs run on.
 *
 * @since 0.1.0
 */
public final class Pool implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Pool.class);

	private final Runtime runtime;

	private final int size;

	private final Duration age;

	private final LongSupplier nanoTime;

	private final ExecutorService starter;

	private final Cancellation closing = new Cancellation();

	/** Whether a round of starting is about to begin. */
	private final AtomicBoolean filling = new AtomicBoolean();

	private final ScheduledFuture<?> inspection;

	/** Guards everything below. Never held while a child starts or ends. */
	private final Object lock = new Object();

	private final Map<ByteSize, Shelf> shelves = new LinkedHashMap<>();

	private long taken;

	private long missed;

	private long expired;

	private long failed;

	private boolean closed;

	/**
	 * Create a new pool. Nothing is started before it is told to fill.
	 * @param runtime what all executions share
	 * @param limits limits that children are started for, of which each size of a
	 * workspace counts once
	 * @param size how many children wait for each of them
	 * @param age how long a child may wait
	 */
	public Pool(Runtime runtime, Collection<Limits> limits, int size, Duration age) {
		this(runtime, limits, size, age, System::nanoTime);
	}

	Pool(Runtime runtime, Collection<Limits> limits, int size, Duration age, LongSupplier nanoTime) {
		this.runtime = runtime;
		this.size = size;
		this.age = age;
		this.nanoTime = nanoTime;
		limits.forEach((one) -> this.shelves.putIfAbsent(one.workspace(), new Shelf(one)));
		this.starter = Executors.newSingleThreadExecutor((task) -> {
			Thread thread = new Thread(task, "psych-sandbox-pool");
			thread.setDaemon(true);
			return thread;
		});
		long period = Math.max(1, age.toMillis() / 4);
		this.inspection = runtime.threads()
			.timer()
			.scheduleWithFixedDelay(this::inspect, period, period, TimeUnit.MILLISECONDS);
	}

	/**
	 * Take a child out, for good.
	 * @param limits the limits of its program
	 * @return the child, which is alive and held to those limits, or {@code null} when
	 * none waits
	 */
	@Nullable WaitingChild take(Limits limits) {
		while (true) {
			Waiting waiting;
			boolean fit;
			synchronized (this.lock) {
				Shelf shelf = this.shelves.get(limits.workspace());
				waiting = (shelf != null) ? shelf.children.poll() : null;
				if (waiting == null) {
					this.missed++;
					return null;
				}
				fit = isFit(waiting);
				this.taken += fit ? 1 : 0;
				this.expired += fit ? 0 : 1;
			}
			if (fit) {
				waiting.child().fit(limits);
				return waiting.child();
			}
			discard(List.of(waiting.child()));
		}
	}

	/**
	 * Wait for the child that is being started, where nobody else does: it is ready
	 * sooner than one that is begun now, and two at once take each other's processors.
	 * @param limits the limits of its program
	 * @param cancellation ends the wait
	 * @return the child, held to those limits, or {@code null} when none is being
	 * started, it can't be, or the wait was ended
	 * @throws InterruptedException if the caller was interrupted
	 */
	@Nullable WaitingChild claim(Limits limits, Cancellation cancellation) throws InterruptedException {
		CompletableFuture<@Nullable WaitingChild> claim = new CompletableFuture<>();
		synchronized (this.lock) {
			Shelf shelf = this.shelves.get(limits.workspace());
			if (shelf == null || !shelf.starting || shelf.claim != null) {
				return null;
			}
			shelf.claim = claim;
		}
		Runnable unsubscribe = cancellation.onCancel(() -> claim.complete(null));
		try {
			WaitingChild child = claim.get();
			if (child != null) {
				child.fit(limits);
			}
			return child;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException ex) {
			// A child that came just now is nobody's any more.
			WaitingChild late = claim.complete(null) ? null : claim.join();
			if (late != null) {
				discard(List.of(late));
			}
			throw ex;
		}
		finally {
			unsubscribe.run();
		}
	}

	private boolean isFit(Waiting waiting) {
		return waiting.child().isAlive() && this.nanoTime.getAsLong() - waiting.since() < this.age.toNanos();
	}

	/**
	 * Start what is missing, one child after the other, on a thread of this pool's.
	 */
	public void fill() {
		if (this.closing.isCancelled() || !this.filling.compareAndSet(false, true)) {
			return;
		}
		try {
			this.starter.execute(this::fillNow);
		}
		catch (RejectedExecutionException ex) {
			// Closed meanwhile: what is missing is not started any more.
		}
	}

	private void fillNow() {
		// From here on another call is another round: what is taken now may be seen as
		// there.
		this.filling.set(false);
		boolean started = true;
		while (started) {
			started = startOne();
		}
	}

	/** Return whether a child was started, after which another one may be missing. */
	private boolean startOne() {
		Shelf shelf = incomplete();
		if (shelf == null) {
			return false;
		}
		WaitingChild child = null;
		boolean handedOver;
		try {
			child = WaitingChild.start(this.runtime, shelf.limits, false, this.closing);
			child.grade(this.runtime, shelf.limits, false);
		}
		catch (NotReadyException | IOException ex) {
			if (!this.closing.isCancelled()) {
				synchronized (this.lock) {
					this.failed++;
				}
				// Tried again with the next program, which starts its own, and tells what
				// is wrong.
				logger.warn("A child can't be started ahead: {}", ex.getMessage());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			// Whatever happened, nobody may wait for it any longer.
			handedOver = handOver(shelf, child);
		}
		return handedOver;
	}

	/** To whoever waits for it, else among those that wait; return whether it was. */
	private boolean handOver(Shelf shelf, @Nullable WaitingChild child) {
		synchronized (this.lock) {
			CompletableFuture<@Nullable WaitingChild> claim = shelf.claim;
			shelf.starting = false;
			shelf.claim = null;
			if (claim != null && claim.complete(child)) {
				return child != null;
			}
			if (child == null) {
				return false;
			}
			if (!this.closed) {
				shelf.children.add(new Waiting(child, this.nanoTime.getAsLong()));
				return true;
			}
		}
		end(child);
		return false;
	}

	/** A shelf that lacks a child, of which one is being started from now on. */
	private @Nullable Shelf incomplete() {
		synchronized (this.lock) {
			if (this.closed) {
				return null;
			}
			Shelf incomplete = this.shelves.values()
				.stream()
				.filter((shelf) -> shelf.children.size() < this.size)
				.findFirst()
				.orElse(null);
			if (incomplete != null) {
				incomplete.starting = true;
			}
			return incomplete;
		}
	}

	/** Replace those that have died or have waited too long. */
	private void inspect() {
		List<WaitingChild> unfit = new ArrayList<>();
		synchronized (this.lock) {
			for (Shelf shelf : this.shelves.values()) {
				shelf.children.removeIf((waiting) -> !isFit(waiting) && unfit.add(waiting.child()));
			}
			this.expired += unfit.size();
		}
		if (!unfit.isEmpty()) {
			discard(unfit);
			fill();
		}
	}

	private void discard(List<WaitingChild> children) {
		children.forEach((child) -> this.runtime.threads().aftermath().later(() -> end(child)));
	}

	private static void end(WaitingChild child) {
		child.discard();
	}

	/**
	 * Return how the pool is doing.
	 * @return the numbers since it was made
	 */
	public PoolStatus status() {
		synchronized (this.lock) {
			int waiting = this.shelves.values().stream().mapToInt((shelf) -> shelf.children.size()).sum();
			return new PoolStatus(this.size * this.shelves.size(), waiting, this.taken, this.missed, this.expired,
					this.failed);
		}
	}

	@Override
	public void close() {
		List<WaitingChild> left = new ArrayList<>();
		synchronized (this.lock) {
			this.closed = true;
			for (Shelf shelf : this.shelves.values()) {
				shelf.children.forEach((waiting) -> left.add(waiting.child()));
				shelf.children.clear();
			}
		}
		this.inspection.cancel(false);
		this.closing.cancel();
		this.starter.shutdown();
		awaitStarter();
		left.forEach(Pool::end);
	}

	/** A start that is cancelled ends within the deadlines of every start. */
	private void awaitStarter() {
		boolean interrupted = false;
		while (true) {
			try {
				if (this.starter.awaitTermination(1, TimeUnit.HOURS)) {
					break;
				}
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * A child that waits.
	 *
	 * @param child the child
	 * @param since when it began to
	 */
	private record Waiting(WaitingChild child, long since) {

	}

	/**
	 * The children with workspaces of one size.
	 */
	private static final class Shelf {

		private final Limits limits;

		private final Deque<Waiting> children = new ArrayDeque<>();

		/** Whether one more is being started. */
		private boolean starting;

		/** Of the one who waits for that. */
		private @Nullable CompletableFuture<@Nullable WaitingChild> claim;

		Shelf(Limits limits) {
			this.limits = limits;
		}

	}

}
