package io.psych.sandbox.tool;

import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.egress.EgressDeniedException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.runlog.InMemoryRunLog;
import io.psych.sandbox.runlog.RunEvent;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.runlog.RunLogException;
import io.psych.sandbox.terms.Grant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A call of a program and a direct call of the model pass the same stations: whatever is
 * refused, and whatever is recorded, is so both ways.
 */
class OneWayToToolsTests {

	private static final Scope SCOPE = new Scope("acme", "run-7", "turn-1");

	private static final JsonValue ARGUMENTS = JsonValue.parse("{\"id\":3}");

	private final List<String> stations = new ArrayList<>();

	private final RunLog log = new InMemoryRunLog();

	private ToolPolicy policy = (call) -> {
		this.stations.add("policy " + call.tool().name() + " " + call.arguments() + " " + call.context().scope());
		return ToolDecision.ALLOWED;
	};

	private boolean needsApproval;

	private ToolDecision approval = ToolDecision.ALLOWED;

	private Egress egress = new FakeEgress(false);

	@ParameterizedTest
	@EnumSource
	void everyStationIsPassedInOrder(CallOrigin origin) {
		assertThat(call(origin, tool())).isEqualTo(new CallOutcome.Value(JsonValue.of("done")));
		assertThat(this.stations).containsExactly("policy fetch {\"id\":3} " + SCOPE, "approval?",
				"egress https://api.example/3", "tool " + origin);
	}

	@ParameterizedTest
	@EnumSource
	void denialIsTheSame(CallOrigin origin) {
		this.policy = (call) -> ToolDecision.denied("Orders are closed at night.");
		assertThat(call(origin, tool()))
			.isEqualTo(new CallOutcome.Failed(ToolFailureKind.DENIED, "Orders are closed at night."));
		assertThat(this.stations).isEmpty();
		assertThat(states()).containsExactly(CallState.REFUSED);
	}

	@ParameterizedTest
	@EnumSource
	void policyThatFailsDenies(CallOrigin origin) {
		this.policy = (call) -> {
			throw new IllegalStateException("the policy server is down");
		};
		assertThat(call(origin, tool())).isEqualTo(
				new CallOutcome.Failed(ToolFailureKind.DENIED, "The call could not be decided on, and was not made."));
		assertThat(this.stations).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void destinationThatIsNotAllowedIsDenied(CallOrigin origin) {
		this.egress = new FakeEgress(true);
		assertThat(call(origin, tool())).isEqualTo(new CallOutcome.Failed(ToolFailureKind.DENIED,
				"The destination https://api.example is not allowed: it is a test."));
		assertThat(this.stations).noneMatch((station) -> station.startsWith("tool"));
		assertThat(states()).containsExactly(CallState.REFUSED);
	}

	@Test
	void toolThatIsNotThereIsRefusedInTheWordsOfWhoCalls() {
		ToolGateway gateway = gateway(tool());
		assertThat(gateway.call("fetsh", ARGUMENTS, SCOPE, Map.of())).isEqualTo(new CallOutcome.Failed(
				ToolFailureKind.NOT_OFFERED, "No tool of that name is offered now. The nearest name is `fetch`."));
		assertThat(gateway.bind(SCOPE, Map.of(), CallLimits.defaults(), "x1").call("fetsh", ARGUMENTS))
			.isEqualTo(new CallOutcome.Failed(ToolFailureKind.NOT_OFFERED,
					"No tool of that name is offered to this program. The nearest name is `fetch`."));
		assertThat(states()).containsExactly(CallState.REFUSED, CallState.REFUSED);
	}

	@Test
	void toolThatIsNotGrantedIsNotThere() {
		HostTool tool = tool();
		ToolGateway gateway = gateway(tool);
		CallOutcome refused = new CallOutcome.Failed(ToolFailureKind.NOT_OFFERED,
				"No tool of that name is offered now.");
		assertThat(gateway.call("fetch", ARGUMENTS, SCOPE, Grant.of("store"), Map.of())).isEqualTo(refused);
		assertThat(gateway.call(tool, ARGUMENTS, SCOPE, Grant.of("store"), Map.of())).isEqualTo(refused);
		assertThat(this.stations).isEmpty();
		assertThat(states()).containsExactly(CallState.REFUSED, CallState.REFUSED);
		assertThat(gateway.call("fetch", ARGUMENTS, SCOPE, Grant.of("fetch"), Map.of()))
			.isEqualTo(gateway.call(tool, ARGUMENTS, SCOPE, Grant.of("fetch"), Map.of()))
			.isInstanceOf(CallOutcome.Value.class);
	}

	@Test
	void whatNeedsApprovalIsAskedForDirectlyAndNeverForAProgram() {
		this.needsApproval = true;
		assertThat(call(CallOrigin.MODEL, tool())).isEqualTo(new CallOutcome.Value(JsonValue.of("done")));
		assertThat(this.stations).contains("asked");
		this.stations.clear();
		assertThat(call(CallOrigin.PROGRAM, tool())).isInstanceOfSatisfying(CallOutcome.Failed.class, (failed) -> {
			assertThat(failed.kind()).isEqualTo(ToolFailureKind.APPROVAL_REQUIRED);
			assertThat(failed.message()).contains("directly");
		});
		assertThat(this.stations).doesNotContain("asked").noneMatch((station) -> station.startsWith("tool"));
		assertThat(states()).containsExactly(CallState.DONE, CallState.REFUSED);
	}

	@Test
	void approvalThatIsNotGivenDenies() {
		this.needsApproval = true;
		this.approval = ToolDecision.denied("The person said no.");
		assertThat(call(CallOrigin.MODEL, tool()))
			.isEqualTo(new CallOutcome.Failed(ToolFailureKind.DENIED, "The person said no."));
		assertThat(this.stations).noneMatch((station) -> station.startsWith("tool"));
	}

	@Test
	void toolThatWouldSuspendIsRefusedToAProgramBeforeItRuns() {
		for (ToolCapability capability : List.of(ToolCapability.ASKS_A_PERSON, ToolCapability.SUSPENDS_THE_RUN)) {
			assertThat(call(CallOrigin.MODEL, tool(capability))).isInstanceOf(CallOutcome.Value.class);
			this.stations.clear();
			assertThat(call(CallOrigin.PROGRAM, tool(capability))).isInstanceOfSatisfying(CallOutcome.Failed.class,
					(failed) -> assertThat(failed.kind()).isEqualTo(ToolFailureKind.APPROVAL_REQUIRED));
			assertThat(this.stations).noneMatch((station) -> station.startsWith("tool"));
		}
	}

	@Test
	void toolThatActsOnTheContextOrOutlivesTheExecutionIsNotOfferedToPrograms() {
		for (ToolCapability capability : List.of(ToolCapability.ACTS_ON_THE_CONTEXT,
				ToolCapability.OUTLIVES_THE_EXECUTION)) {
			assertThat(call(CallOrigin.MODEL, tool(capability))).isInstanceOf(CallOutcome.Value.class);
			this.stations.clear();
			assertThat(gateway(tool(capability)).bind(SCOPE, Map.of(), CallLimits.defaults(), "x1").names())
				.doesNotContain("fetch");
			assertThat(call(CallOrigin.PROGRAM, tool(capability))).isInstanceOfSatisfying(CallOutcome.Failed.class,
					(failed) -> assertThat(failed.kind()).isEqualTo(ToolFailureKind.NOT_OFFERED));
			assertThat(this.stations).isEmpty();
		}
	}

	@Test
	void recordIsTheSameButForWhoCalled() {
		call(CallOrigin.MODEL, tool());
		call(CallOrigin.PROGRAM, tool());
		List<RunEvent.CallAccepted> accepted = events(RunEvent.CallAccepted.class);
		assertThat(accepted).extracting(RunEvent.CallAccepted::origin)
			.containsExactly(CallOrigin.MODEL, CallOrigin.PROGRAM);
		assertThat(accepted).extracting(RunEvent.CallAccepted::tool).containsOnly("fetch");
		assertThat(accepted).extracting(RunEvent.CallAccepted::argumentBytes).containsOnly(8L);
		List<RunEvent.CallEnded> ended = events(RunEvent.CallEnded.class);
		assertThat(ended).extracting(RunEvent.CallEnded::resultBytes).containsExactly(6L, 6L);
		assertThat(ended).extracting(RunEvent.CallEnded::call)
			.isEqualTo(accepted.stream().map(RunEvent.CallAccepted::call).toList());
	}

	@ParameterizedTest
	@EnumSource
	void callThatCannotBeRecordedIsNotMade(CallOrigin origin) {
		RunLog broken = new RunLog() {

			@Override
			public long append(RunKey run, RunEvent event) {
				throw new RunLogException("the disk is full", new IllegalStateException());
			}

			@Override
			public OptionalLong accept(RunKey run, RunEvent.CallAccepted call, int most) {
				throw new RunLogException("the disk is full", new IllegalStateException());
			}

			@Override
			public List<Entry> read(RunKey run, long after, int most) {
				return List.of();
			}

			@Override
			public RunEvent.@Nullable AttachmentKept attachment(RunKey run, String handle) {
				return null;
			}

		};
		ToolGateway gateway = ToolGateway.builder(ToolCatalog.of(tool()))
			.policy(this.policy)
			.approval(new FakeApproval())
			.egress(this.egress)
			.log(broken)
			.build();
		assertThat(call(origin, gateway))
			.isEqualTo(new CallOutcome.Failed(ToolFailureKind.DENIED, "The call can't be recorded, and was not made."));
		assertThat(this.stations).isEmpty();
	}

	private CallOutcome call(CallOrigin origin, HostTool tool) {
		return call(origin, gateway(tool));
	}

	private static CallOutcome call(CallOrigin origin, ToolGateway gateway) {
		return (origin != CallOrigin.PROGRAM) ? gateway.call("fetch", ARGUMENTS, SCOPE, Map.of())
				: gateway.bind(SCOPE, Map.of(), CallLimits.defaults(), "x1").call("fetch", ARGUMENTS);
	}

	private ToolGateway gateway(HostTool tool) {
		return ToolGateway.builder(ToolCatalog.of(tool))
			.policy((call) -> this.policy.decide(call))
			.approval(new FakeApproval())
			.egress(this.egress)
			.log(this.log)
			.build();
	}

	private List<CallState> states() {
		return events(RunEvent.CallEnded.class).stream().map(RunEvent.CallEnded::state).toList();
	}

	private <T extends RunEvent> List<T> events(Class<T> type) {
		return this.log.read(RunKey.of(SCOPE, ""), 0, 100)
			.stream()
			.map(RunLog.Entry::event)
			.filter(type::isInstance)
			.map(type::cast)
			.toList();
	}

	private HostTool tool(ToolCapability... capabilities) {
		return new HostTool() {

			@Override
			public String name() {
				return "fetch";
			}

			@Override
			public String description() {
				return "Fetches.";
			}

			@Override
			public JsonValue inputSchema() {
				return JsonValue.parse("{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\"}}}");
			}

			@Override
			public Set<ToolCapability> capabilities() {
				return Set.of(capabilities);
			}

			@Override
			public List<URI> destinations(JsonValue arguments) {
				return List.of(URI.create("https://api.example/" + arguments.integer("id")));
			}

			@Override
			public JsonValue call(JsonValue arguments, ToolCallContext context) {
				OneWayToToolsTests.this.stations.add("tool " + context.origin());
				return JsonValue.of("done");
			}

		};
	}

	private final class FakeApproval implements ToolApproval {

		@Override
		public boolean isRequired(ToolCall call) {
			OneWayToToolsTests.this.stations.add("approval?");
			return OneWayToToolsTests.this.needsApproval;
		}

		@Override
		public ToolDecision ask(ToolCall call) {
			OneWayToToolsTests.this.stations.add("asked");
			return OneWayToToolsTests.this.approval;
		}

	}

	private final class FakeEgress implements Egress {

		private final boolean denies;

		FakeEgress(boolean denies) {
			this.denies = denies;
		}

		@Override
		public void check(URI destination) throws EgressDeniedException {
			OneWayToToolsTests.this.stations.add("egress " + destination);
			if (this.denies) {
				throw new EgressDeniedException(destination, "it is a test");
			}
		}

		@Override
		public void check(URI destination, InetAddress address) throws EgressDeniedException {
			check(destination);
		}

	}

}
