package io.psych.sandbox.spring.a2a;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import io.psych.sandbox.spring.http.CredentialResolver;
import org.jspecify.annotations.Nullable;

/**
 * A peer with all that its skills share.
 *
 * @param port speaks to it
 * @param card what is known of its card
 * @param credentials finds what proves who calls, or {@code null} for nothing
 * @param timeout time of one call
 * @param waiting the skills that have waited for a person, in a set for many threads
 * @param cancellations cancels its tasks
 * @param closed open as long as anybody may wait
 */
record Peer(A2aPeer port, KnownCard card, @Nullable CredentialResolver credentials, Duration timeout,
		Set<String> waiting, Cancellations cancellations, CountDownLatch closed) {

}
