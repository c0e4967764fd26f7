package io.psych.sandbox.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Listeners}.
 */
class ListenersTests {

	private static final CallFacts FACTS = new CallFacts("one", CallOrigin.MODEL, CallFacts.SUCCESS, Duration.ZERO);

	private final List<String> told = new ArrayList<>();

	@Test
	void endsAreToldInTheReverseOrderOfBeginnings() {
		new Listeners(List.of(recording("a"), recording("b"))).callBegins("one", CallOrigin.MODEL).accept(FACTS);
		assertThat(this.told).containsExactly("a begins", "b begins", "b ends", "a ends");
	}

	@Test
	void listenerThatFailsIsLoggedOnceAndKeepsNoOtherFromBeingTold() {
		SandboxListener failing = new SandboxListener() {

			@Override
			public Consumer<CallFacts> callBegins(String tool, CallOrigin origin) {
				throw new IllegalStateException("out of order");
			}

		};
		Logger logger = (Logger) LoggerFactory.getLogger(Listeners.class);
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		logger.addAppender(log);
		logger.setAdditive(false);
		try {
			Listeners listeners = new Listeners(List.of(recording("a"), failing, recording("b")));
			listeners.callBegins("one", CallOrigin.MODEL).accept(FACTS);
			listeners.callBegins("one", CallOrigin.MODEL).accept(FACTS);
		}
		finally {
			logger.setAdditive(true);
			logger.detachAppender(log);
		}
		assertThat(this.told).hasSize(8).startsWith("a begins", "b begins", "b ends", "a ends");
		assertThat(log.list).singleElement()
			.satisfies((event) -> assertThat(event.getThrowableProxy().getMessage()).isEqualTo("out of order"));
	}

	private SandboxListener recording(String name) {
		return new SandboxListener() {

			@Override
			public Consumer<CallFacts> callBegins(String tool, CallOrigin origin) {
				ListenersTests.this.told.add(name + " begins");
				return (facts) -> ListenersTests.this.told.add(name + " ends");
			}

		};
	}

}
