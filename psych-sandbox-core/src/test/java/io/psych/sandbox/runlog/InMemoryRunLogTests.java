package io.psych.sandbox.runlog;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.CallOrigin;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InMemoryRunLogTests extends AbstractRunLogTests {

	private static final RunKey RUN = new RunKey("", "run:1");

	@Override
	protected RunLog log() {
		return new InMemoryRunLog();
	}

	@Test
	void eventsOfOneRunAreBoundedAndWhatWasAcceptedStaysCounted() {
		RunLog log = new InMemoryRunLog();
		int most = InMemoryRunLog.MOST_EVENTS + 1;
		accept(log, most - 1, most);
		assertThat(log.isComplete(RUN)).isTrue();
		accept(log, 1, most);
		assertThat(log.isComplete(RUN)).isFalse();
		assertThat(log.accept(RUN, accepted("one-more", CallOrigin.PROGRAM), most)).isEmpty();
		assertThat(log.read(RUN, 0, Integer.MAX_VALUE)).hasSize(InMemoryRunLog.MOST_EVENTS);
		assertThat(RunRecord.of(log, RUN).complete()).isFalse();
	}

	@Test
	void runWhoseEventsHadToGoGoesOnWithWhatItHasLeft() {
		RunLog log = new InMemoryRunLog();
		accept(log, 3, 4);
		beginOthers(log, InMemoryRunLog.MOST_IN_ALL / 2 - 2);
		assertThat(log.read(RUN, 0, 10)).hasSize(3);
		beginOthers(log, InMemoryRunLog.MOST_IN_ALL / 2);
		assertThat(log.read(RUN, 0, 10)).isEmpty();
		assertThat(log.isComplete(RUN)).isFalse();
		assertThat(log.accept(RUN, accepted("the-last", CallOrigin.PROGRAM), 4)).hasValue(4);
		assertThat(log.accept(RUN, accepted("one-more", CallOrigin.PROGRAM), 4)).isEmpty();
		assertThat(RunRecord.of(log, RUN).complete()).isFalse();
		RunKey newest = new RunKey("", "run:other-" + (InMemoryRunLog.MOST_IN_ALL / 2 - 1));
		assertThat(log.read(newest, 0, 1)).hasSize(1);
		assertThat(log.isComplete(newest)).isTrue();
	}

	@Test
	void runThatWasForgottenLongAgoBeginsAnew() {
		RunLog log = new InMemoryRunLog();
		accept(log, 1, 1);
		int kept = InMemoryRunLog.MOST_IN_ALL / 2;
		beginOthers(log, kept + InMemoryRunLog.MOST_FORGOTTEN - 1);
		assertThat(log.accept(RUN, accepted("one-more", CallOrigin.PROGRAM), 1)).isEmpty();
		log.append(new RunKey("", "run:one-more"), accepted("call", CallOrigin.MODEL));
		assertThat(log.accept(RUN, accepted("anew", CallOrigin.PROGRAM), 1)).hasValue(1);
	}

	@Test
	void clockTellsTheTimeToTheMicrosecond() {
		Instant now = Instant.parse("2026-11-30T12:00:00.123456789Z");
		RunLog log = new InMemoryRunLog(Clock.fixed(now, ZoneOffset.UTC));
		log.append(RUN, accepted("call", CallOrigin.PROGRAM));
		assertThat(log.read(RUN, 0, 1).get(0).at()).isEqualTo("2026-11-30T12:00:00.123456Z");
	}

	private static void accept(RunLog log, int calls, int most) {
		for (int i = 0; i < calls; i++) {
			assertThat(log.accept(RUN, accepted("call", CallOrigin.PROGRAM), most)).isPresent();
		}
	}

	private static void beginOthers(RunLog log, int runs) {
		for (int i = 0; i < runs; i++) {
			log.append(new RunKey("", "run:other-" + i), accepted("call", CallOrigin.PROGRAM));
		}
	}

	@Test
	void contentOfAttachmentsCountsByItsSize() {
		InMemoryRunLog log = new InMemoryRunLog();
		String content = "x".repeat(10_000);
		int most = InMemoryRunLog.MOST_IN_ALL / 20;
		for (int i = 0; i < most; i++) {
			RunKey run = new RunKey("acme", "run:" + i);
			log.append(run,
					new RunEvent.AttachmentKept("x", new Attachment("a", "h" + i, "text/plain", 1, true), content));
		}
		assertThat(log.isComplete(new RunKey("acme", "run:0"))).isFalse();
		assertThat(log.attachment(new RunKey("acme", "run:0"), "h0")).isNull();
		assertThat(log.attachment(new RunKey("acme", "run:" + (most - 1)), "h" + (most - 1))).isNotNull();
	}

}
