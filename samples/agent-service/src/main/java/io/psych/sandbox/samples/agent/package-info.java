/**
 * A small agent service: programs come in over HTTP, run isolated, and call the shop's
 * tools.
 */
@NullMarked
package io.psych.sandbox.samples.agent;

import org.jspecify.annotations.NullMarked;
