package io.psych.sandbox.runlog;

import java.time.Duration;

import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RunEventJson}, beside the round trips of {@link AbstractRunLogTests}.
 */
class RunEventJsonTests {

	/** What is stored in databases: this text must be readable for ever. */
	private static final String STORED = """
			{"type":"call_ended","call":"c1","state":"done","duration":"PT0.012S","resultBytes":3}""";

	private static final RunEvent EVENT = new RunEvent.CallEnded("c1", CallState.DONE, null, Duration.ofMillis(12), 3);

	@Test
	void formIsPinned() {
		assertThat(RunEventJson.write(EVENT).toJson()).isEqualTo(STORED);
		assertThat(RunEventJson.read(JsonValue.parse(STORED))).isEqualTo(EVENT);
	}

	@Test
	void memberOfANewerVersionIsLeftAlone() {
		assertThat(RunEventJson.read(JsonValue.parse(STORED.replace("{", "{\"newer\":[1],")))).isEqualTo(EVENT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "[]", "{}", "{\"type\":\"run_paused\"}", "{\"type\":\"call_ended\"}",
			"{\"type\":\"call_ended\",\"call\":\"c1\",\"state\":\"odd\",\"duration\":\"PT0S\",\"resultBytes\":3}",
			"{\"type\":\"call_ended\",\"call\":\"c1\",\"state\":\"done\",\"duration\":\"long\",\"resultBytes\":3}",
			"{\"type\":\"call_ended\",\"call\":\"c1\",\"state\":\"done\",\"duration\":\"PT0S\"}" })
	void whatIsNoEventIsRefused(String json) {
		assertThatIllegalArgumentException().isThrownBy(() -> RunEventJson.read(JsonValue.parse(json)));
	}

}
