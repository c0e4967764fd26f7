/**
 * The library's front: {@link io.psych.sandbox.Sandbox} and its builder, which assemble
 * all other packages. Nothing imports this one.
 */
@NullMarked
package io.psych.sandbox;

import org.jspecify.annotations.NullMarked;
