package io.psych.sandbox.contract;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import io.psych.sandbox.terms.Spec;
import org.jspecify.annotations.Nullable;

/**
 * One program to execute. Everything but the program is optional and can only narrow what
 * the deployment allows.
 *
 * @param program the text of the program
 * @param scope whose execution it is
 * @param spec what it asks for
 * @param inputs files that lie in its workspace when it begins
 * @param attributes values handed to every tool call as they are, never to the program
 * @since 0.1.0
 */
public record RunRequest(String program, Scope scope, Spec spec, List<InputFile> inputs,
		Map<String, Object> attributes) {

	public RunRequest {
		Objects.requireNonNull(program, "program must not be null");
		inputs = List.copyOf(inputs);
		attributes = Map.copyOf(attributes);
	}

	/**
	 * Return a request to execute a program on the deployment's terms.
	 * @param program the text of the program
	 * @return the request
	 */
	public static RunRequest of(String program) {
		return new RunRequest(program, Scope.NONE, Spec.NONE, List.of(), Map.of());
	}

	/**
	 * Return this request in a scope.
	 * @param scope the scope
	 * @return the new request
	 */
	public RunRequest withScope(Scope scope) {
		return new RunRequest(this.program, scope, this.spec, this.inputs, this.attributes);
	}

	/**
	 * Return this request under a Spec, which replaces all that was asked for before.
	 * @param spec the Spec, published or not
	 * @return the new request
	 */
	public RunRequest withSpec(Spec spec) {
		return new RunRequest(this.program, this.scope, spec, this.inputs, this.attributes);
	}

	/**
	 * Return this request with a profile.
	 * @param profile the name of the profile, or {@code null} for the default limits
	 * @return the new request
	 */
	public RunRequest withProfile(@Nullable String profile) {
		return withSpec(this.spec.withProfile(profile));
	}

	/**
	 * Return this request with narrower limits.
	 * @param limits the limits
	 * @return the new request
	 */
	public RunRequest withLimits(Limits limits) {
		return withSpec(this.spec.withLimits(limits));
	}

	/**
	 * Return this request with a requirement.
	 * @param require the isolation it must have
	 * @return the new request
	 */
	public RunRequest withRequire(Requirement require) {
		return withSpec(this.spec.withRequire(require));
	}

	/**
	 * Return this request asking for the host's network, or not.
	 * @param network whether it asks
	 * @return the new request
	 */
	public RunRequest withNetwork(boolean network) {
		return withSpec(this.spec.withNetwork(network));
	}

	/**
	 * Return this request with files.
	 * @param inputs the files that lie in the workspace when the program begins
	 * @return the new request
	 */
	public RunRequest withInputs(List<InputFile> inputs) {
		return new RunRequest(this.program, this.scope, this.spec, inputs, this.attributes);
	}

	/**
	 * Return this request with values for the tools.
	 * @param attributes the values
	 * @return the new request
	 */
	public RunRequest withAttributes(Map<String, Object> attributes) {
		return new RunRequest(this.program, this.scope, this.spec, this.inputs, attributes);
	}

}
