package io.psych.sandbox.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import io.psych.sandbox.spawn.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * The users that children run as: one for all, or one for each execution at a time, so
 * that what the kernel counts and shares by user is an execution's own (process limits,
 * keyrings, quotas of watches).
 *
 * @since 0.1.0
 */
public final class ChildUsers {

	private final List<HostUser> all;

	/** Users nobody runs as at the moment, or {@code null} where all share one. */
	private final @Nullable BlockingQueue<HostUser> free;

	private ChildUsers(List<HostUser> all, boolean shared) {
		this.all = all;
		this.free = shared ? null : new LinkedBlockingQueue<>(all);
	}

	/**
	 * Return one user that all children run as.
	 * @param user the user
	 * @return the users
	 */
	public static ChildUsers shared(HostUser user) {
		return new ChildUsers(List.of(user), true);
	}

	/**
	 * Return a range of numbers, each for one child at a time, with groups of the same
	 * numbers. No account of that number has to exist.
	 * @param first the first number
	 * @param last the last number
	 * @return the users
	 */
	public static ChildUsers range(int first, int last) {
		List<HostUser> users = new ArrayList<>();
		for (int uid = first; uid <= last; uid++) {
			users.add(new HostUser(Integer.toString(uid), uid, uid));
		}
		return new ChildUsers(List.copyOf(users), false);
	}

	/**
	 * Return all users.
	 * @return at least one
	 */
	public List<HostUser> all() {
		return this.all;
	}

	/**
	 * Return how many children there can be at once.
	 * @return the number
	 */
	public int most() {
		return (this.free != null) ? this.all.size() : Integer.MAX_VALUE;
	}

	/**
	 * Return whether there is a user for another execution.
	 * @return whether there is
	 */
	public boolean hasFree() {
		return this.free == null || !this.free.isEmpty();
	}

	/**
	 * Take a user for an execution.
	 * @return the user, or {@code null} when every one is taken
	 */
	@Nullable HostUser take() {
		return (this.free != null) ? this.free.poll() : this.all.get(0);
	}

	/**
	 * Give a user back after the last process and file of its execution is gone.
	 * @param user the user
	 */
	void giveBack(HostUser user) {
		if (this.free != null) {
			this.free.add(user);
		}
	}

	@Override
	public String toString() {
		HostUser first = this.all.get(0);
		return (this.free != null) ? first.name() + "-" + this.all.get(this.all.size() - 1).name() : first.name();
	}

}
