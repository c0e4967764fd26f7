/**
 * The backend without a launcher: the child confines itself as far as the privileges of
 * this JVM go.
 */
@NullMarked
package io.psych.sandbox.backend.process;

import org.jspecify.annotations.NullMarked;
