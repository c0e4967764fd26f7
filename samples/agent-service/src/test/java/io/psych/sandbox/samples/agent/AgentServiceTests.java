package io.psych.sandbox.samples.agent;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the service as it starts when nothing is configured.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "psych.sandbox.interpreter=${psych.python:/usr/bin/python3}")
@AutoConfigureRestTestClient
class AgentServiceTests {

	@Autowired
	private RestTestClient client;

	@Test
	void executeWhenProgramFansOutOverThreeToolsAnswersWhatItJoined() {
		Answer answer = Answer.toProgram(this.client, Programs.orders());
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.mediaType()).isEqualTo(MediaType.APPLICATION_JSON);
		assertThat(answer.<Object>at("$.failure")).isNull();
		assertThat(answer.text("$.stdout.text")).startsWith("13 open and 9 paid orders");
		assertThat(answer.<List<Map<String, Object>>>at("$.value")).hasSize(6)
			.allSatisfy((row) -> assertThat(row).containsOnlyKeys("order", "customer", "country", "total", "shipping",
					"days"));
		assertThat(answer.<List<String>>at("$.calls[*].name")).contains("list_orders", "get_customer",
				"shipping_quote");
		assertThat(answer.<List<String>>at("$.calls[*].state")).containsOnly("done");
	}

	@Test
	void executeAnswersTenGradesAtLevelIsolated() {
		Answer answer = Answer.toProgram(this.client, "6 * 7");
		assertThat(answer.text("$.isolation.level")).isEqualTo("isolated");
		assertThat(answer.<Map<String, Object>>at("$.isolation.guarantees")).hasSize(10);
	}

	@Test
	void healthSaysThatRunsAreRecordedInTheDatabase() {
		assertThat(Answer.toGet(this.client, "/actuator/health").text("$.components.psychSandbox.details.runLog"))
			.isEqualTo("in the database H2");
	}

	@Test
	void executeWhenProgramRaisesAnswersTracebackAndWhatItPrinted() {
		Answer answer = Answer.toProgram(this.client, "print('before')\n1 / 0");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text("$.stdout.text")).isEqualTo("before\n");
		assertThat(answer.text("$.failure.kind")).isEqualTo("program_exception");
		assertThat(answer.text("$.failure.traceback")).contains("line 2").contains("ZeroDivisionError");
	}

	@Test
	void executeWhenToolFailsLetsProgramHandleIt() {
		Answer answer = Answer.toProgram(this.client, """
				try:
					await get_customer(id="C-99")
				except ToolError as error:
					print(error.kind)
					print(error)
				""");
		assertThat(answer.<Object>at("$.failure")).isNull();
		assertThat(answer.text("$.stdout.text")).contains("tool_error")
			.contains("There is no customer C-99; numbers run from C-01 to C-12.");
		assertThat(answer.<List<String>>at("$.calls[*].state")).containsExactly("failed");
	}

	@Test
	void executeWhenProgramTakesSomeSecondsAnswersOneRecord() {
		Answer answer = Answer.toProgram(this.client, "import time\ntime.sleep(1.5)\n'rested'");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.mediaType()).isEqualTo(MediaType.APPLICATION_JSON);
		assertThat(answer.text("$.value")).isEqualTo("rested");
	}

	@Test
	void executeWithProfileRunsUnderIt() {
		Answer answer = Answer.toPost(this.client, "/api/executions",
				Map.of("program", "6 * 7", "profile", "batch", "tenant", "acme", "run", "r-1"));
		assertThat(answer.<Integer>at("$.value")).isEqualTo(42);
	}

	@Test
	void executeWhenProfileIsUnknownAnswersProblemNamingKnownOnes() {
		Answer answer = Answer.toPost(this.client, "/api/executions", Map.of("program", "6 * 7", "profile", "huge"));
		assertProblem(answer, 400, "No profile is named 'huge'. Known profiles: [batch].");
	}

	@Test
	void executeWhenProgramIsMissingAnswersProblem() {
		Answer answer = Answer.toPost(this.client, "/api/executions", Map.of("tenant", "acme"));
		assertProblem(answer, 400, "program is missing or blank");
	}

	@Test
	void executeWhenProgramIsBlankAnswersProblem() {
		assertProblem(Answer.toProgram(this.client, "  \n"), 400, "program is missing or blank");
	}

	@Test
	void executeWhenBodyIsNotJsonAnswersProblem() {
		assertProblem(Answer.toPost(this.client, "/api/executions", "print(1)"), 400, "Failed to read request");
	}

	@Test
	void toolsListsWhatAProgramCanCall() {
		Answer answer = Answer.toGet(this.client, "/api/tools");
		assertThat(answer.mediaType()).isEqualTo(MediaType.APPLICATION_JSON);
		assertThat(answer.<List<String>>at("$[*].name")).containsExactlyInAnyOrder("list_orders", "get_customer",
				"shipping_quote");
		assertThat(answer.<List<String>>at("$[?(@.name == 'shipping_quote')].inputSchema.properties.order.type"))
			.containsExactly("string");
	}

	@Test
	void healthShowsLevelAndGrades() {
		Answer answer = Answer.toGet(this.client, "/actuator/health");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text("$.components.psychSandbox.status")).isEqualTo("UP");
		assertThat(answer.text("$.components.psychSandbox.details.level")).isEqualTo("isolated");
		assertThat(answer.<Map<String, Object>>at("$.components.psychSandbox.details.guarantees")).hasSize(10);
	}

	@Test
	void sandboxEndpointShowsLimitsToolsAndPool() {
		Answer answer = Answer.toGet(this.client, "/actuator/sandbox");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text("$.backend")).isEqualTo("bubblewrap");
		assertThat(answer.text("$.profiles.batch.wallTime")).isEqualTo("PT5M");
		assertThat(answer.<List<String>>at("$.tools[?(@.reach == 'function')].name")).contains("list_orders");
		assertThat(answer.<Integer>at("$.pool.size")).isEqualTo(2);
		assertThat(answer.<Integer>at("$.admission.max")).isEqualTo(64);
	}

	@Test
	void metricsCountExecutionsAndTheirCalls() {
		Answer.toProgram(this.client, "await get_customer(id='C-01')");
		Answer executions = Answer.toGet(this.client, "/actuator/metrics/psych.sandbox.execution?tag=outcome:success");
		assertThat(executions.status()).isEqualTo(200);
		assertThat(executions.<List<String>>at("$.availableTags[*].tag")).contains("backend", "level", "start");
		Answer calls = Answer.toGet(this.client, "/actuator/metrics/psych.sandbox.call?tag=tool:get_customer");
		assertThat(calls.status()).isEqualTo(200);
		assertThat(calls.<List<String>>at("$.availableTags[?(@.tag == 'origin')].values[*]")).contains("program");
	}

	@Test
	void chatWhenThereIsNoModelIsNotFound() {
		Answer answer = Answer.toPost(this.client, "/api/chat", Map.of("message", "Which orders are open?"));
		assertProblem(answer, 404, "No chat model is configured");
	}

	@Test
	void rootServesThePage() {
		Answer answer = Answer.toGet(this.client, "/");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.body()).contains("<textarea id=\"program\"").doesNotContain("://");
	}

	private static void assertProblem(Answer answer, int status, String detail) {
		assertThat(answer.status()).isEqualTo(status);
		assertThat(answer.mediaType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON);
		assertThat(answer.text("$.detail")).contains(detail);
	}

}
