package io.psych.sandbox.spring.a2a;

import java.net.ProxySelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.egress.AddressRange;
import io.psych.sandbox.egress.EgressRule;
import io.psych.sandbox.egress.EgressRules;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.a2a.ScriptedAgent.Answer;
import io.psych.sandbox.spring.http.Credential;
import io.psych.sandbox.spring.http.CredentialResolver;
import io.psych.sandbox.spring.http.EgressHttpClient;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link A2aTools} with an agent that answers whatever a test wants it to.
 */
@Timeout(60)
class A2aToolsTests {

	private static final String SECRET = "s3cr3t-t0ken-value";

	private static final String HELLO = "{\"message\": {\"messageId\": \"1\", \"parts\": [{\"text\": \"Hello\"}]}}";

	private final List<AutoCloseable> opened = new ArrayList<>();

	private ScriptedAgent agent;

	@BeforeEach
	void start() throws Exception {
		this.agent = new ScriptedAgent();
		this.opened.add(this.agent);
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.opened) {
			each.close();
		}
	}

	@Test
	void cardThatIsTooOldIsReadAgainWithItsTag() {
		this.agent
			.card(new Answer(200, Map.of("ETag", "\"1\"", "Cache-Control", "max-age=0"),
					ScriptedAgent.cardOf("one", this.agent.url())))
			.card(new Answer(304, Map.of("Cache-Control", "no-cache"), ""))
			.card(new Answer(200, Map.of("Cache-Control", "max-age=100"),
					ScriptedAgent.cardOf("two", this.agent.url())));
		A2aTools tools = tools();
		assertThat(names(tools)).containsExactly("one");
		assertThat(names(tools)).containsExactly("one");
		assertThat(names(tools)).containsExactly("two");
		assertThat(names(tools)).containsExactly("two");
		assertThat(this.agent.requests()).extracting((request) -> request.headers().getFirst("If-None-Match"))
			.containsExactly(null, "\"1\"", "\"1\"");
	}

	@Test
	void cardMayBeAtTheOlderAddress() {
		this.agent.card(Answer.of(404, "")).card("one");
		assertThat(names(tools())).containsExactly("one");
		assertThat(this.agent.requests()).extracting(ScriptedAgent.Request::path)
			.containsExactly("/.well-known/agent-card.json", "/.well-known/agent.json");
	}

	@Test
	void cardIsTriedAgainAndACallIsNot() throws Exception {
		this.agent.card(Answer.of(503, "")).card(Answer.of(503, "")).card("one").call(Answer.of(503, "busy"));
		HostTool tool = tool(tools());
		assertThat(this.agent.requests()).hasSize(3);
		assertThat(failure(tool).kind()).isEqualTo(ToolFailureKind.UNREACHABLE);
		assertThat(this.agent.calls()).hasSize(1);
	}

	@Test
	void peerThatIsAwayKeepsItsSkillsAndOneThatIsGoneHasNone() {
		this.agent
			.card(new Answer(200, Map.of("Cache-Control", "max-age=0"), ScriptedAgent.cardOf("one", this.agent.url())))
			.card(Answer.of(503, ""));
		A2aTools away = tools();
		assertThat(names(away)).containsExactly("one");
		assertThat(names(away)).containsExactly("one");
		assertThat(this.agent.requests()).hasSize(4);
		assertThat(names(away)).containsExactly("one");
		assertThat(this.agent.requests()).as("not asked again at once").hasSize(4);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			401 | {}
			403 | {}
			410 | {}
			200 | no JSON
			200 | []
			200 | {"skills": []}
			200 | {"url": "http://127.0.0.1:1/", "skills": [{"id": "one"}]}
			200 | {"url": "http://127.0.0.1/", "preferredTransport": "GRPC", "skills": [{"id": "one"}]}
			200 | {"url": "file:///etc/passwd", "skills": [{"id": "one"}]}
			200 | {"url": "http://user@127.0.0.1/", "skills": [{"id": "one"}]}
			""")
	void cardThatIsRefusedGoneOrNotToBeUnderstoodTakesTheSkillsAway(int status, String body) {
		this.agent
			.card(new Answer(200, Map.of("Cache-Control", "max-age=0"), ScriptedAgent.cardOf("one", this.agent.url())))
			.card(Answer.of(status, body));
		A2aTools tools = tools();
		assertThat(names(tools)).containsExactly("one");
		assertThat(names(tools)).isEmpty();
	}

	@Test
	void cardThatNamesAnotherOriginIsRefusedUnlessThatIsAllowed() throws Exception {
		try (ScriptedAgent other = new ScriptedAgent()) {
			other.result(HELLO);
			this.agent.card(Answer.of(200, ScriptedAgent.cardOf("one", other.url() + "/rpc")));
			assertThat(names(tools())).isEmpty();
			HostTool tool = tool(tools(null, other.url()));
			assertThat(tool.destinations(JsonValue.NULL)).extracting(Object::toString)
				.containsExactly(other.url() + "/rpc");
			assertThat(call(tool).string("text")).isEqualTo("Hello");
			assertThat(other.calls()).hasSize(1);
		}
	}

	@Test
	void cardThatIsRedirectedToAnotherOriginIsRefused() throws Exception {
		try (ScriptedAgent other = new ScriptedAgent()) {
			other.card(Answer.of(200, ScriptedAgent.cardOf("one", this.agent.url())));
			this.agent.card(new Answer(302, Map.of("Location", other.url() + "/card.json"), ""));
			assertThat(names(tools())).isEmpty();
		}
	}

	@Test
	void answerOfAnotherOriginIsNotTaken() throws Exception {
		try (ScriptedAgent other = new ScriptedAgent()) {
			other.result(HELLO);
			this.agent.card("one").call(new Answer(307, Map.of("Location", other.url() + "/rpc"), ""));
			ToolCallException failure = failure(tool(tools()));
			assertThat(failure.kind()).isEqualTo(ToolFailureKind.DENIED);
			assertThat(failure.state()).isEqualTo(CallState.UNKNOWN);
			assertThat(other.calls()).extracting((call) -> call.headers().getFirst("Authorization"))
				.containsOnlyNulls();
		}
	}

	@Test
	void callSaysWhatVersionAndTenantItIsFor() throws Exception {
		this.agent.card("one").result(HELLO);
		call(tool(tools()));
		ScriptedAgent.Request request = this.agent.calls().get(0);
		JsonValue params = JsonValue.parse(request.body()).member("params");
		assertThat(request.rpc()).isEqualTo("SendMessage");
		assertThat(request.headers().getFirst("A2A-Version")).isEqualTo("1.0");
		assertThat(params.string("tenant")).isEqualTo("acme");
		assertThat(params.member("configuration")).isEqualTo(JsonValue.parse("{\"returnImmediately\": true}"));
		JsonValue message = params.member("message");
		assertThat(message.member("metadata")).isEqualTo(JsonValue.parse("{\"skillId\": \"one\"}"));
		assertThat(message.member("parts")).isEqualTo(JsonValue.parse("[{\"text\": \"Do it\"}]"));
	}

	@Test
	void credentialGoesWithCallsAndIsInNoMessage() throws Exception {
		this.agent.card("one")
			.call(Answer.of(200, "{\"jsonrpc\": \"2.0\", \"id\": \"" + ScriptedAgent.ID
					+ "\", \"error\": {\"code\": -32603, \"message\": \"Bearer " + SECRET + " is wrong\"}}"));
		HostTool tool = tool(tools(CredentialResolver.of(Credential.bearer(SECRET))));
		assertThat(failure(tool)).hasMessageContaining("-32603").hasMessageNotContaining(SECRET);
		assertThat(this.agent.requests()).extracting((request) -> request.headers().getFirst("Authorization"))
			.containsExactly(null, "Bearer " + SECRET);
	}

	@Test
	void callWithoutACredentialForItsScopeIsNotMade() throws Exception {
		this.agent.card("one").result(HELLO);
		assertThat(failure(tool(tools((scope, destination) -> null))).kind()).isEqualTo(ToolFailureKind.DENIED);
		HostTool tool = tool(tools((scope, destination) -> {
			throw new IllegalStateException(SECRET);
		}));
		assertThat(failure(tool)).hasMessageNotContaining(SECRET);
		assertThat(this.agent.calls()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			401 | {}                                                                             | DENIED
			403 | {}                                                                             | DENIED
			429 | {}                                                                             | UNREACHABLE
			502 | <html>                                                                         | UNREACHABLE
			500 | <html>                                                                         | TOOL_ERROR
			200 | <html>                                                                         | TOOL_ERROR
			200 | []                                                                             | TOOL_ERROR
			200 | {"jsonrpc": "2.0", "id": "another", "result": {"message": {"parts": []}}}      | TOOL_ERROR
			200 | {"jsonrpc": "2.0", "id": "$ID"}                                                | TOOL_ERROR
			200 | {"jsonrpc": "2.0", "id": "$ID", "result": {}}                                  | TOOL_ERROR
			200 | {"jsonrpc": "2.0", "id": "$ID", "result": {"task": {"id": "1"}}}               | TOOL_ERROR
			200 | {"id": "$ID", "result": {"task": {"id": "1", "status": {"state": "dreaming"}}}} | TOOL_ERROR
			200 | {"id": "$ID", "result": {"task": {"status": {"state": "working"}}}}            | TOOL_ERROR
			200 | {"id": "$ID", "result": {"message": {"parts": [{"video": 1}]}}}                | TOOL_ERROR
			200 | {"id": "$ID", "result": {"message": {"parts": ["text"]}}}                      | TOOL_ERROR
			404 | {"id": "$ID", "error": {"code": -32001, "message": "no such task"}}            | TOOL_ERROR
			""")
	void answerThatIsNoneIsAFailure(int status, String body, ToolFailureKind kind) throws Exception {
		this.agent.card("one").call(Answer.of(status, body));
		assertThat(failure(tool(tools())).kind()).isEqualTo(kind);
	}

	@Test
	void answerAboutAnotherTaskIsAFailureAndTheTaskIsCancelled() throws Exception {
		this.agent.card("one")
			.result("{\"task\": {\"id\": \"1\", \"status\": {\"state\": \"TASK_STATE_WORKING\"}}}")
			.result("{\"id\": \"2\", \"status\": {\"state\": \"TASK_STATE_COMPLETED\"}}");
		A2aTools tools = tools();
		ToolCallException failure = failure(tool(tools));
		assertThat(failure.kind()).isEqualTo(ToolFailureKind.TOOL_ERROR);
		assertThat(failure.state()).isEqualTo(CallState.UNKNOWN);
		tools.close();
		assertThat(this.agent.calls()).extracting(ScriptedAgent.Request::rpc)
			.containsExactly("SendMessage", "GetTask", "CancelTask");
	}

	@Test
	void waitingEndsWhenTheToolsAreClosed() throws Exception {
		this.agent.card("one").result("{\"task\": {\"id\": \"1\", \"status\": {\"state\": \"TASK_STATE_WORKING\"}}}");
		A2aTools tools = tools();
		HostTool tool = tool(tools);
		tools.close();
		assertThat(failure(tool).kind()).isEqualTo(ToolFailureKind.CANCELLED);
	}

	@Test
	void textOfACardIsBoundedAndHasNoControlCharacters() {
		String skill = "{\"id\": \"one\", \"description\": \"" + "x".repeat(5000)
				+ "\", \"examples\": [\"a\\u0007b\"]}";
		String nameless = "{\"id\": \"\", \"description\": \"y\"}, {\"id\": \"" + "i".repeat(200) + "\"}, {\"id\": 7}";
		this.agent.card(Answer.of(200, "{\"url\": \"" + this.agent.url() + "\", \"skills\": [" + skill + ", " + skill
				+ ", " + nameless + ", 7, null]}"));
		HostTool tool = tool(tools());
		assertThat(tool.name()).isEqualTo("one");
		assertThat(tool.description()).hasSizeLessThan(2200).contains("x...", "a b").doesNotContain("\u0007");
	}

	@Test
	void cardThatIsTooLargeIsNotRead() {
		this.agent.card(Answer.of(200, "[\"" + "x".repeat(1024 * 1024) + "\"]"));
		assertThat(names(tools())).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "run_code", "list_tools", "other" })
	void skillWithTheNameOfAnotherToolIsNamedByItsPeer(String name) {
		this.agent.card(name);
		assertThat(tools().tools(Set.of("other"))).extracting(HostTool::name).containsExactly("peer_" + name);
	}

	private A2aTools tools() {
		return tools(null);
	}

	private A2aTools tools(@Nullable CredentialResolver credentials, String... allowedOrigins) {
		EgressRule loopback = EgressRule.parse("http://127.0.0.1:*")
			.withAddresses(List.of(AddressRange.parse("127.0.0.1")));
		EgressHttpClient client = new EgressHttpClient(new EgressRules(List.of(loopback)), ProxySelector.of(null), null,
				EgressHttpClient.CONNECT_TIMEOUT);
		A2aTools tools = new A2aTools(client);
		tools.add("peer", new A2aPeerProperties(this.agent.url(), List.of(allowedOrigins), null, Duration.ofSeconds(20),
				Duration.ofSeconds(60), DataSize.ofMegabytes(1), null), credentials);
		this.opened.add(0, client);
		this.opened.add(0, tools);
		return tools;
	}

	private static List<String> names(A2aTools tools) {
		return tools.tools(Set.of()).stream().map(HostTool::name).toList();
	}

	private static HostTool tool(A2aTools tools) {
		List<HostTool> found = tools.tools(Set.of());
		assertThat(found).hasSize(1);
		return found.get(0);
	}

	private static JsonValue call(HostTool tool) throws Exception {
		return tool.call(JsonValue.parse("{\"message\": \"Do it\"}"),
				new ToolCallContext(Scope.NONE, Map.of(), CallOrigin.PROGRAM));
	}

	private static ToolCallException failure(HostTool tool) {
		return catchThrowableOfType(ToolCallException.class, () -> call(tool));
	}

}
