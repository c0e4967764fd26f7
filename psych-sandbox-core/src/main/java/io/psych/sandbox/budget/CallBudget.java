package io.psych.sandbox.budget;

import io.psych.sandbox.limits.CallLimits;
import org.jspecify.annotations.Nullable;

/**
 * What one program has left of its calls and their bytes. Used by many threads at once.
 *
 * @since 0.1.0
 */
public final class CallBudget {

	private final CallLimits limits;

	private int calls;

	private long bytes;

	private long kept;

	/**
	 * Open the account of one execution.
	 * @param limits what it may spend
	 */
	public CallBudget(CallLimits limits) {
		this.limits = limits;
	}

	/**
	 * Spend one call and the bytes of its arguments. What was spent stays spent, also
	 * when the call is refused for it.
	 * @param argumentBytes the bytes of its arguments, as JSON
	 * @return what is spent, or {@code null} when the call may go on
	 */
	public synchronized @Nullable String spendCall(long argumentBytes) {
		if (this.calls >= this.limits.perExecution()) {
			return "This program may make " + this.limits.perExecution() + " calls and has made them.";
		}
		this.calls++;
		if (argumentBytes > this.limits.arguments().bytes()) {
			return "The arguments are " + argumentBytes + " bytes, the most is " + this.limits.arguments().bytes()
					+ " for one call.";
		}
		return spendBytes(argumentBytes);
	}

	/**
	 * Spend the bytes of a result that is about to be handed to the program.
	 * @param resultBytes its bytes, as JSON
	 * @return what is spent, or {@code null} when it may be handed over
	 */
	public synchronized @Nullable String spendResult(long resultBytes) {
		return spendBytes(resultBytes);
	}

	private @Nullable String spendBytes(long more) {
		long most = this.limits.total().bytes();
		if (more > most - this.bytes) {
			return "Arguments and results of this program may be " + most + " bytes together; " + this.bytes
					+ " are spent and this call needs " + more + " more.";
		}
		this.bytes += more;
		return null;
	}

	/**
	 * Spend what keeping a result takes.
	 * @param resultBytes its bytes
	 * @return whether it may be kept
	 */
	public synchronized boolean keep(long resultBytes) {
		if (resultBytes > this.limits.kept().bytes() - this.kept) {
			return false;
		}
		this.kept += resultBytes;
		return true;
	}

	/**
	 * Return what the account was opened with.
	 * @return the limits
	 */
	public CallLimits limits() {
		return this.limits;
	}

}
