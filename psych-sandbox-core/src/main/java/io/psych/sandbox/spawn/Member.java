package io.psych.sandbox.spawn;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A process that is told from a later one of the same number by when it began.
 *
 * @param pid its id
 * @param began when it began, in the kernel's ticks
 */
record Member(long pid, long began) {

	/** Short enough not to delay an answer, long enough not to load the host. */
	private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(250);

	static @Nullable Member find(long pid) {
		ProcessEntry entry = ProcessEntry.find(pid);
		return (entry != null) ? of(entry) : null;
	}

	static Member of(ProcessEntry entry) {
		return new Member(entry.pid(), entry.began());
	}

	boolean isAlive() {
		ProcessEntry entry = entry();
		return entry != null && entry.isAlive();
	}

	private @Nullable ProcessEntry entry() {
		ProcessEntry entry = ProcessEntry.find(this.pid);
		return (entry != null && entry.began() == this.began) ? entry : null;
	}

	/**
	 * Refer to this very process, if it lives.
	 * @return the descriptor, or {@code null} when it has ended or there are none
	 */
	private @Nullable ProcessDescriptor descriptor() {
		ProcessDescriptor descriptor = ProcessDescriptor.open(this.pid);
		// Who has this number and began then had the number before as well.
		if (descriptor != null && !isAlive()) {
			descriptor.close();
			return null;
		}
		return descriptor;
	}

	/**
	 * Send a signal.
	 * @param kill whether it is SIGKILL, or else SIGTERM
	 * @return whether it could be sent
	 */
	boolean signal(boolean kill) {
		try (ProcessDescriptor descriptor = descriptor()) {
			return (descriptor != null) ? descriptor.signal(kill) : signalByNumber(kill);
		}
	}

	private boolean signalByNumber(boolean kill) {
		return isAlive() && ProcessHandle.of(this.pid)
			.filter((process) -> kill ? process.destroyForcibly() : process.destroy())
			.isPresent();
	}

	/**
	 * End it, and right after it others, so that all free what they have side by side.
	 * @param others other processes, those that have ended included
	 * @return whether it could be ended
	 */
	boolean killWith(Collection<Member> others) {
		// Held before: the end of this one may be the end of those, and free their
		// numbers.
		List<ProcessDescriptor> held = others.stream().map(Member::descriptor).filter(Objects::nonNull).toList();
		try {
			boolean killed = signal(true);
			held.forEach((other) -> other.signal(true));
			return killed;
		}
		finally {
			held.forEach(ProcessDescriptor::close);
		}
	}

	/**
	 * Wait for its end.
	 * @param nanos how long at most; may be less
	 */
	void awaitEnd(long nanos) {
		if (!VirtualThreads.isCurrent()) {
			try (ProcessDescriptor descriptor = descriptor()) {
				if (descriptor != null) {
					descriptor.awaitEnd(nanos);
					return;
				}
			}
		}
		LockSupport.parkNanos(Math.min(nanos, POLL_NANOS));
	}

	/**
	 * Return whether it has ended. A zombie that fell to this JVM because it is PID 1 or
	 * a subreaper is reaped: nobody else will.
	 * @return whether it has
	 */
	boolean hasEnded() {
		ProcessEntry entry = entry();
		if (entry != null && !entry.isAlive() && entry.parent() == ProcessHandle.current().pid()) {
			Libc.INSTANCE.waitpid((int) this.pid, null, Libc.WNOHANG);
		}
		return entry == null || !entry.isAlive();
	}

}
