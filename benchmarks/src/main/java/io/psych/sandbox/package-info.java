/**
 * Whole-process measurements. They are in the package of {@link Sandbox} to reach what is
 * there for fault injection, and is not public.
 */
@NullMarked
package io.psych.sandbox;

import org.jspecify.annotations.NullMarked;
