package io.psych.sandbox.run;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads of one sandbox beside its callers'. All are daemons.
 *
 * @since 0.1.0
 */
public final class Threads implements AutoCloseable {

	/**
	 * Drain pipes. Platform threads: a virtual one that reads a pipe keeps its carrier.
	 */
	private final ExecutorService pumps = Executors.newCachedThreadPool(named("psych-sandbox-output-"));

	private final ExecutorService tools = newToolExecutor();

	private final ThreadFactory conversing = named("psych-sandbox-calls-");

	private final Aftermath aftermath = new Aftermath(named("psych-sandbox-aftermath-"));

	/** Whether something is due within a second, if nothing but that. */
	private final AtomicBoolean ahead = new AtomicBoolean();

	/** Only ever ends things and schedules; never runs a tool, never blocks. */
	private final ScheduledThreadPoolExecutor timer;

	/**
	 * Create the threads.
	 */
	public Threads() {
		this(new ScheduledThreadPoolExecutor(1, named("psych-sandbox-timer-")));
	}

	/**
	 * Create the threads.
	 * @param timer tells when time is up; it is shut down with these threads
	 */
	public Threads(ScheduledThreadPoolExecutor timer) {
		this.timer = timer;
		this.timer.setRemoveOnCancelPolicy(true);
	}

	/**
	 * Return platform threads for whatever blocks.
	 * @return the executor
	 */
	public ExecutorService pumps() {
		return this.pumps;
	}

	/**
	 * Return where tools run when the caller has no executor of its own.
	 * @return virtual threads where this JVM has them
	 */
	public ExecutorService tools() {
		return this.tools;
	}

	/**
	 * Make threads that are used for one execution and never again, as tools leave in
	 * them what they like. Platform threads: a virtual one is woken by way of two others.
	 */
	ThreadFactory conversing() {
		return this.conversing;
	}

	ScheduledThreadPoolExecutor timer() {
		return this.timer;
	}

	/**
	 * End something when its time is up, which most things are before.
	 * @param task ends it
	 * @param delay the time it has
	 * @return the alarm, to be cancelled
	 */
	ScheduledFuture<?> alarm(Runnable task, Duration delay) {
		// The timer's thread is woken by whatever is now the first to be due, if only to
		// wait for less: not by alarms that are due after this.
		if (this.ahead.compareAndSet(false, true)) {
			this.timer.schedule(() -> this.ahead.set(false), 1, TimeUnit.SECONDS);
		}
		return this.timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
	}

	Aftermath aftermath() {
		return this.aftermath;
	}

	@Override
	public void close() {
		this.aftermath.close();
		this.tools.shutdownNow();
		this.timer.shutdownNow();
		this.pumps.shutdown();
	}

	private static ExecutorService newToolExecutor() {
		try {
			// Java 21 and newer.
			return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
		}
		catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException ex) {
			return Executors.newCachedThreadPool(named("psych-sandbox-tool-"));
		}
	}

	private static ThreadFactory named(String prefix) {
		AtomicLong number = new AtomicLong();
		return (task) -> {
			Thread thread = new Thread(task, prefix + number.incrementAndGet());
			thread.setDaemon(true);
			return thread;
		};
	}

}
