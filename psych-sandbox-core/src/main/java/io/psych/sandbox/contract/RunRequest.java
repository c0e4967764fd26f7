package io.psych.sandbox.contract;

import java.util.Map;
import java.util.Objects;

import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import org.jspecify.annotations.Nullable;

/**
 * One program to execute. Everything but the program is optional and can only narrow what
 * the deployment allows.
 *
 * @param program the text of the program
 * @param scope whose execution it is
 * @param profile name of the profile whose limits apply, or {@code null} for the default
 * limits
 * @param limits limits that narrow those of the profile, or {@code null}
 * @param require isolation this execution must have beyond what the deployment requires,
 * or {@code null}
 * @param network whether the program asks to keep the host's network
 * @param attributes values handed to every tool call as they are, never to the program
 * @since 0.1.0
 */
public record RunRequest(String program, Scope scope, @Nullable String profile, @Nullable Limits limits,
		@Nullable Requirement require, boolean network, Map<String, Object> attributes) {

	public RunRequest {
		Objects.requireNonNull(program, "program must not be null");
		attributes = Map.copyOf(attributes);
	}

	/**
	 * Return a request to execute a program on the deployment's terms.
	 * @param program the text of the program
	 * @return the request
	 */
	public static RunRequest of(String program) {
		return new RunRequest(program, Scope.NONE, null, null, null, false, Map.of());
	}

	/**
	 * Return this request in a scope.
	 * @param scope the scope
	 * @return the new request
	 */
	public RunRequest withScope(Scope scope) {
		return new RunRequest(this.program, scope, this.profile, this.limits, this.require, this.network,
				this.attributes);
	}

	/**
	 * Return this request with a profile.
	 * @param profile the name of the profile, or {@code null} for the default limits
	 * @return the new request
	 */
	public RunRequest withProfile(@Nullable String profile) {
		return new RunRequest(this.program, this.scope, profile, this.limits, this.require, this.network,
				this.attributes);
	}

	/**
	 * Return this request with narrower limits.
	 * @param limits the limits
	 * @return the new request
	 */
	public RunRequest withLimits(Limits limits) {
		return new RunRequest(this.program, this.scope, this.profile, limits, this.require, this.network,
				this.attributes);
	}

	/**
	 * Return this request with a requirement.
	 * @param require the isolation it must have
	 * @return the new request
	 */
	public RunRequest withRequire(Requirement require) {
		return new RunRequest(this.program, this.scope, this.profile, this.limits, require, this.network,
				this.attributes);
	}

	/**
	 * Return this request asking for the host's network, or not.
	 * @param network whether it asks
	 * @return the new request
	 */
	public RunRequest withNetwork(boolean network) {
		return new RunRequest(this.program, this.scope, this.profile, this.limits, this.require, network,
				this.attributes);
	}

	/**
	 * Return this request with values for the tools.
	 * @param attributes the values
	 * @return the new request
	 */
	public RunRequest withAttributes(Map<String, Object> attributes) {
		return new RunRequest(this.program, this.scope, this.profile, this.limits, this.require, this.network,
				attributes);
	}

}
