package io.psych.sandbox.terms;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import org.jspecify.annotations.Nullable;

/**
 * An agent's definition as far as it concerns programs: a name, a profile and requests,
 * as plain data that can be stored, compared and hashed. It asks and narrows; what it
 * does not say, the deployment says. Two that mean the same are equal.
 *
 * @param name its name
 * @param profile name of the profile whose limits apply, or {@code null} for the default
 * limits
 * @param limits limits that narrow those of the profile, or {@code null}
 * @param require isolation an execution must have beyond what the deployment requires, or
 * {@code null}
 * @param network whether its programs ask to keep the host's network
 * @param preserve whether losing the output or files of an execution fails it
 * @param tools the tools the agent may call at all
 * @param bindings those of them that its programs may call
 * @since 0.1.0
 */
public record Spec(String name, @Nullable String profile, @Nullable Limits limits, @Nullable Requirement require,
		boolean network, boolean preserve, Grant tools, Grant bindings) {

	/** The Spec of a caller that names none: asks for nothing, narrows nothing. */
	public static final Spec NONE = of("none");

	/** The model calls the sandbox itself by it; {@code ToolCatalog} reserves it. */
	private static final String RUN_CODE = "run_code";

	public Spec {
		Names.check("the name of a Spec", name);
		if (profile != null) {
			Names.check("profile of Spec '" + name + "'", profile);
		}
		limits = Limits.widest().equals(limits) ? null : limits;
		require = Requirement.floor().equals(require) ? null : require;
		checkReserved(name, "tools", tools);
		checkReserved(name, "bindings", bindings);
		checkGranted(name, tools, bindings);
	}

	/**
	 * Return a Spec that asks for nothing and narrows nothing.
	 * @param name its name
	 * @return the Spec
	 */
	public static Spec of(String name) {
		return new Spec(name, null, null, null, false, false, Grant.ALL, Grant.ALL);
	}

	/**
	 * Read a Spec.
	 * @param json what {@link #toJson()} returned; a part that is not there is the one of
	 * {@link #of(String)}
	 * @return the Spec
	 * @throws SpecException if it has a member of no meaning, or one that can't be
	 * @throws IllegalArgumentException if a name or a limit in it can't be
	 */
	public static Spec of(JsonValue json) {
		return SpecJson.read(json);
	}

	/**
	 * Return this Spec as JSON. What it does not say is left out, so that a part which
	 * later versions add changes no digest.
	 * @return a JSON object with its members in one order
	 */
	public JsonValue toJson() {
		return SpecJson.write(this);
	}

	/**
	 * Return a name for the content of this Spec.
	 * @return the SHA-256 of {@link #toJson()} as lower-case hexadecimal digits, the same
	 * for all that are equal
	 */
	public String digest() {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(toJson().toUtf8()));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every JDK has SHA-256", ex);
		}
	}

	/**
	 * Return what this Spec takes away from the terms of an execution.
	 * @return the narrowing
	 */
	public Narrowing narrowing() {
		return new Narrowing(this.limits, this.require, this.network, this.bindings, this.preserve, null);
	}

	/**
	 * Return this Spec with a profile.
	 * @param profile the name of the profile, or {@code null} for the default limits
	 * @return the new Spec
	 */
	public Spec withProfile(@Nullable String profile) {
		return new Spec(this.name, profile, this.limits, this.require, this.network, this.preserve, this.tools,
				this.bindings);
	}

	/**
	 * Return this Spec with limits.
	 * @param limits the limits, or {@code null} for those of the profile;
	 * {@link Limits#widest()} is where to begin when only some of them matter
	 * @return the new Spec
	 */
	public Spec withLimits(@Nullable Limits limits) {
		return new Spec(this.name, this.profile, limits, this.require, this.network, this.preserve, this.tools,
				this.bindings);
	}

	/**
	 * Return this Spec with a requirement.
	 * @param require the isolation an execution must have, or {@code null} for what the
	 * deployment requires
	 * @return the new Spec
	 */
	public Spec withRequire(@Nullable Requirement require) {
		return new Spec(this.name, this.profile, this.limits, require, this.network, this.preserve, this.tools,
				this.bindings);
	}

	/**
	 * Return this Spec asking for the host's network, or not.
	 * @param network whether it asks
	 * @return the new Spec
	 */
	public Spec withNetwork(boolean network) {
		return new Spec(this.name, this.profile, this.limits, this.require, network, this.preserve, this.tools,
				this.bindings);
	}

	/**
	 * Return this Spec requiring that output and files are preserved, or not.
	 * @param preserve whether losing them fails an execution
	 * @return the new Spec
	 */
	public Spec withPreserve(boolean preserve) {
		return new Spec(this.name, this.profile, this.limits, this.require, this.network, preserve, this.tools,
				this.bindings);
	}

	/**
	 * Return this Spec with other tools, and of its bindings those that are among them.
	 * @param tools the tools the agent may call at all
	 * @return the new Spec
	 */
	public Spec withTools(Grant tools) {
		return new Spec(this.name, this.profile, this.limits, this.require, this.network, this.preserve, tools,
				this.bindings.intersect(tools));
	}

	/**
	 * Return this Spec with other bindings.
	 * @param bindings the tools its programs may call, all of them among its tools
	 * @return the new Spec
	 */
	public Spec withBindings(Grant bindings) {
		return new Spec(this.name, this.profile, this.limits, this.require, this.network, this.preserve, this.tools,
				bindings);
	}

	private static void checkReserved(String name, String part, Grant grant) {
		if (grant.names() != null && grant.allows(RUN_CODE)) {
			throw new SpecException(name, part, grant.toString(), "but the name run_code is reserved for the sandbox",
					"Remove it: whether an agent may execute programs is not for a grant to say.");
		}
	}

	private static void checkGranted(String name, Grant tools, Grant bindings) {
		if (bindings.isWithin(tools)) {
			return;
		}
		Set<String> named = bindings.names();
		if (named == null) {
			throw new SpecException(name, "bindings", bindings.toString(), "but its tools are only " + tools,
					"Name the bindings, or grant all tools.");
		}
		String refused = named.stream().filter((binding) -> !tools.allows(binding)).findFirst().orElseThrow();
		throw new SpecException(name, "bindings", bindings.toString(),
				"but its tools " + tools + " do not grant " + refused, "Add it to tools, or remove it from bindings.");
	}

}
