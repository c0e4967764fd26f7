/**
 * A shop in memory and the three tools that ask it.
 */
@NullMarked
package io.psych.sandbox.samples.agent.shop;

import org.jspecify.annotations.NullMarked;
