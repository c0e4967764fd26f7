package io.psych.sandbox.samples.agent;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.EntityExchangeResult;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A run over HTTP: a program that is given a file, calls tools and leaves files behind,
 * what the run's record says of it, and who can read it.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "psych.sandbox.interpreter=${psych.python:/usr/bin/python3}",
				"psych.sandbox.packages=/usr/lib/python3/dist-packages", "psych.sandbox.limits.address-space=1GB" })
@AutoConfigureRestTestClient
class RunsTests {

	private static final String PROGRAM = """
			import csv
			import matplotlib.pyplot as plt

			with open("regions.csv", newline="") as file:
			    region = {row["country"]: row["region"] for row in csv.DictReader(file)}
			totals = {}
			for order in await list_orders(status="OPEN"):
			    customer = await get_customer(id=order["customerId"])
			    name = region.get(customer["country"], "elsewhere")
			    totals[name] = totals.get(name, 0) + 1
			with open("totals.csv", "w", newline="") as file:
			    csv.writer(file).writerows([["region", "orders"]] + sorted(totals.items()))
			plt.bar(list(totals), list(totals.values()))
			plt.savefig("chart.png")
			sum(totals.values())
			""";

	@Autowired
	private RestTestClient client;

	@Test
	void programThatIsGivenACsvLeavesAChartAndACsvThatOnlyItsTenantCanRead() {
		Answer answer = Answer.toPost(this.client, "/api/executions",
				Map.of("program", PROGRAM, "tenant", "acme", "run", "report-1", "files",
						Map.of("regions.csv", Map.of("text", "country,region\nDE,north\nFR,south\n"))));
		assertThat(answer.<Object>at("$.failure")).as(answer.body()).isNull();
		assertThat(answer.<List<String>>at("$.attachments[*].name")).containsExactly("value", "chart.png",
				"totals.csv");
		String chart = answer.<List<String>>at("$.attachments[?(@.name=='chart.png')].handle").get(0);
		String totals = answer.<List<String>>at("$.attachments[?(@.name=='totals.csv')].handle").get(0);

		EntityExchangeResult<byte[]> image = download(chart, "acme", "report-1");
		assertThat(image.getStatus().value()).isEqualTo(200);
		assertThat(image.getResponseHeaders().getContentType()).isEqualTo(MediaType.IMAGE_PNG);
		assertThat(image.getResponseHeaders().getContentDisposition().getFilename()).isEqualTo("chart.png");
		assertThat(image.getResponseHeaders().getFirst("X-Content-Type-Options")).isEqualTo("nosniff");
		assertThat(image.getResponseBody()).startsWith(0x89, 'P', 'N', 'G');
		EntityExchangeResult<byte[]> table = download(totals, "acme", "report-1");
		assertThat(table.getResponseHeaders().getContentType()).isEqualTo(MediaType.parseMediaType("text/csv"));
		assertThat(new String(table.getResponseBody())).startsWith("region,orders\r\n");

		for (String handle : List.of(chart, totals)) {
			assertThat(download(handle, "other", "report-1").getStatus().value()).isEqualTo(404);
			assertThat(download(handle, "acme", "report-2").getStatus().value()).isEqualTo(404);
		}
		Answer stolen = Answer.toPost(this.client, "/api/executions", Map.of("program", "1", "tenant", "other", "run",
				"report-1", "files", Map.of("a.csv", Map.of("handle", totals))));
		assertThat(stolen.text("$.failure.kind")).isEqualTo("policy_refused");
	}

	@Test
	void runIsFoldedFromItsRecord() {
		execute("await list_orders(status='OPEN')\nopen('a.txt', 'w').write('left')\n1");
		execute("""
				try:
				    await get_customer(id='C-99')
				except ToolError:
				    pass
				try:
				    await call_tool('no_such_tool', {})
				except ToolError:
				    pass
				1 / 0
				""");
		Answer run = Answer.toGet(this.client, "/api/runs/run-7?tenant=acme");
		assertThat(run.status()).isEqualTo(200);
		assertThat(run.<List<String>>at("$.executions[*].state")).containsExactly("ended", "ended");
		assertThat(run.<List<String>>at("$.executions[*].failure")).containsExactly(null, "program_exception");
		assertThat(run.<List<String>>at("$.calls[*].state")).containsExactly("done", "failed", "refused");
		assertThat(run.<Integer>at("$.refusals")).isOne();
		assertThat(run.<List<String>>at("$.attachments[*].name")).contains("value", "a.txt");
		assertThat(run.<Integer>at("$.acceptedCalls")).isEqualTo(3);
		assertThat(run.<Integer>at("$.callsLeft")).isEqualTo(4_997);
		assertThat(Answer.toGet(this.client, "/api/runs/run-7?tenant=other").status()).isEqualTo(404);
		assertThat(Answer.toGet(this.client, "/api/runs/run-8?tenant=acme").status()).isEqualTo(404);
	}

	@Test
	void fileThatIsNoneIsABadRequest() {
		Answer answer = Answer.toPost(this.client, "/api/executions",
				Map.of("program", "1", "files", Map.of("a", Map.of("base64", "%%%"))));
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.body()).contains("file a is not Base64");
		assertThat(Answer.toPost(this.client, "/api/executions", Map.of("program", "1", "files", Map.of("a", Map.of())))
			.status()).isEqualTo(400);
	}

	private void execute(String program) {
		Answer answer = Answer.toPost(this.client, "/api/executions",
				Map.of("program", program, "tenant", "acme", "run", "run-7"));
		assertThat(answer.status()).isEqualTo(200);
	}

	private EntityExchangeResult<byte[]> download(String handle, String tenant, String run) {
		return this.client.get()
			.uri("/api/attachments/{handle}?tenant={tenant}&run={run}", handle, tenant, run)
			.exchange()
			.returnResult(byte[].class);
	}

}
