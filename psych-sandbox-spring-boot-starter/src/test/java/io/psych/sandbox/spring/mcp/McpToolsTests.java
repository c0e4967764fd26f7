package io.psych.sandbox.spring.mcp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallException;
import io.psych.sandbox.tool.ToolCapability;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.psych.sandbox.spring.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link McpTools} with a server that does what servers should not do.
 */
class McpToolsTests {

	private static final Map<String, Object> NOTHING = Map.of();

	@Test
	void toolsAreThoseOfEveryPageWithWhatTheServerSaysOfThem() throws Exception {
		try (PythonServer server = PythonServer.plain()) {
			assertThat(server.names()).startsWith("echo").endsWith("task").hasSize(18).doesNotHaveDuplicates();
			McpHostTool echo = server.tool("echo");
			assertThat(echo.origin()).isEqualTo("mcp:python");
			assertThat(echo.connection()).isEqualTo("python");
			assertThat(echo.description()).isEqualTo("Does echo");
			assertThat(echo.hints()).isEqualTo(new McpHints(true, true, false, false));
			assertThat(echo.outputSchema()).isNotNull();
			assertThat(server.tool("silent").hints()).isEqualTo(new McpHints(false, true, false, true));
			assertThat(server.tool("silent").outputSchema()).isNull();
		}
	}

	@Test
	void toolThatOnlyRunsAsTaskIsKnownToOutliveTheExecution() {
		try (PythonServer server = PythonServer.plain()) {
			assertThat(server.tool("task").capabilities()).containsExactly(ToolCapability.OUTLIVES_THE_EXECUTION);
			assertThat(server.tool("echo").capabilities()).isEmpty();
		}
	}

	@Test
	void toolsWhenServerListsWithoutEndAreAsManyAsAreLookedAt() {
		try (PythonServer server = PythonServer.plain("endless")) {
			assertThat(server.names()).hasSize(Listing.MOST_TOOLS).startsWith("t0", "t1");
		}
	}

	@Test
	void toolsWhenServerListsOneTwiceOrWithoutNameLeavesThatOut() {
		try (PythonServer server = PythonServer.plain("twice")) {
			assertThat(server.names()).hasSize(18).containsOnlyOnce("echo");
		}
	}

	@Test
	void toolsWhenServerHasNoneAreNone() {
		try (PythonServer server = PythonServer.plain("toolless")) {
			assertThat(server.tools()).isEmpty();
		}
	}

	@Test
	void toolsWhenServerAnnouncesAChangeFollow() throws Exception {
		try (PythonServer server = PythonServer.plain()) {
			assertThat(server.names()).doesNotContain("extra");
			server.call("add", Map.of("name", "extra"));
			await().untilAsserted(() -> assertThat(server.names()).contains("extra"));
			assertThat(server.call("extra", NOTHING)).isEqualTo(JsonValue.of("I am extra"));
			server.call("withdraw", Map.of("name", "extra"));
			await().untilAsserted(() -> assertThat(server.names()).doesNotContain("extra"));
		}
	}

	@Test
	void toolsAreNotAskedForAgainUntilAChangeIsAnnounced() throws Exception {
		try (PythonServer server = PythonServer.plain()) {
			for (int i = 0; i < 3; i++) {
				server.tools();
			}
			assertThat(messages(server.seen("tools/list"))).hasSize(2);
		}
	}

	@Test
	void toolsOfServerThatAnnouncesNoChangesAreAskedForEachTime() throws Exception {
		try (PythonServer server = PythonServer.plain("quiet")) {
			server.call("add", Map.of("name", "extra"));
			assertThat(server.names()).contains("extra");
			server.call("withdraw", Map.of("name", "extra"));
			assertThat(server.names()).doesNotContain("extra");
		}
	}

	@Test
	void callOfToolThatWasWithdrawnInSilenceIsNotOffered() throws Exception {
		try (PythonServer server = PythonServer.plain()) {
			server.call("add", Map.of("name", "extra"));
			await().untilAsserted(() -> assertThat(server.names()).contains("extra"));
			HostTool extra = server.tool("extra");
			server.call("withdraw", Map.of("name", "extra", "announced", false));
			assertThat(server.names()).contains("extra");
			failure(() -> extra.call(JsonValue.of(NOTHING), PythonServer.PROGRAM), ToolFailureKind.NOT_OFFERED,
					CallState.REFUSED);
			assertThat(server.names()).doesNotContain("extra");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			failing          | TOOL_ERROR    | it broke
			failing_silently | TOOL_ERROR    | [image]
			refusing         | BAD_ARGUMENTS | n must be even
			broken           | TOOL_ERROR    | internal
			unknown_block    | TOOL_ERROR    | The server answered with what is no result of a tool.
			no_result        | TOOL_ERROR    | The server answered with what is no result of a tool.
			""")
	void callThatFailsIsOfTheKind(String tool, ToolFailureKind kind, String message) {
		try (PythonServer server = PythonServer.plain()) {
			failure(() -> server.call(tool, NOTHING), kind, kind.state()).hasMessageContaining(message);
		}
	}

	@Test
	void callThatFailsAtLengthIsShortenedAndSaysSo() {
		try (PythonServer server = PythonServer.plain()) {
			failure(() -> server.call("failing", Map.of("times", 10_000)), ToolFailureKind.TOOL_ERROR, CallState.FAILED)
				.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(4_100)
					.endsWith(" (86000 more characters)"));
		}
	}

	@Test
	void callsAtOnceAllArrive() throws Exception {
		try (PythonServer server = PythonServer.plain()) {
			HostTool echo = server.tool("echo");
			List<Callable<JsonValue>> calls = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				JsonValue arguments = JsonValue.of(Map.of("n", i));
				calls.add(() -> echo.call(arguments, PythonServer.PROGRAM));
			}
			ExecutorService threads = Executors.newFixedThreadPool(32);
			try {
				int i = 0;
				for (Future<JsonValue> answer : threads.invokeAll(calls)) {
					assertThat(answer.get()).isEqualTo(JsonValue.of(Map.of("n", i++)));
				}
			}
			finally {
				threads.shutdownNow();
			}
		}
	}

	@Test
	void callOfProgramIsToldOfByTokenOfItsOwnAndItsProgressIsNobodyElses() throws Exception {
		try (PythonServer server = PythonServer.plain()) {
			String first = server.call("meta_of", NOTHING).string("progressToken");
			String second = server.call("meta_of", NOTHING).string("progressToken");
			assertThat(first).startsWith("psych-sandbox-").isNotEqualTo(second);
			assertThat(server.call("progressing", NOTHING)).isEqualTo(JsonValue.of("done"));
			assertThat(server.progress).isEmpty();
			assertThat(server.tool("meta_of").call(JsonValue.of(NOTHING), PythonServer.MODEL))
				.isEqualTo(JsonValue.of(NOTHING));
		}
	}

	@Test
	void callThatIsInterruptedEndsAtOnceAndTheServerIsTold() throws Exception {
		try (PythonServer server = PythonServer.plain()) {
			Thread caller = Thread.currentThread();
			HostTool silent = server.tool("silent");
			CompletableFuture<Void> interruption = CompletableFuture.runAsync(() -> {
				await().until(() -> sent(server, "silent"));
				caller.interrupt();
			});
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> silent.call(JsonValue.of(NOTHING), PythonServer.PROGRAM));
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			interruption.get(60, TimeUnit.SECONDS);
			await().untilAsserted(() -> assertThat(messages(server.seen("notifications/cancelled"))).hasSize(1));
		}
	}

	@Test
	void callThatTakesTooLongTimesOutAndTheServerIsTold() throws Exception {
		try (PythonServer server = PythonServer.impatient(Duration.ofSeconds(3))) {
			failure(() -> server.call("silent", NOTHING), ToolFailureKind.TIMED_OUT, CallState.UNKNOWN);
			await().untilAsserted(() -> assertThat(messages(server.seen("notifications/cancelled"))).hasSize(1));
		}
	}

	@Test
	void callWhoseServerEndsIsUnreachableAtOnceAndItsToolsAreGone() throws Exception {
		try (PythonServer server = PythonServer.plain()) {
			HostTool echo = server.tool("echo");
			failure(() -> server.call("dying", NOTHING), ToolFailureKind.UNREACHABLE, CallState.UNKNOWN);
			failure(() -> echo.call(JsonValue.of(NOTHING), PythonServer.PROGRAM), ToolFailureKind.UNREACHABLE,
					CallState.FAILED);
			assertThat(server.tools()).isEmpty();
		}
	}

	@Test
	void programThatMakesToolAskIsToldSoAndNobodyIsAsked() throws Exception {
		try (PythonServer server = PythonServer.withPerson()) {
			assertThat(server.tool("asking").capabilities()).isEmpty();
			failure(() -> server.call("asking", NOTHING), ToolFailureKind.APPROVAL_REQUIRED, CallState.UNKNOWN)
				.hasMessageContaining("Call the tool directly");
			assertThat(server.asked).isEmpty();
			await().untilAsserted(() -> assertThat(server.seen("x").member("answers"))
				.isEqualTo(JsonValue.parse("{\"form\": {\"action\": \"cancel\"}}")));
			assertThat(server.tool("asking").capabilities()).containsExactly(ToolCapability.ASKS_A_PERSON);
			assertThat(server.tool("echo").capabilities()).isEmpty();
		}
	}

	@Test
	void directCallThatMakesToolAskReachesThePersonAndIsRemembered() throws Exception {
		try (PythonServer server = PythonServer.withPerson()) {
			assertThat(server.tool("asking").call(JsonValue.of(NOTHING), PythonServer.MODEL))
				.isEqualTo(JsonValue.of("accept"));
			assertThat(server.asked).containsExactly("Your name?");
			assertThat(server.tool("asking").capabilities()).containsExactly(ToolCapability.ASKS_A_PERSON);
		}
	}

	@Test
	void questionThatMayBeOfAProgramsCallIsCancelledWhoeverElseCalls() throws Exception {
		try (PythonServer server = PythonServer.withPerson()) {
			HostTool silent = server.tool("silent");
			HostTool asking = server.tool("asking");
			CompletableFuture<Throwable> programs = CompletableFuture
				.supplyAsync(() -> caught(() -> silent.call(JsonValue.of(NOTHING), PythonServer.PROGRAM)));
			await().until(() -> sent(server, "silent"));
			assertThat(asking.call(JsonValue.of(NOTHING), PythonServer.MODEL)).isEqualTo(JsonValue.of("cancel"));
			assertThat(server.asked).isEmpty();
			assertThat(programs.get(60, TimeUnit.SECONDS)).isInstanceOfSatisfying(ToolCallException.class,
					(ex) -> assertThat(ex.kind()).isEqualTo(ToolFailureKind.APPROVAL_REQUIRED));
			assertThat(server.tool("silent").capabilities()).isEmpty();
			assertThat(server.tool("asking").capabilities()).isEmpty();
		}
	}

	@Test
	void callsOfProgramsWaitForEachOtherWhereQuestionsCantBeToldApart() throws Exception {
		try (PythonServer server = PythonServer.withPerson()) {
			HostTool silent = server.tool("silent");
			HostTool echo = server.tool("echo");
			Thread first = new Thread(() -> caught(() -> silent.call(JsonValue.of(NOTHING), PythonServer.PROGRAM)));
			Thread second = new Thread(() -> caught(() -> echo.call(JsonValue.of(NOTHING), PythonServer.PROGRAM)));
			first.start();
			await().until(() -> sent(server, "silent"));
			second.start();
			await().until(() -> second.getState() == Thread.State.WAITING || !second.isAlive());
			first.interrupt();
			second.join(60_000);
			String all = server.seen("*").toJson();
			assertThat(all).containsSubsequence("\"name\":\"silent\"", "notifications/cancelled", "\"name\":\"echo\"");
		}
	}

	@Test
	void questionOfCallThatWasGivenUpReachesNobody() throws Exception {
		try (PythonServer server = PythonServer.withPerson()) {
			HostTool slow = server.tool("asking_slowly");
			Thread caller = Thread.currentThread();
			CompletableFuture.runAsync(() -> {
				await().until(() -> sent(server, "asking_slowly"));
				caller.interrupt();
			});
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> slow.call(JsonValue.of(NOTHING), PythonServer.PROGRAM));
			await().untilAsserted(() -> assertThat(
					server.tool("seen").call(JsonValue.of(Map.of("method", "x")), PythonServer.MODEL).member("answers"))
				.isEqualTo(JsonValue.parse("{\"late\": {\"action\": \"cancel\"}}")));
			assertThat(server.asked).isEmpty();
		}
	}

	@Test
	void callThatNeedsAPageToBeOpenedNeedsApproval() throws Exception {
		try (PythonServer server = PythonServer.plain()) {
			failure(() -> server.call("needs_page", NOTHING), ToolFailureKind.APPROVAL_REQUIRED, CallState.UNKNOWN);
			assertThat(server.tool("needs_page").capabilities()).containsExactly(ToolCapability.ASKS_A_PERSON);
			failure(() -> server.tool("needs_page").call(JsonValue.of(NOTHING), PythonServer.MODEL),
					ToolFailureKind.TOOL_ERROR, CallState.FAILED)
				.hasMessage("Log in first. https://login.example/");
		}
	}

	@Test
	void toolsOverConnectionThatIsNotWatchedAreNotOffered() {
		try (PythonServer server = PythonServer.unwatched()) {
			assertThat(server.tools()).isEmpty();
		}
	}

	/** Whether the server was sent a call, seen by a call of the same kind. */
	private static boolean sent(PythonServer server, String tool) throws Exception {
		JsonValue seen = server.tool("seen").call(JsonValue.of(Map.of("method", "tools/call")), PythonServer.MODEL);
		return seen.toJson().contains("\"name\":\"" + tool + "\"");
	}

	private static List<?> messages(JsonValue seen) {
		return (List<?>) seen.members().get("messages");
	}

	private static AbstractThrowableAssert<?, ToolCallException> failure(ThrowingCallable call, ToolFailureKind kind,
			CallState state) {
		ToolCallException failure = catchThrowableOfType(ToolCallException.class, call);
		assertThat(failure).isNotNull();
		assertThat(failure.kind()).isEqualTo(kind);
		assertThat(failure.state()).isEqualTo(state);
		return assertThat(failure);
	}

	private static Throwable caught(ThrowingCallable call) {
		return catchThrowableOfType(Throwable.class, call);
	}

}
