package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.psych.sandbox.contract.CallRecord;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What real programs may spend on calls, and results that are too large for a reply.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProgramCallsTests {

	private static final ByteSize MUCH = ByteSize.ofMebibytes(1);

	private static final ThreadLocal<String> LEFT = new ThreadLocal<>();

	@TempDir
	static Path folder;

	private final AtomicInteger reached = new AtomicInteger();

	private Sandbox sandbox;

	@BeforeAll
	void build() throws IOException {
		// A temporary folder is its owner's alone, and programs run as somebody else.
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.sandbox = Sandbox.builder()
			.folder(folder)
			.tools(ToolCatalog.of(tool("double", (arguments) -> 2 * arguments.integer("n")),
					tool("rows", (arguments) -> {
						int n = arguments.integer("n").intValue();
						return IntStream.range(0, n).mapToObj((i) -> Map.of("id", i, "city", "Zürich")).toList();
					}), tool("list_tools", (arguments) -> "never reached"),
					tool("nested", (arguments) -> nested(arguments.integer("n"))), tool("leave", (arguments) -> {
						LEFT.set("by the tool");
						return null;
					})))
			.limits(Limits.defaults().withCalls(new CallLimits(20_000, 20_000, MUCH, MUCH, MUCH, MUCH)))
			.profile("ten", Limits.defaults().withCalls(new CallLimits(10, 25, MUCH, MUCH, MUCH, MUCH)))
			.profile("small",
					Limits.defaults()
						.withCalls(new CallLimits(5_000, 5_000, MUCH, ByteSize.ofKibibytes(4), MUCH, MUCH)))
			.build();
	}

	@AfterAll
	void close() {
		this.sandbox.close();
	}

	@Test
	void toolThatRunsAnotherProgramMayDoSoHoweverFastTheCallsBeforeItWere() {
		RunResult result = this.sandbox.run(RunRequest.of("""
				total = 0
				for n in range(1_000):
				    total += await double(n=n)
				total + await nested(n=21) + await double(n=1)
				"""));
		assertThat(result.value()).isEqualTo(JsonValue.of(999_000 + 42 + 2));
		assertThat(result.calls()).extracting(CallRecord::state).containsOnly(CallState.DONE);
	}

	@Test
	void toolsLeaveNothingInTheThreadOfTheCaller() {
		RunResult result = this.sandbox.run(RunRequest.of("""
				for n in range(1_000):
				    await leave(n=n)
				"""));
		assertThat(result.succeeded()).isTrue();
		assertThat(LEFT.get()).isNull();
	}

	@Test
	void hundredCallsAtOnceAndTenThousandInSequence() {
		RunResult result = run("""
				import asyncio
				at_once = await asyncio.gather(*(double(n=n) for n in range(100)))
				total = 0
				for n in range(10_000):
				    total += await double(n=n)
				[at_once == [2 * n for n in range(100)], total]
				""", null, "a");
		assertThat(result.failure()).as("%s", result.toJson()).isNull();
		assertThat(result.value()).isEqualTo(JsonValue.of(List.of(true, 99_990_000)));
		assertThat(result.calls()).hasSize(10_000).extracting(CallRecord::state).containsOnly(CallState.DONE);
		assertThat(result.unlistedCalls()).isEqualTo(Map.of(CallState.DONE, 100L));
	}

	@Test
	void budgetOfAProgramIsCutExactlyAtItsEdgeAndCanBeCaught() {
		this.reached.set(0);
		RunResult result = run("""
				import asyncio
				answers = await asyncio.gather(*(double(n=n) for n in range(25)), return_exceptions=True)
				[sum(isinstance(answer, int) for answer in answers),
				 {answer.kind for answer in answers if isinstance(answer, ToolError)}]
				""", "ten", "b");
		assertThat(result.value()).isEqualTo(JsonValue.parse("[10, [\"budget_spent\"]]"));
		assertThat(this.reached).hasValue(10);
	}

	@Test
	void runThatCrashesItsWayThroughTenProgramsHasOneAllowance() {
		this.reached.set(0);
		for (int program = 0; program < 10; program++) {
			RunResult result = run("""
					import os
					for n in range(4):
					    try:
					        await double(n=n)
					    except ToolError as error:
					        assert error.kind == "budget_spent"
					os.abort()
					""", "ten", "c");
			assertThat(result.failure()).isNotNull();
		}
		assertThat(this.reached).hasValue(25);
		RunResult last = run("await double(n=1)", "ten", "c");
		assertThat(last.calls()).extracting(CallRecord::failure).containsExactly(ToolFailureKind.BUDGET_SPENT);
		assertThat(last.calls()).extracting(CallRecord::state).containsExactly(CallState.REFUSED);
		assertThat(run("await double(n=1)", "ten", "another").failure()).isNull();
	}

	@Test
	void resultOverTheCeilingIsReadInPartsAndIsTheWholeOne() {
		RunResult result = run(
				"""
						import json
						rows_ = await rows(n=2_000)
						text, at = "", 0
						while at is not None:
						    part = await read_tool_output(handle=rows_, offset=at, length=1_000)
						    text, at = text + part["text"], part["next"]
						found = await read_tool_output(handle=rows_, pattern='"id":1999\\\\b', context=0)
						while not found["matches"]:
						    found = await read_tool_output(handle=rows_, pattern='"id":1999\\\\b', context=0, offset=found["next"])
						[len(json.loads(text)), json.loads(text)[7], len(found["matches"]), rows_.format]
						""",
				"small", "d");
		assertThat(result.failure()).as("%s", result.toJson()).isNull();
		assertThat(result.value()).isEqualTo(JsonValue.parse("[2000, {\"id\": 7, \"city\": \"Zürich\"}, 1, \"json\"]"));
		assertThat(result.calls().get(0).state()).isEqualTo(CallState.DONE);
		assertThat(result.calls().get(0).resultBytes()).isGreaterThan(40_000);
	}

	@Test
	void handleRefusesToBeTakenForTheResult() {
		RunResult result = run("""
				rows_ = await rows(n=2_000)
				told = []
				for use in (lambda: rows_[0], lambda: len(rows_), lambda: list(rows_), lambda: rows_.get("id"),
				            lambda: bool(rows_), lambda: 3 in rows_, lambda: rows_.items(), lambda: sum(rows_),
				            lambda: rows_.city):
				    try:
				        told.append(["it answered", use()])
				    except (TypeError, AttributeError) as error:
				        told.append("read_tool_output" in str(error))
				told.append("read_tool_output" in repr(rows_))
				try:
				    await double(n=rows_)
				except ToolError as error:
				    told.append([error.kind, "handle" in str(error)])
				told
				""", "small", "e");
		assertThat(result.failure()).as("%s", result.toJson()).isNull();
		assertThat(result.value()).isEqualTo(JsonValue
			.parse("[true, true, true, true, true, true, true, true, true, true, [\"bad_arguments\", true]]"));
		RunResult returned = run("await rows(n=2_000)", "small", "e");
		assertThat(returned.failure()).isNotNull();
		assertThat(returned.failure().message()).contains("handle", "read_tool_output");
	}

	@Test
	void toolsAreFoundAndLearnedOfFromWithin() {
		RunResult result = run(
				"""
						listed = await list_tools(query="DOUBLE")
						info = await get_tool_info(name="double")
						try:
						    await get_tool_info(name="doubel")
						except ToolError as error:
						    nearest = str(error)
						[[tool["name"] for tool in listed["tools"]], info["inputSchema"]["required"], "`double`" in nearest, TOOLS]
						""",
				null, "f");
		assertThat(result.failure()).as("%s", result.toJson()).isNull();
		assertThat(result.value()).isEqualTo(JsonValue.parse("[[\"double\"], [\"n\"], true,"
				+ " [\"double\", \"rows\", \"nested\", \"leave\", \"list_tools\", \"get_tool_info\", \"read_tool_output\"]]"));
	}

	private RunResult run(String program, String profile, String run) {
		return this.sandbox.run(RunRequest.of(program).withProfile(profile).withScope(new Scope("acme", run, null)));
	}

	private Object nested(long n) {
		return this.sandbox.run(RunRequest.of("2 * " + n)).value();
	}

	private HostTool tool(String name, Body body) {
		return new HostTool() {

			@Override
			public String name() {
				return name;
			}

			@Override
			public String description() {
				return "The test tool " + name + ".";
			}

			@Override
			public JsonValue inputSchema() {
				return JsonValue
					.parse("{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}");
			}

			@Override
			public JsonValue call(JsonValue arguments, ToolCallContext context) {
				ProgramCallsTests.this.reached.incrementAndGet();
				return JsonValue.of(body.answer(arguments));
			}

		};
	}

	/**
	 * What a tool answers.
	 */
	private interface Body {

		Object answer(JsonValue arguments);

	}

}
