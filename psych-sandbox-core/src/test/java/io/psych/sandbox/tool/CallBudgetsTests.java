package io.psych.sandbox.tool;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.psych.sandbox.contract.Bindings;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ResultHandle;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.runlog.RunKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a program and its run may spend on calls, each bound at its edge.
 */
class CallBudgetsTests {

	private static final JsonValue NOTHING = JsonValue.parse("{}");

	private static final Scope RUN = new Scope("acme", "run-1", null);

	private static final ByteSize MUCH = ByteSize.ofMebibytes(1);

	private final AtomicInteger reached = new AtomicInteger();

	private String answer = "";

	private final ToolGateway gateway = ToolGateway
		.of(ToolCatalog.of(FakeTool.of("work", FakeTool.ANYTHING, (arguments, context) -> {
			this.reached.incrementAndGet();
			return JsonValue.of(this.answer);
		})));

	@Test
	void asManyCallsAsAProgramMayAreMadeAndOneMoreIsRefused() {
		Bindings bindings = bind(new CallLimits(5, 100, MUCH, MUCH, MUCH, MUCH));
		assertThat(IntStream.range(0, 5).mapToObj((i) -> bindings.call("work", NOTHING)))
			.allMatch(CallOutcome.Value.class::isInstance);
		assertThat(bindings.call("work", NOTHING)).isEqualTo(new CallOutcome.Failed(ToolFailureKind.BUDGET_SPENT,
				"This program may make 5 calls and has made them."));
		assertThat(this.reached).hasValue(5);
	}

	@Test
	void callsAtOnceAreCutExactlyAtTheEdge() throws InterruptedException {
		Bindings bindings = bind(new CallLimits(50, 100, MUCH, MUCH, MUCH, MUCH));
		List<CallOutcome> outcomes = atOnce(100, bindings);
		assertThat(outcomes).filteredOn(CallOutcome.Value.class::isInstance).hasSize(50);
		assertThat(this.reached).hasValue(50);
	}

	@Test
	void programsOfARunHaveOneAllowanceTogetherWhateverBecomesOfThem() {
		CallLimits limits = new CallLimits(4, 10, MUCH, MUCH, MUCH, MUCH);
		int made = 0;
		for (int program = 0; program < 10; program++) {
			Bindings bindings = bind(limits);
			for (int call = 0; call < 3; call++) {
				// A call that is refused for its arguments has been accepted and is
				// spent.
				String name = (call != 0) ? "work" : "no such tool";
				made += (bindings.call(name, NOTHING) instanceof CallOutcome.Failed failed
						&& failed.kind() == ToolFailureKind.BUDGET_SPENT) ? 0 : 1;
			}
		}
		assertThat(made).isEqualTo(10);
		assertThat(bind(limits).call("work", NOTHING)).isEqualTo(new CallOutcome.Failed(ToolFailureKind.BUDGET_SPENT,
				"All programs of this run may make 10 calls together and have made them."));
		Bindings other = this.gateway.bind(new Scope("acme", "run-2", null), Map.of(), limits,
				UUID.randomUUID().toString());
		assertThat(other.call("work", NOTHING)).isInstanceOf(CallOutcome.Value.class);
		Bindings stranger = this.gateway.bind(new Scope("other", "run-1", null), Map.of(), limits,
				UUID.randomUUID().toString());
		assertThat(stranger.call("work", NOTHING)).isInstanceOf(CallOutcome.Value.class);
	}

	@Test
	void callBeyondTheProgramsOwnBudgetIsNeitherRecordedNorTakenFromTheRun() {
		CallLimits limits = new CallLimits(2, 3, ByteSize.ofBytes(20), MUCH, MUCH, MUCH);
		Bindings bindings = bind(limits);
		bindings.call("work", NOTHING);
		RunKey run = RunKey.of(RUN, "");
		assertThat(this.gateway.log().read(run, 0, 10)).hasSize(2);
		bindings.call("work", arguments(21));
		bindings.call("work", NOTHING);
		assertThat(this.gateway.log().read(run, 0, 10)).hasSize(2);
		Bindings next = bind(limits);
		assertThat(next.call("work", NOTHING)).isInstanceOf(CallOutcome.Value.class);
		assertThat(next.call("work", NOTHING)).isInstanceOf(CallOutcome.Value.class);
		assertThat(bind(limits).call("work", NOTHING)).isInstanceOf(CallOutcome.Failed.class);
	}

	@Test
	void runsAtOnceHaveOneAllowanceTogether() throws InterruptedException {
		CallLimits limits = new CallLimits(100, 150, MUCH, MUCH, MUCH, MUCH);
		List<Bindings> programs = List.of(bind(limits), bind(limits), bind(limits));
		List<CallOutcome> outcomes = atOnce(300, programs.toArray(Bindings[]::new));
		assertThat(outcomes).filteredOn(CallOutcome.Value.class::isInstance).hasSize(150);
		assertThat(this.reached).hasValue(150);
	}

	@Test
	void executionsOfNoRunEachHaveTheirOwn() {
		CallLimits limits = new CallLimits(1, 1, MUCH, MUCH, MUCH, MUCH);
		for (int i = 0; i < 3; i++) {
			assertThat(
					this.gateway.bind(Scope.NONE, Map.of(), limits, UUID.randomUUID().toString()).call("work", NOTHING))
				.isInstanceOf(CallOutcome.Value.class);
		}
	}

	@Test
	void directCallsOfTheModelAreNotCounted() {
		CallLimits limits = new CallLimits(1, 1, MUCH, MUCH, MUCH, MUCH);
		for (int i = 0; i < 3; i++) {
			assertThat(this.gateway.call("work", NOTHING, RUN, Map.of())).isInstanceOf(CallOutcome.Value.class);
		}
		assertThat(bind(limits).call("work", NOTHING)).isInstanceOf(CallOutcome.Value.class);
	}

	@Test
	void argumentsAtTheBoundPassAndOneByteMoreIsRefused() {
		Bindings bindings = bind(new CallLimits(9, 9, ByteSize.ofBytes(20), MUCH, MUCH, MUCH));
		assertThat(bindings.call("work", arguments(20))).isInstanceOf(CallOutcome.Value.class);
		assertThat(bindings.call("work", arguments(21))).isEqualTo(new CallOutcome.Failed(ToolFailureKind.BUDGET_SPENT,
				"The arguments are 21 bytes, the most is 20 for one call."));
		assertThat(this.reached).hasValue(1);
	}

	@Test
	void resultAtTheCeilingIsWholeAndOneByteMoreIsKept() {
		Bindings bindings = bind(new CallLimits(9, 9, MUCH, ByteSize.ofBytes(100), MUCH, MUCH));
		this.answer = "x".repeat(98);
		assertThat(bindings.call("work", NOTHING)).isEqualTo(new CallOutcome.Value(JsonValue.of(this.answer)));
		this.answer = "x".repeat(99);
		assertThat(bindings.call("work", NOTHING))
			.isEqualTo(new CallOutcome.Preserved(new ResultHandle("result-1", 99, "text")));
		assertThat(bindings.call("read_tool_output", JsonValue.parse("{\"handle\":\"result-1\",\"length\":5}")))
			.isEqualTo(new CallOutcome.Value(JsonValue.parse("{\"text\":\"xxxxx\",\"next\":5,\"total\":99}")));
	}

	@Test
	void handleMeansNothingToAnotherProgramOfTheSameRun() {
		CallLimits limits = new CallLimits(9, 99, MUCH, ByteSize.ofBytes(100), MUCH, MUCH);
		this.answer = "x".repeat(200);
		assertThat(bind(limits).call("work", NOTHING)).isInstanceOf(CallOutcome.Preserved.class);
		assertThat(bind(limits).call("read_tool_output", JsonValue.parse("{\"handle\":\"result-1\"}")))
			.isInstanceOfSatisfying(CallOutcome.Failed.class,
					(failed) -> assertThat(failed.kind()).isEqualTo(ToolFailureKind.DENIED));
	}

	@Test
	void resultThatCannotBeKeptIsRefusedAndNeverShortened() {
		Bindings bindings = bind(new CallLimits(9, 9, MUCH, ByteSize.ofBytes(100), MUCH, ByteSize.ofBytes(250)));
		this.answer = "x".repeat(200);
		assertThat(bindings.call("work", NOTHING)).isInstanceOf(CallOutcome.Preserved.class);
		assertThat(bindings.call("work", NOTHING)).isInstanceOfSatisfying(CallOutcome.Failed.class, (failed) -> {
			assertThat(failed.kind()).isEqualTo(ToolFailureKind.RESULT_NOT_PAGED);
			assertThat(failed.message()).contains("202 bytes", "100", "not shortened");
			assertThat(failed.state()).isEqualTo(CallState.FAILED);
		});
	}

	@Test
	void allBytesTogetherAreBoundedAndAResultBeyondIsWithheldAsRun() {
		Bindings bindings = bind(new CallLimits(9, 9, ByteSize.ofBytes(50), ByteSize.ofBytes(50), ByteSize.ofBytes(104),
				ByteSize.ofBytes(0)));
		this.answer = "x".repeat(48);
		// Two bytes of arguments and fifty of result, twice.
		assertThat(bindings.call("work", NOTHING)).isInstanceOf(CallOutcome.Value.class);
		assertThat(bindings.call("work", NOTHING)).isInstanceOf(CallOutcome.Value.class);
		assertThat(bindings.call("work", NOTHING)).isInstanceOfSatisfying(CallOutcome.Failed.class,
				(failed) -> assertThat(failed.state()).isEqualTo(CallState.REFUSED));
		assertThat(this.reached).hasValue(2);
		Bindings narrow = bind(new CallLimits(9, 9, ByteSize.ofBytes(50), ByteSize.ofBytes(50), ByteSize.ofBytes(51),
				ByteSize.ofBytes(0)));
		assertThat(narrow.call("work", NOTHING)).isInstanceOfSatisfying(CallOutcome.Failed.class, (failed) -> {
			assertThat(failed.kind()).isEqualTo(ToolFailureKind.BUDGET_SPENT);
			assertThat(failed.state()).isEqualTo(CallState.FAILED);
			assertThat(failed.message()).startsWith("The tool ran");
		});
	}

	private Bindings bind(CallLimits limits) {
		return this.gateway.bind(RUN, Map.of(), limits, UUID.randomUUID().toString());
	}

	private static JsonValue arguments(int bytes) {
		return JsonValue.of(Map.of("a", "x".repeat(bytes - "{\"a\":\"\"}".length())));
	}

	private static List<CallOutcome> atOnce(int calls, Bindings... programs) throws InterruptedException {
		ExecutorService threads = Executors.newFixedThreadPool(16);
		CountDownLatch start = new CountDownLatch(1);
		List<CallOutcome> outcomes = new CopyOnWriteArrayList<>();
		for (int i = 0; i < calls; i++) {
			Bindings program = programs[i % programs.length];
			threads.execute(() -> {
				try {
					start.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				outcomes.add(program.call("work", NOTHING));
			});
		}
		start.countDown();
		threads.shutdown();
		assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
		return outcomes;
	}

}
