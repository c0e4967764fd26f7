package io.psych.sandbox;

import java.util.Map;
import java.util.Objects;

import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.TenantPolicy;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import io.psych.sandbox.log.Quoted;
import io.psych.sandbox.terms.Narrowing;
import io.psych.sandbox.terms.Spec;
import io.psych.sandbox.terms.Terms;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a deployment allows, and what is left of it for one execution.
 *
 * @param limits limits without a profile
 * @param profiles limits by profile
 * @param requirement what isolation every execution must have
 * @param networkAllowed whether a request may ask for the network
 * @param specs the published Specs by their name
 * @param tenants what the executions of a tenant get less
 */
record Deployment(Limits limits, Map<String, Limits> profiles, Requirement requirement, boolean networkAllowed,
		Map<String, Spec> specs, TenantPolicy tenants) {

	private static final Logger logger = LoggerFactory.getLogger(Deployment.class);

	/**
	 * Return the terms of one execution: the deployment's and its profile's, narrowed by
	 * the policy of the tenant and by the Spec.
	 * @param scope whose execution it is
	 * @param spec what it asks for
	 * @return the terms
	 * @throws UnknownProfileException if the Spec names a profile nobody registered
	 */
	Terms terms(Scope scope, Spec spec) {
		return Terms.of(limits(spec.profile()), this.requirement, this.networkAllowed)
			.narrow(narrowing(scope))
			.narrow(spec.narrowing());
	}

	/**
	 * Return why an execution can't take place on its terms.
	 * @param request the execution
	 * @param terms its terms
	 * @return the refusal, or {@code null} when it can
	 */
	@Nullable Failure refusal(RunRequest request, Terms terms) {
		if (terms.refusal() != null) {
			return Failure.of(FailureKind.POLICY_REFUSED, terms.refusal());
		}
		if (request.spec().network() && !terms.network()) {
			return Failure.of(FailureKind.NETWORK_NOT_ALLOWED,
					"The request asks for network, which "
							+ (this.networkAllowed ? "the policy of its tenant does not grant."
									: "this deployment does not grant (psych.sandbox.network-allowed)."));
		}
		return null;
	}

	private Limits limits(@Nullable String profile) {
		Limits found = (profile != null) ? this.profiles.get(profile) : this.limits;
		if (found == null) {
			throw new UnknownProfileException(String.valueOf(profile), this.profiles.keySet());
		}
		return found;
	}

	private Narrowing narrowing(Scope scope) {
		try {
			// A policy compiled without our annotations may return null, which is no
			// decision.
			return Objects.requireNonNull(this.tenants.narrowing(scope), "the policy returned null");
		}
		catch (RuntimeException ex) {
			logger.warn("An execution was refused, the policy of its tenant failed", Quoted.problem(ex));
			return Narrowing.refused("The policy of the tenant could not decide on this execution.");
		}
	}

}
