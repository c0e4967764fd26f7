/**
 * What happens within the JVM on the way of an execution and of a call, each beside the
 * least that could be done instead.
 */
@NullMarked
package io.psych.sandbox.jmh;

import org.jspecify.annotations.NullMarked;
