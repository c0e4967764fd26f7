/**
 * The host's tools: the live catalogue, and the gateway every call of a program goes
 * through. Takes a name and JSON arguments, hands on a
 * {@link io.psych.sandbox.contract.CallOutcome}.
 */
@NullMarked
package io.psych.sandbox.tool;

import org.jspecify.annotations.NullMarked;
