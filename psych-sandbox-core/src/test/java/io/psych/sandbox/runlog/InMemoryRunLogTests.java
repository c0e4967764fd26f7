package io.psych.sandbox.runlog;

import io.psych.sandbox.contract.CallOrigin;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InMemoryRunLogTests extends AbstractRunLogTests {

	@Override
	protected RunLog log() {
		return new InMemoryRunLog();
	}

	@Test
	void whatIsKeptIsBoundedAndWhatWasAcceptedStaysCounted() {
		RunLog log = new InMemoryRunLog();
		RunKey run = new RunKey("", "run:1");
		int most = InMemoryRunLog.MOST_EVENTS + 10;
		for (int i = 0; i < most; i++) {
			assertThat(log.accept(run, accepted("call", CallOrigin.PROGRAM), most)).isPresent();
		}
		assertThat(log.accept(run, accepted("call", CallOrigin.PROGRAM), most)).isEmpty();
		assertThat(log.read(run, 0, Integer.MAX_VALUE)).hasSize(InMemoryRunLog.MOST_EVENTS);
		for (int i = 0; i < InMemoryRunLog.MOST_IN_ALL / 2; i++) {
			log.append(new RunKey("", "run:other-" + i), accepted("call", CallOrigin.PROGRAM));
		}
		assertThat(log.read(run, 0, 1)).as("the oldest run").isEmpty();
		RunKey newest = new RunKey("", "run:other-" + (InMemoryRunLog.MOST_IN_ALL / 2 - 1));
		assertThat(log.read(newest, 0, 1)).hasSize(1);
	}

}
