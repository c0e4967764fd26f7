/**
 * Executions and calls as observations and meters of Micrometer. Takes what a
 * {@link io.psych.sandbox.contract.SandboxListener} is told; hands it to the registries
 * of the application.
 */
@NullMarked
package io.psych.sandbox.spring.observation;

import org.jspecify.annotations.NullMarked;
