/**
 * The way from the host's tools out to other hosts over HTTP, and the tools that are
 * declared in configuration. Every destination is asked for at
 * {@link io.psych.sandbox.egress.Egress} by its name and by the address that is connected
 * to, for each redirect anew. Needs Apache HttpClient 5.
 */
@NullMarked
package io.psych.sandbox.spring.http;

import org.jspecify.annotations.NullMarked;
