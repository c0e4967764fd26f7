/**
 * What a Spring application sees: the {@code run_code} tool as a plain bean, and the hook
 * through which it changes how the sandbox is built.
 */
@NullMarked
package io.psych.sandbox.spring;

import org.jspecify.annotations.NullMarked;
