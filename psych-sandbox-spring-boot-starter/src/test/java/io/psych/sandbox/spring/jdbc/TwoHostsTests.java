package io.psych.sandbox.spring.jdbc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.runlog.RunRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several real hosts, one real PostgreSQL, one run; and one of the hosts is killed in the
 * middle of a call.
 */
@Tag("once")
class TwoHostsTests {

	private static final int PER_RUN = 100;

	private static final RunKey RUN = RunKey.of(HostMain.SCOPE, "");

	private static final String MEET_AND_CALL = """
			import asyncio
			await visit()
			len(await asyncio.gather(*[ping() for _ in range(19)]))
			""";

	private static final String CALL_NINE_TIMES = """
			[await ping() for _ in range(9)].count("pong")
			""";

	private static final String MEET_AND_CALL_TOO_OFTEN = """
			import asyncio
			await visit()
			async def attempt():
			    try:
			        return await ping()
			    except ToolError as error:
			        return error.kind
			kinds = await asyncio.gather(*[attempt() for _ in range(39)])
			{kind: kinds.count(kind) for kind in ("pong", "budget_spent")}
			""";

	@TempDir
	Path folder;

	@Test
	void killedHostTakesNoAllowanceWithItAndTheOtherGoesOn() throws Exception {
		Files.setPosixFilePermissions(this.folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		try (PostgresServer database = PostgresServer.start();
				ServerSocket visits = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
				HostProcess first = host(database, visits);
				HostProcess second = host(database, visits)) {
			visits.setSoTimeout(90_000);
			RunLog log = new JdbcRunLog(database.dataSource());

			first.execute(MEET_AND_CALL);
			second.execute(MEET_AND_CALL);
			meet(visits);
			assertThat(first.result().toJava()).isEqualTo(19L);
			assertThat(second.result().toJava()).isEqualTo(19L);
			check(log, 40, 0, 2, 0);

			first.execute("await visit()");
			try (Socket visit = visits.accept()) {
				// It is in the middle of the call, and so is the log.
				assertThat(visit.isConnected()).isTrue();
				check(log, 41, 1, 3, 1);
				assertThat(first.kill()).as("status of a JVM that was killed").isEqualTo(128 + 9);
			}
			check(log, 41, 1, 3, 1);

			second.execute(CALL_NINE_TIMES);
			assertThat(second.result().toJava()).isEqualTo(9L);
			check(log, 50, 1, 4, 1);

			try (HostProcess third = host(database, visits)) {
				second.execute(MEET_AND_CALL_TOO_OFTEN);
				third.execute(MEET_AND_CALL_TOO_OFTEN);
				meet(visits);
				Map<String, Object> seconds = second.result().members();
				Map<String, Object> thirds = third.result().members();
				// Two of the calls that were left went to the meeting.
				assertThat(sum(seconds, thirds, "pong")).isEqualTo(48);
				assertThat(sum(seconds, thirds, "budget_spent")).isEqualTo(30);
			}
			RunRecord last = check(log, PER_RUN, 1, 6, 1);
			assertThat(last.calls()).filteredOn((call) -> call.state() == CallState.UNKNOWN)
				.singleElement()
				.satisfies((call) -> {
					assertThat(call.accepted().tool()).isEqualTo("visit");
					assertThat(last.executions()).filteredOn((execution) -> execution.ended() == null)
						.singleElement()
						.satisfies((dead) -> assertThat(dead.started().execution())
							.isEqualTo(call.accepted().execution()));
				});
		}
	}

	private HostProcess host(PostgresServer database, ServerSocket visits) throws IOException {
		return new HostProcess(List.of("spring.datasource.url=" + database.url(), "test.port=" + visits.getLocalPort(),
				"psych.sandbox.run-log.jdbc.initialize-schema=always", "psych.sandbox.folder=" + this.folder,
				"psych.sandbox.interpreter=" + System.getProperty("psych.python", ""),
				"psych.sandbox.allow-same-user=true", "psych.sandbox.limits.wall-time=2m",
				"psych.sandbox.limits.tool-timeout=100s", "psych.sandbox.limits.calls.per-execution=60",
				"psych.sandbox.limits.calls.per-run=" + PER_RUN));
	}

	/** Let two programs go on once both are there. */
	private static void meet(ServerSocket visits) throws IOException {
		try (Socket one = visits.accept(); Socket other = visits.accept()) {
			for (Socket visit : List.of(one, other)) {
				visit.getOutputStream().write("go on\n".getBytes(StandardCharsets.UTF_8));
			}
		}
	}

	/** Check every number of the run. */
	private static RunRecord check(RunLog log, int accepted, int open, int executions, int openExecutions) {
		List<RunLog.Entry> entries = log.read(RUN, 0, Integer.MAX_VALUE);
		assertThat(entries).extracting(RunLog.Entry::number)
			.isEqualTo(LongStream.rangeClosed(1, entries.size()).boxed().toList());
		RunRecord run = RunRecord.of(log, RUN);
		assertThat(run.complete()).isTrue();
		assertThat(run.acceptedCalls()).isEqualTo(accepted);
		assertThat(run.callsLeft(limits())).isEqualTo(PER_RUN - accepted);
		assertThat(run.calls()).hasSize(accepted);
		assertThat(run.calls()).filteredOn((call) -> call.state() == CallState.DONE).hasSize(accepted - open);
		assertThat(run.calls()).filteredOn((call) -> call.state() == CallState.UNKNOWN).hasSize(open);
		assertThat(run.executions()).hasSize(executions);
		assertThat(run.executions()).filteredOn((execution) -> execution.ended() == null).hasSize(openExecutions);
		assertThat(run.executions()).extracting((execution) -> execution.started().execution())
			.doesNotHaveDuplicates()
			.containsAll(run.calls().stream().map((call) -> call.accepted().execution()).toList());
		assertThat(run.lastNumber()).isEqualTo(entries.size())
			.isEqualTo(2L * accepted - open + 2L * executions - openExecutions + run.attachments().size());
		return run;
	}

	private static CallLimits limits() {
		CallLimits defaults = CallLimits.defaults();
		return new CallLimits(60, PER_RUN, defaults.arguments(), defaults.result(), defaults.total(), defaults.kept());
	}

	private static long sum(Map<String, Object> one, Map<String, Object> other, String kind) {
		return (Long) one.get(kind) + (Long) other.get(kind);
	}

}
