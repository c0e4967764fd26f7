package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.psych.sandbox.contract.Bindings;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.CallLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ToolGatewayTests {

	private static final JsonValue NOTHING = JsonValue.parse("{}");

	@Test
	void callReachesTheToolWithItsArgumentsAndWhoseCallItIs() {
		List<Object> seen = new ArrayList<>();
		Scope scope = new Scope("acme", "run-1", "turn-2");
		Bindings bindings = ToolGateway
			.of(ToolCatalog.of(FakeTool.of("echo", FakeTool.ANYTHING, (arguments, context) -> {
				seen.add(arguments);
				seen.add(context);
				return JsonValue.of(List.of("answer"));
			})))
			.bind(scope, Map.of("user", 7), CallLimits.defaults(), "x1");
		JsonValue arguments = JsonValue.parse("{\"a\":[1,{\"b\":null}]}");
		assertThat(bindings.names()).containsExactly("echo", "list_tools", "get_tool_info", "read_tool_output");
		assertThat(bindings.call("echo", arguments)).isEqualTo(new CallOutcome.Value(JsonValue.parse("[\"answer\"]")));
		assertThat(seen).containsExactly(arguments, new ToolCallContext(scope, Map.of("user", 7)));
	}

	@Test
	void callOfAToolThatIsNotOfferedNamesTheNearest() {
		Bindings bindings = bind(FakeTool.named("orders.list"), FakeTool.named("weather"));
		assertThat(bindings.call("order.list", NOTHING)).isEqualTo(failed(ToolFailureKind.NOT_OFFERED,
				"No tool of that name is offered to this program. The nearest name is `orders.list`."));
		assertThat(bindings.call("delete_everything", NOTHING))
			.isEqualTo(failed(ToolFailureKind.NOT_OFFERED, "No tool of that name is offered to this program."));
		assertThat(bindings.call("", NOTHING)).isInstanceOf(CallOutcome.Failed.class);
	}

	@Test
	void namesThatDifferInOneCharacterStayTwoTools() {
		Bindings bindings = bind(
				FakeTool.of("list-repos", FakeTool.ANYTHING, (arguments, context) -> JsonValue.of("dash")),
				FakeTool.of("list_repos", FakeTool.ANYTHING, (arguments, context) -> JsonValue.of("underscore")));
		assertThat(bindings.names()).startsWith("list-repos", "list_repos");
		assertThat(bindings.call("list-repos", NOTHING)).isEqualTo(new CallOutcome.Value(JsonValue.of("dash")));
		assertThat(bindings.call("list_repos", NOTHING)).isEqualTo(new CallOutcome.Value(JsonValue.of("underscore")));
	}

	@Test
	void argumentsThatDoNotFitNeverReachTheTool() {
		Bindings bindings = bind(
				FakeTool.of("weather", "{\"properties\":{\"days\":{\"type\":\"integer\"}}}", (arguments, context) -> {
					throw new IllegalStateException("reached with " + arguments);
				}));
		assertThat(bindings.call("weather", JsonValue.parse("{\"days\":\"three\"}")))
			.isEqualTo(failed(ToolFailureKind.BAD_ARGUMENTS,
					"argument `days` is \"three\", but must be a whole" + " number. weather takes `days` (optional)."));
	}

	@Test
	void argumentThatEvadesAKeywordReachesTheToolUnderItsName() {
		Bindings bindings = bind(FakeTool.of("mail",
				"{\"properties\":{\"from\":{\"type\":\"string\"}},\"required\":[\"from\"],\"additionalProperties\":false}",
				(arguments, context) -> arguments));
		assertThat(bindings.call("mail", JsonValue.parse("{\"from_\":\"me\"}")))
			.isEqualTo(new CallOutcome.Value(JsonValue.parse("{\"from\":\"me\"}")));
	}

	@ParameterizedTest
	@EnumSource
	void failureAToolDeclaresKeepsItsKindAndMessage(ToolFailureKind kind) {
		assertThat(callOf((arguments, context) -> {
			throw new ToolCallException(kind, "It happened.", new IllegalStateException("secret"));
		})).isEqualTo(failed(kind, "It happened."));
	}

	@Test
	void exceptionAToolDoesNotDeclareIsAToolErrorOfItsSimpleName() {
		assertThat(callOf((arguments, context) -> {
			throw new IllegalStateException("the database is closed");
		})).isEqualTo(failed(ToolFailureKind.TOOL_ERROR, "IllegalStateException: the database is closed"));
		assertThat(callOf((arguments, context) -> {
			throw new NullPointerException();
		})).isEqualTo(failed(ToolFailureKind.TOOL_ERROR, "NullPointerException"));
	}

	@Test
	void whatAToolThrowsIsQuotedInTheLog() {
		Logger logger = (Logger) LoggerFactory.getLogger(ToolGateway.class);
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		logger.addAppender(log);
		logger.setLevel(Level.WARN);
		logger.setAdditive(false);
		try {
			callOf((arguments, context) -> {
				throw new IllegalStateException("no order\n2026-01-01 ERROR forged");
			});
		}
		finally {
			logger.setAdditive(true);
			logger.setLevel(null);
			logger.detachAppender(log);
		}
		assertThat(log.list).singleElement().satisfies((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.WARN);
			assertThat(event.getThrowableProxy().getMessage())
				.isEqualTo("java.lang.IllegalStateException: \"no order\\u{a}2026-01-01 ERROR forged\"");
			assertThat(event.getThrowableProxy().getStackTraceElementProxyArray()).isNotEmpty();
		});
	}

	@Test
	void interruptionOfAToolIsACancelledCall() {
		assertThat(callOf((arguments, context) -> {
			throw new InterruptedException();
		})).isEqualTo(failed(ToolFailureKind.CANCELLED, "The call was cut off; it may have had its effect."));
	}

	@Test
	void catalogueIsAskedAnewForEveryExecution() {
		List<HostTool> live = new ArrayList<>(List.of(FakeTool.named("old"), FakeTool.named("kept")));
		ToolGateway gateway = ToolGateway.of(() -> List.copyOf(live));
		Bindings before = gateway.bind(Scope.NONE, Map.of(), CallLimits.defaults(), "x1");
		live.remove(0);
		live.add(FakeTool.named("new"));
		Bindings after = gateway.bind(Scope.NONE, Map.of(), CallLimits.defaults(), "x1");
		assertThat(before.names()).startsWith("old", "kept").doesNotContain("new");
		assertThat(after.names()).startsWith("kept", "new").doesNotContain("old");
		assertThat(after.call("old", NOTHING)).isInstanceOfSatisfying(CallOutcome.Failed.class,
				(failed) -> assertThat(failed.kind()).isEqualTo(ToolFailureKind.NOT_OFFERED));
		assertThat(after.call("new", NOTHING)).isEqualTo(new CallOutcome.Value(NOTHING));
	}

	@Test
	void toolsThatCannotBeOfferedTogetherAreRefusedWhenAnExecutionBegins() {
		assertThatExceptionOfType(ToolCatalogException.class)
			.isThrownBy(() -> bind(FakeTool.named("twin"), FakeTool.named("twin")));
		assertThatExceptionOfType(ToolCatalogException.class).isThrownBy(() -> bind(FakeTool.named("run_code")));
	}

	@Test
	void namesCannotBeChangedFromOutside() {
		assertThat(bind(FakeTool.named("echo")).names()).isUnmodifiable();
	}

	private static Bindings bind(HostTool... tools) {
		return ToolGateway.of(ToolCatalog.of(tools)).bind(Scope.NONE, Map.of(), CallLimits.defaults(), "x1");
	}

	private static CallOutcome callOf(FakeTool.Action action) {
		return bind(FakeTool.of("tool", FakeTool.ANYTHING, action)).call("tool", NOTHING);
	}

	private static CallOutcome failed(ToolFailureKind kind, String message) {
		return new CallOutcome.Failed(kind, message);
	}

}
