package io.psych.sandbox.spring.http;

import java.util.List;

import io.psych.sandbox.egress.EgressRule;

/**
 * Destinations that follow from other configuration and need no entry of
 * {@code psych.sandbox.egress.allow}: whoever wrote the address of a tool wants it
 * called. Beans of this type are asked once, when the rules are made.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface EgressContributor {

	/**
	 * Return what is allowed.
	 * @return the rules
	 */
	List<EgressRule> rules();

}
