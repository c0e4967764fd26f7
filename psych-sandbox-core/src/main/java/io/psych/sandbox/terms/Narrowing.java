package io.psych.sandbox.terms;

import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import org.jspecify.annotations.Nullable;

/**
 * What one stage takes away from the terms of an execution. There is no value of it that
 * adds something.
 *
 * @param limits limits that must hold as well, or {@code null}
 * @param require isolation the execution must have as well, or {@code null}
 * @param network whether it may keep the host's network, if it asks for it and all others
 * allow it
 * @param grant the tools its program may call, if all others grant them
 * @param preserve whether losing its output or files fails it
 * @param refusal why it must not take place, one or a few sentences for the model, or
 * {@code null}
 * @since 0.1.0
 */
public record Narrowing(@Nullable Limits limits, @Nullable Requirement require, boolean network, Grant grant,
		boolean preserve, @Nullable String refusal) {

	/** Takes nothing away. */
	public static final Narrowing NONE = new Narrowing(null, null, true, Grant.ALL, false, null);

	/**
	 * Return the narrowing that lets nothing be executed.
	 * @param why the reason, for the model
	 * @return the narrowing
	 */
	public static Narrowing refused(String why) {
		return new Narrowing(null, null, true, Grant.ALL, false, why);
	}

	/**
	 * Return this narrowing with limits.
	 * @param limits the limits; {@link Limits#widest()} is where to begin when only some
	 * of them matter
	 * @return the new narrowing
	 */
	public Narrowing withLimits(Limits limits) {
		return new Narrowing(limits, this.require, this.network, this.grant, this.preserve, this.refusal);
	}

	/**
	 * Return this narrowing with a requirement.
	 * @param require the isolation an execution must have
	 * @return the new narrowing
	 */
	public Narrowing withRequire(Requirement require) {
		return new Narrowing(this.limits, require, this.network, this.grant, this.preserve, this.refusal);
	}

	/**
	 * Return this narrowing without the network.
	 * @return the new narrowing
	 */
	public Narrowing withoutNetwork() {
		return new Narrowing(this.limits, this.require, false, this.grant, this.preserve, this.refusal);
	}

	/**
	 * Return this narrowing with a grant.
	 * @param grant the tools a program may call
	 * @return the new narrowing
	 */
	public Narrowing withGrant(Grant grant) {
		return new Narrowing(this.limits, this.require, this.network, grant, this.preserve, this.refusal);
	}

	/**
	 * Return this narrowing with output and files preserved.
	 * @return the new narrowing
	 */
	public Narrowing withPreserve() {
		return new Narrowing(this.limits, this.require, this.network, this.grant, true, this.refusal);
	}

}
