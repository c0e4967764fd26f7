package io.psych.sandbox.run;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.psych.sandbox.contract.Bindings;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.wire.Frame;
import io.psych.sandbox.wire.FrameWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of one execution: runs them side by side up to a bound, answers each, and
 * keeps the ledger. At the bound the next call waits in the channel, so that a program
 * that calls faster than its tools answer is slowed, not queued without end.
 */
final class Calls {

	private static final Logger logger = LoggerFactory.getLogger(Calls.class);

	private final Bindings bindings;

	private final FrameWriter writer;

	private final Executor executor;

	private final ScheduledExecutorService timer;

	private final Duration patience;

	private final int most;

	/** Guards everything below. Never held over a call, a write or a wait for either. */
	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final List<Call> ledger = new ArrayList<>();

	private int running;

	private boolean closed;

	private List<Call> openAtEnd = List.of();

	Calls(Bindings bindings, FrameWriter writer, Executor executor, ScheduledExecutorService timer, Duration patience,
			int most) {
		this.bindings = bindings;
		this.writer = writer;
		this.executor = executor;
		this.timer = timer;
		this.patience = patience;
		this.most = most;
	}

	/**
	 * Take a call from the reader. Waits while as many calls are running as may.
	 * @param frame the call
	 * @return whether its number is the successor of the last one's, as it must be
	 * @throws InterruptedException if the reader was interrupted
	 */
	boolean accept(Frame.Call frame) throws InterruptedException {
		Call call = new Call(frame);
		this.lock.lock();
		try {
			if (frame.id() != this.ledger.size()) {
				return false;
			}
			this.ledger.add(call);
			while (this.running >= this.most && !this.closed) {
				this.changed.await();
			}
			if (this.closed) {
				return true;
			}
			this.running++;
		}
		finally {
			this.lock.unlock();
		}
		start(call);
		return true;
	}

	private void start(Call call) {
		try {
			this.executor.execute(call.task);
		}
		catch (RejectedExecutionException ex) {
			// The service is shutting down, and with it this execution.
			keep(call, new CallOutcome.Failed(ToolFailureKind.CANCELLED, "The service is shutting down."), 0);
			finished();
			return;
		}
		this.timer.schedule(() -> timeOut(call), this.patience.toNanos(), TimeUnit.NANOSECONDS);
	}

	private void run(Call call) {
		call.started = true;
		CallOutcome outcome = null;
		try {
			outcome = this.bindings.call(call.frame.name(), call.frame.arguments());
		}
		finally {
			answer(call, (outcome != null) ? outcome
					: new CallOutcome.Failed(ToolFailureKind.TOOL_ERROR, "The tool failed inside the host."));
			finished();
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
			call.task.cancel(true);
			dispatch(() -> send(call, outcome));
		}
	}

	private void dispatch(Runnable task) {
		try {
			this.executor.execute(task);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Nothing is answered any more, the service is shutting down");
		}
	}

	private void answer(Call call, CallOutcome outcome) {
		byte @Nullable [] value = (outcome instanceof CallOutcome.Value result) ? result.value().toUtf8() : null;
		CallOutcome kept = outcome;
		if (value != null && value.length > Limits.FRAME.bytes()) {
			kept = new CallOutcome.Failed(ToolFailureKind.RESULT_NOT_PAGED, "The result is " + value.length
					+ " bytes, the most is " + Limits.FRAME.bytes() + "; it was not shortened. Ask for less of it.");
			value = null;
		}
		if (keep(call, kept, (value != null) ? value.length : 0)) {
			send(call, kept);
		}
	}

	/** Keep the first outcome of a call; return whether this was it and is to be sent. */
	private boolean keep(Call call, CallOutcome outcome, long resultBytes) {
		this.lock.lock();
		try {
			if (call.outcome != null) {
				return false;
			}
			call.outcome = outcome;
			call.resultBytes = resultBytes;
			call.ended = System.nanoTime();
			return !this.closed;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void send(Call call, CallOutcome outcome) {
		try {
			if (outcome instanceof CallOutcome.Value value) {
				this.writer.reply(call.frame.id(), value.value());
			}
			else if (outcome instanceof CallOutcome.Failed failed) {
				this.writer.reply(call.frame.id(), failed.kind().id(), failed.message());
			}
		}
		catch (IOException ex) {
			logger.debug("call {} of {} was not answered, its program has gone", call.frame.id(), call.frame.name());
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
		List<Call> open;
		this.lock.lock();
		try {
			if (!this.closed) {
				this.closed = true;
				this.openAtEnd = this.ledger.stream().filter((call) -> call.outcome == null).toList();
				this.changed.signalAll();
			}
			open = this.openAtEnd;
		}
		finally {
			this.lock.unlock();
		}
		open.forEach((call) -> call.task.cancel(true));
		return open.stream().map((call) -> call.frame.name()).toList();
	}

	/**
	 * Wait for calls that were interrupted to end, and return the ledger.
	 * @param grace how long to wait before a call is given up as unknown
	 * @return the ledger
	 */
	List<CallRecord> settle(Duration grace) {
		long left = grace.toNanos();
		this.lock.lock();
		try {
			while (left > 0 && this.ledger.stream().anyMatch(Call::isRunning)) {
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
			return this.ledger.stream().map(Call::record).toList();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * One call; its mutable state is guarded by the lock of its calls.
	 */
	private final class Call {

		private final Frame.Call frame;

		private final long argumentBytes;

		private final FutureTask<Void> task = new FutureTask<>(() -> run(this), null);

		private final long began = System.nanoTime();

		private long ended = this.began;

		private volatile boolean started;

		private @Nullable CallOutcome outcome;

		private long resultBytes;

		Call(Frame.Call frame) {
			this.frame = frame;
			this.argumentBytes = frame.arguments().toUtf8().length;
		}

		boolean isRunning() {
			return this.started && this.outcome == null;
		}

		CallRecord record() {
			CallState state = CallState.UNKNOWN;
			ToolFailureKind failure = ToolFailureKind.CANCELLED;
			if (this.outcome instanceof CallOutcome.Value) {
				state = CallState.DONE;
				failure = null;
			}
			else if (this.outcome instanceof CallOutcome.Failed failed) {
				state = failed.kind().state();
				failure = failed.kind();
			}
			else if (!this.started) {
				state = CallState.REFUSED;
			}
			long end = (this.outcome != null) ? this.ended : System.nanoTime();
			return new CallRecord((int) this.frame.id(), this.frame.name(), state, Duration.ofNanos(end - this.began),
					this.argumentBytes, this.resultBytes, failure);
		}

	}

}
