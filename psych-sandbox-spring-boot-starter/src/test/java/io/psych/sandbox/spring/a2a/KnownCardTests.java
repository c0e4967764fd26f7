package io.psych.sandbox.spring.a2a;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.tool.ToolCallException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KnownCard} with a clock and a peer of our own.
 */
class KnownCardTests {

	private static final AgentCard CARD = new AgentCard("Agent", List.of(), URI.create("https://agent.example.org"),
			Protocol.V1_0, null);

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000);

	private final FakePeer peer = new FakePeer();

	private final KnownCard known = new KnownCard(this.peer, Duration.ofSeconds(60), this.now::get);

	@Test
	void cardIsReadAgainWhenItIsTooOld() {
		assertThat(this.known.get()).isSameAs(CARD);
		pass(Duration.ofSeconds(59));
		assertThat(this.known.get()).isSameAs(CARD);
		assertThat(this.peer.read).isEqualTo(1);
		pass(Duration.ofSeconds(1));
		assertThat(this.known.get()).isSameAs(CARD);
		assertThat(this.peer.read).isEqualTo(2);
	}

	@Test
	void cardIsReadAgainWhenItAsksForThatButNotLaterThanAllowed() {
		this.peer.maxAge = Duration.ofSeconds(10);
		this.known.get();
		pass(Duration.ofSeconds(10));
		this.peer.maxAge = Duration.ofDays(1);
		this.known.get();
		assertThat(this.peer.read).isEqualTo(2);
		pass(Duration.ofSeconds(60));
		this.known.get();
		assertThat(this.peer.read).isEqualTo(3);
	}

	@Test
	void peerThatCannotBeReachedIsAskedAgainAfterAPause() {
		this.known.get();
		pass(Duration.ofSeconds(60));
		this.peer.failure = ToolFailureKind.UNREACHABLE;
		assertThat(this.known.get()).isSameAs(CARD);
		pass(Duration.ofSeconds(4));
		assertThat(this.known.get()).isSameAs(CARD);
		assertThat(this.peer.read).isEqualTo(2);
		pass(Duration.ofSeconds(1));
		this.peer.failure = ToolFailureKind.DENIED;
		assertThat(this.known.get()).isNull();
		pass(Duration.ofSeconds(5));
		this.peer.failure = null;
		assertThat(this.known.get()).isSameAs(CARD);
		assertThat(this.peer.read).isEqualTo(4);
	}

	@Test
	void interruptionLeavesWhatIsKnown() {
		this.known.get();
		pass(Duration.ofSeconds(60));
		this.peer.isInterrupted = true;
		assertThat(this.known.get()).isSameAs(CARD);
		assertThat(Thread.interrupted()).isTrue();
		this.peer.isInterrupted = false;
		this.known.get();
		assertThat(this.peer.read).isEqualTo(3);
	}

	private void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

	/**
	 * A peer that has a card and does nothing.
	 */
	private static final class FakePeer implements A2aPeer {

		private int read;

		private @Nullable Duration maxAge;

		private @Nullable ToolFailureKind failure;

		private boolean isInterrupted;

		@Override
		public String name() {
			return "fake";
		}

		@Override
		public CardReading card(@Nullable CardReading known) throws ToolCallException, InterruptedException {
			this.read++;
			if (this.isInterrupted) {
				throw new InterruptedException();
			}
			if (this.failure != null) {
				throw new ToolCallException(this.failure, "no card");
			}
			return new CardReading(CARD, null, this.maxAge);
		}

		@Override
		public AgentReply send(AgentCard card, AgentMessage message, Terms terms) {
			throw new UnsupportedOperationException();
		}

		@Override
		public AgentReply task(AgentCard card, String task, Terms terms) {
			throw new UnsupportedOperationException();
		}

		@Override
		public AgentReply cancel(AgentCard card, String task, Terms terms) {
			throw new UnsupportedOperationException();
		}

	}

}
