package io.psych.sandbox.cgroup;

import java.util.Locale;

/**
 * A version of the kernel's control group interface.
 *
 * @since 0.1.0
 */
public enum CgroupVersion {

	/** One hierarchy for each controller. */
	V1("memory.limit_in_bytes", "memory.max_usage_in_bytes", "memory.oom_control"),

	/** One hierarchy for all controllers. */
	V2("memory.max", "memory.peak", "memory.events");

	private final String memoryLimit;

	private final String memoryPeak;

	private final String memoryEvents;

	CgroupVersion(String memoryLimit, String memoryPeak, String memoryEvents) {
		this.memoryLimit = memoryLimit;
		this.memoryPeak = memoryPeak;
		this.memoryEvents = memoryEvents;
	}

	String memoryLimit() {
		return this.memoryLimit;
	}

	String memoryPeak() {
		return this.memoryPeak;
	}

	/**
	 * Return the file that counts, under the key {@code oom_kill}, the processes that
	 * were killed for want of memory.
	 */
	String memoryEvents() {
		return this.memoryEvents;
	}

	@Override
	public String toString() {
		return "cgroup " + name().toLowerCase(Locale.ROOT);
	}

}
