package io.psych.sandbox.spring.a2a;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.log.Quoted;
import io.psych.sandbox.spring.a2a.A2aPeer.CardReading;
import io.psych.sandbox.tool.ToolCallException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of a peer's card. Read again when it is too old. A peer that can't be
 * reached keeps its skills, so that calls say so; one whose card is refused, gone or not
 * to be understood has none.
 */
final class KnownCard {

	private static final Logger logger = LoggerFactory.getLogger(KnownCard.class);

	/** A peer that is down must not slow down every turn. */
	private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

	private final A2aPeer peer;

	private final Duration maxAge;

	private final LongSupplier nanoTime;

	/** Two turns at once may both read the card; the later one is then kept. */
	private volatile State state;

	KnownCard(A2aPeer peer, Duration maxAge, LongSupplier nanoTime) {
		this.peer = peer;
		this.maxAge = maxAge;
		this.nanoTime = nanoTime;
		this.state = new State(null, nanoTime.getAsLong(), false);
	}

	/**
	 * Return the card of the moment.
	 * @return the card, or {@code null} when there is none
	 */
	@Nullable AgentCard get() {
		State current = this.state;
		if (this.nanoTime.getAsLong() - current.staleAt() >= 0) {
			current = read(current);
			this.state = current;
		}
		return (current.reading() != null) ? current.reading().card() : null;
	}

	private State read(State last) {
		try {
			CardReading reading = this.peer.card(last.reading());
			if (last.isFailing()) {
				logger.info("The card of the A2A peer {} can be read again", this.peer.name());
			}
			return new State(reading, in(maxAge(reading)), false);
		}
		catch (ToolCallException ex) {
			boolean mayPass = ex.kind() == ToolFailureKind.UNREACHABLE || ex.kind() == ToolFailureKind.TIMED_OUT;
			if (!last.isFailing()) {
				logger.warn("The card of the A2A peer {} can't be read, {}: {}", this.peer.name(),
						(mayPass && last.reading() != null) ? "its skills stay what they were" : "it has no skills",
						Quoted.text(String.valueOf(ex.getMessage())));
			}
			return new State(mayPass ? last.reading() : null, in(PAUSE_AFTER_FAILURE), true);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return last;
		}
	}

	private Duration maxAge(CardReading reading) {
		Duration asked = reading.maxAge();
		return (asked != null && asked.compareTo(this.maxAge) < 0) ? asked : this.maxAge;
	}

	private long in(Duration time) {
		return this.nanoTime.getAsLong() + time.toNanos();
	}

	/**
	 * What is known.
	 *
	 * @param reading the card, or {@code null} when there is none
	 * @param staleAt when to read it again
	 * @param isFailing whether it could not be read the last time
	 */
	private record State(@Nullable CardReading reading, long staleAt, boolean isFailing) {

	}

}
