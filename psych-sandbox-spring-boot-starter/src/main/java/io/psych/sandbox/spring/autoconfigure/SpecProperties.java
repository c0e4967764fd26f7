package io.psych.sandbox.spring.autoconfigure;

import java.util.List;

import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.terms.Grant;
import io.psych.sandbox.terms.Spec;
import io.psych.sandbox.terms.SpecException;
import org.jspecify.annotations.Nullable;

/**
 * The definition of an agent, as far as it concerns programs.
 *
 * @param profile Name of the profile whose limits apply. The limits of
 * "psych.sandbox.limits" when not set.
 * @param limits Limits that are narrower than those of the profile. A wider one changes
 * nothing.
 * @param require Isolation its programs must have beyond what "psych.sandbox.require"
 * asks for.
 * @param network Whether its programs ask to keep the network of the host.
 * @param preserve Whether an execution fails when its output or files can't be kept.
 * @param tools Names of the tools the agent may call at all. All of them when not set.
 * @param bindings Names of the tools its programs may call, each among its tools. The
 * same as its tools when not set.
 * @since 0.1.0
 */
public record SpecProperties(@Nullable String profile, SandboxProperties.@Nullable LimitValues limits,
		SandboxProperties.@Nullable Require require, boolean network, boolean preserve, @Nullable List<String> tools,
		@Nullable List<String> bindings) {

	/**
	 * Return the Spec.
	 * @param name its name
	 * @return the Spec
	 */
	Spec toSpec(String name) {
		String prefix = SandboxProperties.PREFIX + ".specs." + name;
		Grant granted = grant(prefix + ".tools", this.tools, Grant.ALL);
		Grant bound = grant(prefix + ".bindings", this.bindings, granted);
		try {
			return new Spec(name, this.profile,
					(this.limits != null) ? this.limits.over(Limits.widest(), prefix + ".limits") : null,
					(this.require != null) ? this.require.toRequirement(prefix + ".require") : null, this.network,
					this.preserve, granted, bound);
		}
		catch (SpecException ex) {
			throw new InvalidPropertyException(prefix + "." + ex.part(), ex.value(), ex.problem(), ex.fix());
		}
	}

	private static Grant grant(String property, @Nullable List<String> names, Grant absent) {
		if (names == null) {
			return absent;
		}
		if (names.stream().anyMatch((name) -> name.contains("*"))) {
			throw new InvalidPropertyException(property, names.toString(),
					"but an asterisk stands for nothing here, names are exact",
					"Name each tool, or remove the property for all of them.");
		}
		try {
			return Grant.of(names);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidPropertyException(property, names.toString(), "but " + ex.getMessage(),
					"Remove that name.");
		}
	}

}
