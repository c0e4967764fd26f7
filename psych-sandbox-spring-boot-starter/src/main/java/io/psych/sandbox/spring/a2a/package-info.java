/**
 * Skills of other agents as tools, by the A2A protocol: an agent's card says which skills
 * it has, and each becomes a tool. {@code A2aPeer} is the port; the adapter speaks
 * JSON-RPC through {@link io.psych.sandbox.spring.http.EgressHttpClient}, so that every
 * destination is asked for at {@link io.psych.sandbox.egress.Egress}.
 */
@NullMarked
package io.psych.sandbox.spring.a2a;

import org.jspecify.annotations.NullMarked;
