package io.psych.sandbox.terms;

import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import org.jspecify.annotations.Nullable;

/**
 * The terms of one execution. Made from what a deployment allows and from then on only
 * narrowed: no constructor or method adds anything, so the order of the stages and what
 * they ask for can't widen it.
 *
 * @since 0.1.0
 */
public final class Terms {

	private final Limits limits;

	private final Requirement requirement;

	private final boolean network;

	private final Grant grant;

	private final boolean preserve;

	private final @Nullable String refusal;

	private Terms(Limits limits, Requirement requirement, boolean network, Grant grant, boolean preserve,
			@Nullable String refusal) {
		this.limits = limits;
		this.requirement = requirement;
		this.network = network;
		this.grant = grant;
		this.preserve = preserve;
		this.refusal = refusal;
	}

	/**
	 * Return the terms of a deployment, with every tool there is.
	 * @param limits the limits of the profile
	 * @param requirement the isolation every execution must have
	 * @param network whether an execution may keep the host's network
	 * @return the terms
	 */
	public static Terms of(Limits limits, Requirement requirement, boolean network) {
		return new Terms(limits, requirement, network, Grant.ALL, false, null);
	}

	/**
	 * Return what is left of these terms after one more stage.
	 * @param stage what the stage takes away
	 * @return terms that are nowhere above these
	 */
	public Terms narrow(Narrowing stage) {
		return new Terms((stage.limits() != null) ? this.limits.intersect(stage.limits()) : this.limits,
				(stage.require() != null) ? this.requirement.and(stage.require()) : this.requirement,
				this.network && stage.network(), this.grant.intersect(stage.grant()), this.preserve || stage.preserve(),
				(this.refusal != null) ? this.refusal : stage.refusal());
	}

	/**
	 * Return whether these terms are nowhere above others.
	 * @param other the other terms
	 * @return whether all that these allow, the others allow too
	 */
	public boolean isWithin(Terms other) {
		return this.limits.intersect(other.limits).equals(this.limits)
				&& this.requirement.and(other.requirement).equals(this.requirement) && (!this.network || other.network)
				&& this.grant.isWithin(other.grant) && (this.preserve || !other.preserve)
				&& (this.refusal != null || other.refusal == null);
	}

	/**
	 * Return the limits.
	 * @return the strictest of all stages, one by one
	 */
	public Limits limits() {
		return this.limits;
	}

	/**
	 * Return what isolation the execution must have.
	 * @return what any stage requires
	 */
	public Requirement requirement() {
		return this.requirement;
	}

	/**
	 * Return whether the execution keeps the host's network.
	 * @return whether every stage allows it
	 */
	public boolean network() {
		return this.network;
	}

	/**
	 * Return which tools the program may call.
	 * @return what every stage grants
	 */
	public Grant grant() {
		return this.grant;
	}

	/**
	 * Return whether losing output or files fails the execution.
	 * @return whether any stage says so
	 */
	public boolean preserve() {
		return this.preserve;
	}

	/**
	 * Return why nothing may be executed.
	 * @return what the first stage said that refused, or {@code null} when none did
	 */
	public @Nullable String refusal() {
		return this.refusal;
	}

}
