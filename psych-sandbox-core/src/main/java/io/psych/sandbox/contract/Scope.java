package io.psych.sandbox.contract;

import org.jspecify.annotations.Nullable;

/**
 * Whose execution it is. A part that is {@code null} is not known to the caller.
 *
 * @param tenant the tenant
 * @param run the agent run, which may execute many programs
 * @param turn the turn within the run
 * @since 0.1.0
 */
public record Scope(@Nullable String tenant, @Nullable String run, @Nullable String turn) {

	/** The scope of a caller that names none. */
	public static final Scope NONE = new Scope(null, null, null);

}
