package io.psych.sandbox.run;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.psych.sandbox.contract.Bindings;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ResultHandle;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.log.Quoted;
import io.psych.sandbox.wire.Frame;
import io.psych.sandbox.wire.FrameWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of one execution: runs them side by side up to a bound, answers each, and
 * keeps the ledger. At the bound the next call waits in the channel, so that a program
 * that calls faster than its tools answer, or than it reads the answers, is slowed, not
 * queued without end. Of a call that has ended nothing is held but its record.
 */
final class Calls {

	private static final Logger logger = LoggerFactory.getLogger(Calls.class);

	private final Bindings bindings;

	private final FrameWriter writer;

	private final Executor executor;

	private final ScheduledExecutorService timer;

	private final Duration patience;

	private final int most;

	private final Pace pace;

	/** Guards everything below. Never held over a call, a write or a wait for either. */
	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Ledger ledger = new Ledger();

	/** Those without an outcome, in the order they came. */
	private final Set<Call> open = new LinkedHashSet<>();

	private long next;

	/**
	 * Set for the oldest open call, or for one that has ended since: to set and take back
	 * one for each call would wake the timer for each.
	 */
	private @Nullable ScheduledFuture<?> alarm;

	/** Threads that run a tool or write an answer, or are about to. */
	private int running;

	private boolean closed;

	private List<Call> openAtEnd = List.of();

	Calls(Bindings bindings, FrameWriter writer, Executor executor, ScheduledExecutorService timer, Duration patience,
			int most, Pace pace) {
		this.bindings = bindings;
		this.writer = writer;
		this.executor = executor;
		this.timer = timer;
		this.patience = patience;
		this.most = most;
		this.pace = pace;
	}

	/**
	 * Take a call from the reader and have another thread make it. Waits while as many
	 * calls are running as may.
	 * @param frame the call
	 * @return whether its number is the successor of the last one's, as it must be
	 * @throws InterruptedException if the reader was interrupted
	 */
	boolean accept(Frame.Call frame) throws InterruptedException {
		Call call = new Call(frame);
		if (!take(call)) {
			return false;
		}
		try {
			this.executor.execute(call.task);
		}
		catch (RejectedExecutionException ex) {
			refuse(call);
		}
		return true;
	}

	private void refuse(Call call) {
		// The service is shutting down, and with it this execution.
		keep(call, new CallOutcome.Failed(ToolFailureKind.CANCELLED, "The service is shutting down."), 0);
	}

	/**
	 * Take a call from a reader that makes it itself. Waits as well.
	 * @param frame the call
	 * @return makes the call, and leaves no interrupt of it with the thread; {@code null}
	 * when its number is not the successor of the last one's
	 * @throws InterruptedException if the reader was interrupted
	 */
	@Nullable Runnable take(Frame.Call frame) throws InterruptedException {
		Call call = new Call(frame);
		return take(call) ? () -> makeHere(call) : null;
	}

	private static void makeHere(Call call) {
		call.task.run();
		// Whoever cancels a task while it runs interrupts it before it returns.
		Thread.interrupted();
	}

	private boolean take(Call call) throws InterruptedException {
		this.lock.lock();
		try {
			if (call.id != this.next) {
				return false;
			}
			this.next++;
			this.open.add(call);
			while (this.running >= this.most && !this.closed) {
				this.changed.await();
			}
			if (this.closed) {
				// Whoever comes to it does nothing, and has no place to give back.
				call.task.cancel(false);
				return true;
			}
			this.running++;
			// See to it that it is given up in time.
			call.due = System.nanoTime() + this.patience.toNanos();
			call.watched = true;
			if (this.alarm == null) {
				ring(this.patience.toNanos());
			}
		}
		catch (RejectedExecutionException ex) {
			refuse(call);
			call.task.cancel(false);
		}
		finally {
			this.lock.unlock();
		}
		return true;
	}

	private void ring(long delay) {
		this.alarm = this.timer.schedule(this::timeOutOverdue, delay, TimeUnit.NANOSECONDS);
	}

	/** All have the same time, so the oldest is the first whose time is up. */
	private void timeOutOverdue() {
		List<Call> overdue = new ArrayList<>();
		this.lock.lock();
		try {
			this.alarm = null;
			long now = System.nanoTime();
			for (Call call : this.open) {
				if (call.watched && call.due - now > 0) {
					ring(call.due - now);
					break;
				}
				if (call.watched) {
					overdue.add(call);
				}
			}
		}
		catch (RejectedExecutionException ex) {
			logger.debug("No call times out any more, the service is shutting down");
		}
		finally {
			this.lock.unlock();
		}
		overdue.forEach(this::timeOut);
	}

	private void run(Call call, JsonValue arguments) {
		if (!begin(call)) {
			return;
		}
		long began = System.nanoTime();
		CallOutcome outcome = null;
		try {
			outcome = this.bindings.call(call.name, arguments);
		}
		finally {
			// What the tool has left of it would close the channel at the next write or
			// read.
			Thread.interrupted();
			answer(call, (outcome != null) ? outcome
					: new CallOutcome.Failed(ToolFailureKind.TOOL_ERROR, "The tool failed inside the host."));
			this.pace.took(System.nanoTime() - began);
			finished();
		}
	}

	/** Return whether a call is still open now that a thread has come to it. */
	private boolean begin(Call call) {
		this.lock.lock();
		try {
			call.started = this.open.contains(call);
			return call.started;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Give a call up. Runs on the timer, which ends executions and so must never wait for
	 * a program that does not read: the answer is sent from another thread.
	 */
	private void timeOut(Call call) {
		CallOutcome outcome = new CallOutcome.Failed(ToolFailureKind.TIMED_OUT,
				"The tool did not answer within " + this.patience.toMillis() + " ms; it may have had its effect.");
		if (keep(call, outcome, 0)) {
			// Before the thread gives its place back: it passes to the answer.
			dispatch(() -> send(call, outcome));
			call.task.cancel(true);
		}
	}

	/** Counted as running: a program that does not read must not gather threads. */
	private void dispatch(Runnable task) {
		this.lock.lock();
		try {
			this.running++;
		}
		finally {
			this.lock.unlock();
		}
		try {
			this.executor.execute(() -> {
				try {
					task.run();
				}
				finally {
					finished();
				}
			});
		}
		catch (RejectedExecutionException ex) {
			finished();
			logger.debug("Nothing is answered any more, the service is shutting down");
		}
	}

	private void answer(Call call, CallOutcome outcome) {
		CallOutcome kept = outcome;
		long bytes = 0;
		if (outcome instanceof CallOutcome.Value result) {
			bytes = result.value().utf8Length();
		}
		else if (outcome instanceof CallOutcome.Preserved preserved) {
			bytes = preserved.handle().bytes();
		}
		if (outcome instanceof CallOutcome.Value && bytes > Limits.FRAME.bytes()) {
			kept = new CallOutcome.Failed(ToolFailureKind.RESULT_NOT_PAGED, "The result is " + bytes
					+ " bytes, the most is " + Limits.FRAME.bytes() + "; it was not shortened. Ask for less of it.");
			bytes = 0;
		}
		if (keep(call, kept, bytes)) {
			send(call, kept);
		}
	}

	/** Keep the first outcome of a call; return whether this was it and is to be sent. */
	private boolean keep(Call call, CallOutcome outcome, long resultBytes) {
		this.lock.lock();
		try {
			if (!this.open.remove(call)) {
				return false;
			}
			this.ledger.add(call.record(outcome, resultBytes));
			if (!call.started) {
				// No thread will come to it any more and give its place back.
				finished();
			}
			return !this.closed;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void send(Call call, CallOutcome outcome) {
		try {
			if (outcome instanceof CallOutcome.Value value) {
				this.writer.reply(call.id, value.value());
			}
			else if (outcome instanceof CallOutcome.Preserved preserved) {
				ResultHandle handle = preserved.handle();
				this.writer.reply(call.id, handle.id(), handle.bytes(), handle.format());
			}
			else if (outcome instanceof CallOutcome.Failed failed) {
				this.writer.reply(call.id, failed.kind().id(), failed.message());
			}
		}
		catch (IOException ex) {
			logger.debug("Call {} of {} was not answered, its program has gone", call.id, Quoted.text(call.name));
		}
	}

	private void finished() {
		this.lock.lock();
		try {
			this.running--;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Take no more calls and answer none, and interrupt those that are open. Does not
	 * wait.
	 * @return the names of the calls that were open when this was first asked for
	 */
	List<String> stop() {
		List<Call> cut;
		this.lock.lock();
		try {
			if (!this.closed) {
				this.closed = true;
				this.openAtEnd = List.copyOf(this.open);
				this.changed.signalAll();
			}
			cut = this.openAtEnd;
		}
		finally {
			this.lock.unlock();
		}
		cut.forEach((call) -> call.task.cancel(true));
		return cut.stream().map((call) -> call.name).toList();
	}

	/**
	 * Wait for calls that were interrupted to end, and return the ledger.
	 * @param grace how long to wait before a call is given up as unknown
	 * @return the calls that are listed one by one
	 */
	List<CallRecord> settle(Duration grace) {
		long left = grace.toNanos();
		this.lock.lock();
		try {
			while (left > 0 && this.open.stream().anyMatch((call) -> call.started)) {
				left = this.changed.awaitNanos(left);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
		this.lock.lock();
		try {
			this.open.forEach((call) -> this.ledger.add(call.record(null, 0)));
			this.open.clear();
			if (this.alarm != null) {
				this.alarm.cancel(false);
				this.alarm = null;
			}
			return this.ledger.listed();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return how many calls there were beyond those in the settled ledger.
	 * @return the number by what became of them
	 */
	Map<CallState, Long> unlisted() {
		this.lock.lock();
		try {
			return this.ledger.unlisted();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * One call. Its arguments are its task's, which lets go of them when it has ended.
	 */
	private final class Call {

		private final long id;

		private final String name;

		private final long argumentBytes;

		private final FutureTask<Void> task;

		private final long began = System.nanoTime();

		/** When its time is up, once it is watched; guarded by the lock of its calls. */
		private long due;

		private boolean watched;

		/** Whether a thread has come to it; guarded by the lock of its calls. */
		private boolean started;

		Call(Frame.Call frame) {
			this.id = frame.id();
			this.name = frame.name();
			this.argumentBytes = frame.arguments().utf8Length();
			this.task = new FutureTask<>(() -> run(this, frame.arguments()), null);
		}

		/** Return its record; without an outcome it was cut off. */
		CallRecord record(@Nullable CallOutcome outcome, long resultBytes) {
			CallState state = this.started ? CallState.UNKNOWN : CallState.REFUSED;
			ToolFailureKind failure = ToolFailureKind.CANCELLED;
			if (outcome instanceof CallOutcome.Value || outcome instanceof CallOutcome.Preserved) {
				state = CallState.DONE;
				failure = null;
			}
			else if (outcome instanceof CallOutcome.Failed failed) {
				state = failed.state();
				failure = failed.kind();
			}
			return new CallRecord((int) this.id, this.name, state, Duration.ofNanos(System.nanoTime() - this.began),
					this.argumentBytes, resultBytes, failure);
		}

	}

}
