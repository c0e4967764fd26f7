package io.psych.sandbox.spring;

import io.psych.sandbox.SandboxBuilder;

/**
 * Changes how the auto-configured sandbox is built, after the properties were applied and
 * before a backend is selected. Beans of this type are called in their order.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SandboxBuilderCustomizer {

	/**
	 * Change the builder.
	 * @param builder the builder, with the properties applied
	 */
	void customize(SandboxBuilder builder);

}
