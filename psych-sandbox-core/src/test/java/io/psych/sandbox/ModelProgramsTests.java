package io.psych.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Twenty programs that models wrote, from public bug reports of other products, with what
 * their user expects. The full text of d16 and the artifacts of d20 wait for attachments:
 * until then d20 only has to run, which its expectation says.
 */
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ModelProgramsTests {

	/** What a busy host may take to give a program its two seconds of CPU time. */
	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@TempDir
	static Path folder;

	/** What these programs leave behind never ends by itself before it is cut off. */
	private final TestTools tools = new TestTools(1_000);

	private final Map<String, Sandbox> sandboxes = new HashMap<>();

	private final Map<String, Expectation> expectations = new HashMap<>();

	/**
	 * What a program's user expects.
	 */
	@FunctionalInterface
	interface Expectation {

		void check(RunResult result);

	}

	@BeforeAll
	void build() throws IOException {
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		for (String backend : List.of("bubblewrap", "process")) {
			this.sandboxes.put(backend,
					Sandbox.builder()
						.backend(backend)
						.folder(folder)
						.limits(Limits.defaults().withWallTime(PATIENCE))
						.tools(this.tools.catalog())
						.build());
		}
		expectEndings();
		expectCalls();
		expectValues();
	}

	@AfterAll
	void close() {
		this.sandboxes.values().forEach(Sandbox::close);
		assertThat(Leftovers.processesWith(folder.toString())).isEmpty();
	}

	private void expectCalls() {
		expect("d01", (result) -> {
			assertThat(result.value().toJson()).contains("Spring in Action");
			assertThat(result.notes()).anySatisfy((note) -> assertThat(note).contains("assignment to hits"));
		});
		expect("d02", (result) -> {
			assertThat(failure(result).message()).contains("Line 1", "`await echo(");
			assertThat(result.calls()).isEmpty();
		});
		expect("d03", (result) -> {
			assertThat(result.stdout().text()).isEqualTo("1\n");
			assertThat(result.stderr().text()).isEmpty();
		});
		expect("d04", (result) -> {
			assertThat(result.failure()).isNull();
			assertThat(result.stdout().text()).isEqualTo("caught ToolError\nstill here\n");
			assertThat(states(result)).containsExactly(CallState.FAILED, CallState.DONE);
		});
		expect("d05", (result) -> {
			assertThat(failure(result).message()).contains("`valu`", "`value`");
			assertThat(failure(result).traceback()).contains("line 1");
			assertThat(result.stdout().text()).isEmpty();
		});
		expect("d06", (result) -> {
			assertThat(failure(result).message()).contains("boom");
			assertThat(result.calls()).extracting(CallRecord::name).containsExactlyInAnyOrder("slow", "boom", "slow");
			assertThat(result.calls()).filteredOn((call) -> call.name().equals("slow"))
				// Refused is a call that no thread had come to.
				.allSatisfy((call) -> assertThat(call.state()).isIn(CallState.UNKNOWN, CallState.REFUSED));
			assertThat(this.tools.finished).doesNotContain("a", "c");
		});
		expect("d11", (result) -> {
			assertThat(result.stdout().text()).isEqualTo("2026-01-01 to 2026-02-01\n2026-01-01 to 2026-02-01\n");
			assertThat(this.tools.received).endsWith("report {\"from\":\"2026-01-01\",\"to\":\"2026-02-01\"}",
					"report {\"from\":\"2026-01-01\",\"to\":\"2026-02-01\"}");
		});
		expect("d12", (result) -> {
			assertThat(failure(result).message()).contains("serach", "`search`");
			assertThat(run(result.isolation().backend(), "await search(query=\"x\")").failure()).isNull();
		});
		expect("d18", (result) -> {
			assertThat(failure(result).message()).contains("levels deep");
			assertThat(run(result.isolation().backend(), "1").value()).isEqualTo(JsonValue.of(1));
		});
		expect("d19", (result) -> {
			assertThat(result.failure()).isNull();
			assertThat(result.stdout().text()).isEqualTo("done\n");
			assertThat(states(result)).singleElement().isIn(CallState.UNKNOWN, CallState.REFUSED);
			assertThat(result.calls().get(0).failure()).isEqualTo(ToolFailureKind.CANCELLED);
			assertThat(result.notes()).anySatisfy((note) -> assertThat(note).contains("1 call", "slow"));
			assertThat(this.tools.finished).doesNotContain("late");
		});
	}

	private void expectValues() {
		expect("d07", (result) -> assertThat(result.stdout().text())
			.isEqualTo("{'amount': 'float', 'id': 'str', 'at': 'str'}\n"));
		expect("d08", (result) -> {
			assertThat(result.value())
				.isEqualTo(JsonValue.parse("{\"mean\": \"NaN\", \"tool\": [\"NaN\", \"Infinity\"]}"));
			assertThat(result.notes()).anySatisfy((note) -> assertThat(note).contains("NaN"));
			assertThat(JsonValue.parse(result.toJson().toJson())).isEqualTo(result.toJson());
		});
		expect("d09", (result) -> assertThat(result.stdout().text()).isEqualTo("True\n"));
		expect("d10", (result) -> assertThat(result.stdout().text()).isEqualTo("55 3.14 [0, 1, 1]\n"));
		expect("d16", (result) -> {
			assertThat(result.failure()).isNull();
			assertThat(result.stdout().text()).startsWith("row 0 x")
				.endsWith("\nTOTAL = 42\n")
				.contains("bytes left out");
			assertThat(result.stdout().truncated()).isTrue();
			assertThat(result.stdout().bytes()).isEqualTo(1_208_901);
		});
		expect("d17", (result) -> {
			assertThat(failure(result).kind()).isEqualTo(FailureKind.OUTPUT_LIMIT);
			assertThat(failure(result).message()).contains("120,180,001 bytes");
		});
		expect("d20", (result) -> assertThat(result.failure()).isNull());
	}

	private void expectEndings() {
		expect("d13", (result) -> {
			assertThat(result.stdout().text()).isEqualTo("before\n");
			assertThat(failure(result).exitStatus()).isEqualTo(3);
			assertThat(run(result.isolation().backend(), "1").value()).isEqualTo(JsonValue.of(1));
		});
		expect("d14", (result) -> {
			assertThat(failure(result).kind()).isEqualTo(FailureKind.TIMEOUT);
			assertThat(result.limitHit()).isEqualTo(LimitHit.CPU);
			assertThat(result.stdout().text()).isEqualTo("go\n");
		});
		expect("d15", (result) -> {
			assertThat(result.limitHit()).isEqualTo(LimitHit.WALL_CLOCK);
			// What a child may take to be ready, the limit of three seconds, the grace of
			// two, and what processes that were sent SIGKILL may take to be gone.
			assertThat(result.duration()).isLessThan(Duration.ofSeconds(15 + 3 + 2 + 10));
			assertThat(Leftovers.processesWith("while true; do echo x; sleep 1; done")).isEmpty();
		});
	}

	private void expect(String id, Expectation expectation) {
		this.expectations.put(id, expectation);
	}

	static Stream<Arguments> programs() throws IOException {
		List<Arguments> programs = new ArrayList<>();
		try (InputStream file = ModelProgramsTests.class.getResourceAsStream("model-programs.json")) {
			for (Object element : (List<?>) JsonValue.parse(file.readAllBytes()).toJava()) {
				JsonValue program = JsonValue.of(element);
				for (String backend : List.of("bubblewrap", "process")) {
					programs.add(Arguments.of(program.string("id"), program.string("ground"), backend,
							program.string("program")));
				}
			}
		}
		return programs.stream();
	}

	@ParameterizedTest(name = "{0} {1} on {2}")
	@MethodSource("programs")
	void programGivesWhatItsUserExpects(String id, String ground, String backend, String program) {
		this.expectations.get(id).check(run(backend, program));
	}

	@Test
	void everyProgramHasAnExpectation() throws IOException {
		assertThat(programs().map((arguments) -> (Object) arguments.get()[0]).distinct().toList())
			.containsExactlyInAnyOrderElementsOf(Set.copyOf(this.expectations.keySet()))
			.hasSize(20);
	}

	private RunResult run(String backend, String program) {
		Limits limits = Limits.defaults()
			.withCpu(Duration.ofSeconds(2))
			.withWallTime(program.contains("sleep(600)") ? Duration.ofSeconds(3) : PATIENCE);
		return this.sandboxes.get(backend).run(RunRequest.of(program).withLimits(limits));
	}

	private static Failure failure(RunResult result) {
		assertThat(result.failure()).as("failure of %s", result.toJson()).isNotNull();
		return result.failure();
	}

	private static List<CallState> states(RunResult result) {
		return result.calls().stream().map(CallRecord::state).toList();
	}

}
