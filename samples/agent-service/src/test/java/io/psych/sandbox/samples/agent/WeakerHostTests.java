package io.psych.sandbox.samples.agent;

import java.util.List;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.http.MediaType;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the service on hosts that offer less than full isolation.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "psych.sandbox.interpreter=${psych.python:/usr/bin/python3}",
				"psych.sandbox.allow-same-user=true" })
@AutoConfigureRestTestClient
class WeakerHostTests {

	private static final String NO_BUBBLEWRAP = "psych.sandbox.bubblewrap.executable=/nonexistent/bwrap";

	@Autowired
	private RestTestClient client;

	private Answer execute(String program) {
		return Answer.toProgram(this.client, program);
	}

	private Answer health() {
		return Answer.toGet(this.client, "/actuator/health");
	}

	@Nested
	@TestPropertySource(properties = "psych.sandbox.backend=process")
	class WhenBackendIsProcess {

		@Test
		void executeAnswersWhatTheProgramJoined() {
			Answer answer = execute(Programs.orders());
			assertThat(answer.<Object>at("$.failure")).isNull();
			assertThat(answer.<List<Object>>at("$.value")).hasSize(6);
			assertThat(answer.text("$.isolation.backend")).isEqualTo("process");
			assertThat(answer.text("$.isolation.level")).isEqualTo("process");
		}

	}

	@Nested
	@TestPropertySource(properties = NO_BUBBLEWRAP)
	class WhenBubblewrapIsHidden {

		@Test
		void healthIsUpAtLevelProcessAndSaysWhy() {
			Answer answer = health();
			assertThat(answer.status()).isEqualTo(200);
			assertThat(answer.text("$.components.psychSandbox.status")).isEqualTo("UP");
			assertThat(answer.text("$.components.psychSandbox.details.level")).isEqualTo("process");
			assertThat(answer.text("$.components.psychSandbox.details.notTaken.bubblewrap.reason"))
				.contains("/nonexistent/bwrap");
		}

	}

	@Nested
	@TestPropertySource(properties = { NO_BUBBLEWRAP, "psych.sandbox.require.level=isolated" })
	class WhenIsolationIsRequiredAndBubblewrapHidden {

		@Test
		void healthIsOutOfService() {
			Answer answer = health();
			assertThat(answer.status()).isEqualTo(503);
			assertThat(answer.text("$.components.psychSandbox.status")).isEqualTo("OUT_OF_SERVICE");
		}

		@Test
		void executeRefusesTheProgramBeforeItIsSent() {
			Answer answer = execute("print('sent')\nawait list_orders()");
			assertThat(answer.status()).isEqualTo(200);
			assertThat(answer.text("$.failure.kind")).isEqualTo("isolation_unavailable");
			assertThat(answer.<Integer>at("$.stdout.bytes")).isZero();
			assertThat(answer.<List<Object>>at("$.calls")).isEmpty();
		}

	}

	@Nested
	@TestPropertySource(properties = { NO_BUBBLEWRAP, "psych.sandbox.backend=bubblewrap" })
	class WhenNoBackendIsUsable {

		@Test
		void executeAnswersProblem() {
			Answer answer = execute("6 * 7");
			assertThat(answer.status()).isEqualTo(503);
			assertThat(answer.mediaType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON);
			assertThat(answer.text("$.detail")).contains("No isolation backend is usable on this host");
		}

		@Test
		void healthSaysWhyAndWhatToDo() {
			Answer answer = health();
			assertThat(answer.status()).isEqualTo(503);
			assertThat(answer.text("$.components.psychSandbox.details.notTaken.bubblewrap.remedy")).isNotBlank();
		}

	}

}
