package io.psych.sandbox.spring;

import java.util.Map;

import io.psych.sandbox.contract.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Tells whose call it is from what an application hands to its tools. A bean of this type
 * replaces the one that reads the entries {@value #TENANT}, {@value #RUN} and
 * {@value #TURN}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ScopeResolver {

	/** The entry of a tool context that names the tenant. */
	String TENANT = "psych.tenant";

	/** The entry of a tool context that names the agent run. */
	String RUN = "psych.run";

	/** The entry of a tool context that names the turn within the run. */
	String TURN = "psych.turn";

	/** Reads the three entries, where they are strings. */
	ScopeResolver ENTRIES = (context) -> new Scope(text(context, TENANT), text(context, RUN), text(context, TURN));

	/**
	 * Return whose call it is.
	 * @param context the tool context of the call; empty when there is none
	 * @return the scope
	 */
	Scope resolve(Map<String, Object> context);

	private static @Nullable String text(Map<String, Object> context, String entry) {
		return (context.get(entry) instanceof String text) ? text : null;
	}

}
