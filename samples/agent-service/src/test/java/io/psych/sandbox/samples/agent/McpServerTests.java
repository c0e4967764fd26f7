package io.psych.sandbox.samples.agent;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the tools of an MCP server that is configured as Spring AI's reference says.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "psych.sandbox.interpreter=${psych.python:/usr/bin/python3}",
				"spring.ai.mcp.client.stdio.connections.weather.command=${psych.python:/usr/bin/python3}",
				"spring.ai.mcp.client.stdio.connections.weather.args=src/test/resources/forecast_server.py" })
@AutoConfigureRestTestClient
class McpServerTests {

	@Autowired
	private RestTestClient client;

	@Test
	void toolsListsToolOfTheServerBesideTheShopsOwn() {
		assertThat(Answer.toGet(this.client, "/api/tools").<List<String>>at("$[*].name")).contains("forecast",
				"list_orders");
	}

	@Test
	void executeWhenProgramCallsToolOfTheServerHandsItTheParsedResult() {
		Answer answer = Answer.toProgram(this.client, """
				weather = await forecast(city="Bergen")
				weather["celsius"] + 1
				""");
		assertThat(answer.<Map<String, Object>>at("$.failure")).isNull();
		assertThat(answer.<Integer>at("$.value")).isEqualTo(8);
		assertThat(answer.<List<String>>at("$.calls[*].name")).containsExactly("forecast");
	}

}
