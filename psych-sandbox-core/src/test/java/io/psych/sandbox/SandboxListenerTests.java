package io.psych.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.psych.sandbox.contract.CallFacts;
import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.ExecutionFacts;
import io.psych.sandbox.contract.ExecutionFacts.Start;
import io.psych.sandbox.contract.ExecutionFacts.Station;
import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.SandboxListener;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolCatalogException;
import io.psych.sandbox.tool.ToolGateway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what a {@link SandboxListener} is told.
 */
class SandboxListenerTests {

	private final Recorder recorder = new Recorder();

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void executionIsToldWithTheTimeAtEachOfItsStations(String backend) {
		try (Sandbox sandbox = builder(backend, this.recorder).build()) {
			RunResult result = sandbox.run(RunRequest.of("import time\ntime.sleep(0.2)"));
			assertThat(result.failure()).isNull();
			ExecutionFacts facts = this.recorder.execution();
			Duration untold = untold(facts, result);
			assertThat(facts.backend()).isEqualTo(backend);
			assertThat(facts.level()).isEqualTo(result.isolation().level());
			assertThat(facts.profile()).isNull();
			assertThat(facts.outcome()).isEqualTo("success");
			assertThat(facts.limitHit()).isNull();
			assertThat(facts.start()).isEqualTo(Start.COLD);
			assertThat(facts.stations()).containsOnlyKeys(Station.values());
			assertThat(facts.stations().get(Station.PROGRAM)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
			// A host that has no time for us lengthens what is between two stations, so
			// the
			// least of several tells.
			for (int i = 1; i < 5; i++) {
				RunResult next = sandbox.run(RunRequest.of("import time\ntime.sleep(0.2)"));
				Duration nexts = untold(this.recorder.executions.get(i), next);
				untold = (nexts.compareTo(untold) < 0) ? nexts : untold;
			}
			assertThat(untold).isBetween(Duration.ZERO, Duration.ofMillis(200));
		}
	}

	/** The time of an execution that it was at no station. */
	private static Duration untold(ExecutionFacts facts, RunResult result) {
		return facts.stations()
			.entrySet()
			.stream()
			.filter((station) -> station.getKey() != Station.ADMISSION)
			.map(Map.Entry::getValue)
			.reduce(result.duration(), Duration::minus);
	}

	@Test
	void executionThatTakesAWaitingChildIsWarm() {
		try (Sandbox sandbox = builder("auto", this.recorder).pool(1, Duration.ofMinutes(10)).build()) {
			while (sandbox.pool().waiting() == 0) {
				Thread.onSpinWait();
			}
			sandbox.run(RunRequest.of("1"));
			assertThat(this.recorder.execution().start()).isEqualTo(Start.WARM);
		}
	}

	@Test
	void executionTellsTheLimitItRanInto() {
		try (Sandbox sandbox = builder("auto", this.recorder)
			.profile("short", Limits.defaults().withWallTime(Duration.ofMillis(300)))
			.build()) {
			sandbox.run(RunRequest.of("while True: pass").withProfile("short"));
			ExecutionFacts facts = this.recorder.execution();
			assertThat(facts.outcome()).isEqualTo("timeout");
			assertThat(facts.limitHit()).isEqualTo(LimitHit.WALL_CLOCK);
			assertThat(facts.profile()).isEqualTo("short");
			assertThat(this.recorder.profiles).containsExactly("short");
		}
	}

	@Test
	void executionThatIsRefusedReachedNoStation() {
		Limits small = new Limits(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1),
				ByteSize.ofMebibytes(64), ByteSize.ofKibibytes(1), ByteSize.ofKibibytes(1), 1, ByteSize.ofKibibytes(1),
				ByteSize.ofKibibytes(1), ByteSize.ofBytes(3));
		try (Sandbox sandbox = builder("auto", this.recorder).limits(small).build()) {
			sandbox.run(RunRequest.of("1234"));
			ExecutionFacts facts = this.recorder.execution();
			assertThat(facts.outcome()).isEqualTo("policy_refused");
			assertThat(facts.level()).isEqualTo(Level.NONE);
			assertThat(facts.start()).isEqualTo(Start.NONE);
			assertThat(facts.stations()).isEmpty();
		}
	}

	@Test
	void executionThatIsNotAdmittedOnlyWaited() {
		List<Sandbox> self = new ArrayList<>();
		HostTool nested = tool("nested", () -> self.get(0).run(RunRequest.of("1")).succeeded());
		ToolGateway gateway = ToolGateway.builder(ToolCatalog.of(nested)).listener(this.recorder).build();
		try (Sandbox sandbox = sandbox("auto").tools(gateway)
			.concurrentExecutions(1, 0, Duration.ofSeconds(1))
			.build()) {
			self.add(sandbox);
			assertThat(sandbox.run(RunRequest.of("await nested()")).value()).isEqualTo(JsonValue.of(false));
			ExecutionFacts inner = this.recorder.executions.get(0);
			assertThat(inner.outcome()).isEqualTo("backend_not_ready");
			assertThat(inner.stations()).containsOnlyKeys(Station.ADMISSION);
			assertThat(this.recorder.executions.get(1).outcome()).isEqualTo("success");
		}
	}

	@Test
	void executionWhoseCallerGetsAnExceptionIsTold() {
		HostTool reserved = tool("run_code", () -> 1);
		ToolGateway gateway = ToolGateway.builder(() -> List.of(reserved)).listener(this.recorder).build();
		try (Sandbox sandbox = sandbox("auto").tools(gateway).build()) {
			assertThatExceptionOfType(ToolCatalogException.class).isThrownBy(() -> sandbox.run(RunRequest.of("1")));
			assertThat(this.recorder.execution().outcome()).isEqualTo("exception");
		}
	}

	@Test
	void callsAreToldWithTheNamesOfToolsAlone() {
		try (Sandbox sandbox = builder("auto", this.recorder, tool("one", () -> 1)).build()) {
			RunResult result = sandbox.run(RunRequest.of("""
					await one()
					for name, arguments in (("invented-by-a-program", {}), ("get_tool_info", {"name": "one"})):
					    try:
					        await call_tool(name, arguments)
					    except ToolError:
					        pass
					"""));
			assertThat(result.failure()).isNull();
			sandbox.tools().call("one", JsonValue.parse("{}"), Scope.NONE, Map.of());
			sandbox.tools().call("invented-by-a-model", JsonValue.parse("{}"), Scope.NONE, Map.of());
			assertThat(this.recorder.calls).extracting(CallFacts::tool, CallFacts::origin, CallFacts::outcome)
				.map((facts) -> String.join(" ", facts.toList().stream().map(String::valueOf).toList()))
				.containsExactly("one PROGRAM success", "other PROGRAM not_offered", "get_tool_info PROGRAM success",
						"one MODEL success", "other MODEL not_offered");
			assertThat(this.recorder.calls).allSatisfy((facts) -> assertThat(facts.duration()).isPositive());
		}
	}

	@Test
	void callThatIsBeyondTheBudgetIsTold() {
		Limits limits = Limits.defaults();
		Limits none = limits.withCalls(new CallLimits(0, 0, limits.calls().arguments(), limits.calls().result(),
				limits.calls().total(), limits.calls().kept()));
		try (Sandbox sandbox = builder("auto", this.recorder, tool("one", () -> 1)).limits(none).build()) {
			sandbox.run(RunRequest.of("await one()"));
			assertThat(this.recorder.calls).singleElement().extracting(CallFacts::outcome).isEqualTo("budget_spent");
		}
	}

	@Test
	void whatAListenerPutsOnTheThreadIsCarriedToCalls() {
		ThreadLocal<String> current = new ThreadLocal<>();
		SandboxListener marking = new SandboxListener() {

			@Override
			public Consumer<ExecutionFacts> executionBegins(@Nullable String profile) {
				current.set("marked");
				return (facts) -> current.remove();
			}

		};
		ToolGateway gateway = ToolGateway.builder(ToolCatalog.of(tool("mark", () -> String.valueOf(current.get()))))
			.listener(marking)
			.propagation(() -> {
				String captured = current.get();
				return () -> {
					current.set(captured);
					return current::remove;
				};
			})
			.build();
		try (Sandbox sandbox = sandbox("auto").tools(gateway).build()) {
			assertThat(sandbox.run(RunRequest.of("await mark()")).value()).isEqualTo(JsonValue.of("marked"));
			assertThat(current.get()).isNull();
		}
	}

	@Test
	void listenerThatThrowsChangesNothing() {
		SandboxListener beginning = new SandboxListener() {

			@Override
			public Consumer<ExecutionFacts> executionBegins(@Nullable String profile) {
				throw new IllegalStateException("no execution");
			}

			@Override
			public Consumer<CallFacts> callBegins(String tool, CallOrigin origin) {
				throw new NoClassDefFoundError("no call");
			}

		};
		SandboxListener ending = new SandboxListener() {

			@Override
			public Consumer<ExecutionFacts> executionBegins(@Nullable String profile) {
				return (facts) -> {
					throw new IllegalStateException("no end");
				};
			}

			@Override
			public Consumer<CallFacts> callBegins(String tool, CallOrigin origin) {
				return (facts) -> {
					throw new IllegalStateException("no end");
				};
			}

		};
		ToolGateway gateway = ToolGateway.builder(ToolCatalog.of(tool("one", () -> 1)))
			.listener(beginning)
			.listener(ending)
			.listener(this.recorder)
			.build();
		try (Sandbox sandbox = sandbox("auto").tools(gateway).build()) {
			RunResult result = sandbox.run(RunRequest.of("await one()"));
			assertThat(result.failure()).isNull();
			assertThat(result.value()).isEqualTo(JsonValue.of(1));
			assertThat(this.recorder.execution().outcome()).isEqualTo("success");
			assertThat(this.recorder.calls).hasSize(1);
		}
	}

	@Test
	void factsHoldNothingOfProgramOrScope() {
		try (Sandbox sandbox = builder("auto", this.recorder, tool("one", () -> "s3cr3t")).build()) {
			sandbox.run(RunRequest.of("x = 's3cr3t'\nprint(x)\nawait one(a='s3cr3t')\nx")
				.withScope(new Scope("s3cr3t", "s3cr3t", "s3cr3t")));
			assertThat(this.recorder.executions.toString() + this.recorder.calls).doesNotContain("s3cr3t");
			assertThat(this.recorder.calls).hasSize(1);
		}
	}

	private static SandboxBuilder builder(String backend, SandboxListener listener, HostTool... tools) {
		return sandbox(backend).tools(ToolGateway.builder(ToolCatalog.of(tools)).listener(listener).build());
	}

	private static SandboxBuilder sandbox(String backend) {
		return Sandbox.builder()
			.backend(backend)
			.interpreter(Path.of(System.getProperty("psych.python", "/usr/bin/python3")))
			.allowSameUser(true);
	}

	private static HostTool tool(String name, Supplier<Object> result) {
		return new SuppliedTool(name, result);
	}

	/**
	 * A tool that takes anything.
	 *
	 * @param name its name
	 * @param result makes its result
	 */
	private record SuppliedTool(String name, Supplier<Object> result) implements HostTool {

		@Override
		public String description() {
			return "A tool.";
		}

		@Override
		public JsonValue inputSchema() {
			return JsonValue.parse("{\"type\": \"object\"}");
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) {
			return JsonValue.of(this.result.get());
		}

	}

	/**
	 * Remembers what it is told.
	 */
	private static final class Recorder implements SandboxListener {

		private final List<@Nullable String> profiles = Collections.synchronizedList(new ArrayList<>());

		private final List<ExecutionFacts> executions = new CopyOnWriteArrayList<>();

		private final List<CallFacts> calls = new CopyOnWriteArrayList<>();

		@Override
		public Consumer<ExecutionFacts> executionBegins(@Nullable String profile) {
			this.profiles.add(profile);
			return this.executions::add;
		}

		@Override
		public Consumer<CallFacts> callBegins(String tool, CallOrigin origin) {
			return this.calls::add;
		}

		private ExecutionFacts execution() {
			assertThat(this.executions).hasSize(1);
			return this.executions.get(0);
		}

	}

}
