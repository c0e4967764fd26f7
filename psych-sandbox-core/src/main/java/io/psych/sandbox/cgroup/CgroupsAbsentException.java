package io.psych.sandbox.cgroup;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when this JVM can't make control groups with limits. Carries the fact and what
 * an operator can do about it.
 *
 * @since 0.1.0
 */
public final class CgroupsAbsentException extends Exception {

	private final @Nullable String remedy;

	CgroupsAbsentException(String message, @Nullable String remedy) {
		super(message);
		this.remedy = remedy;
	}

	/**
	 * Return what an operator can do.
	 * @return an imperative sentence, or {@code null} when nothing is known to help
	 */
	public @Nullable String remedy() {
		return this.remedy;
	}

}
