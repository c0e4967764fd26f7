package io.psych.sandbox.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code run}, on the real backends.
 */
class RunCommandTests {

	@TempDir
	private Path folder;

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void runPrintsWhatTheProgramPrintsThenItsValue(String backend) throws IOException {
		String program = program("print('grüße')\n{'answer': 6 * 7}");
		Tool tool = Tool.here("run", program, "--backend", backend);
		assertThat(tool.out()).isEqualToIgnoringNewLines("grüße\n{\n  \"answer\" : 42\n}\n");
		assertThat(tool.err()).isEmpty();
		assertThat(tool.exitCode()).isZero();
	}

	@Test
	void runWhenProgramPrintsOnlyPrintsNoValue() throws IOException {
		Tool tool = Tool.here("run", program("print('done', end='')"));
		assertThat(tool.out()).isEqualToIgnoringNewLines("done\n");
	}

	@Test
	void runWhenFileIsDashReadsStandardInput() {
		Tool tool = Tool.hereWithInput("6 * 7".getBytes(StandardCharsets.UTF_8), "run", "-");
		assertThat(tool.out()).isEqualToIgnoringNewLines("42\n");
	}

	@Test
	void runKeepsStandardErrorApart() throws IOException {
		Tool tool = Tool.here("run", program("import sys\nprint('aside', file=sys.stderr)\n1"));
		assertThat(tool.out()).isEqualToIgnoringNewLines("1\n");
		assertThat(tool.err()).isEqualToIgnoringNewLines("aside\n");
	}

	@Test
	void runWithJsonPrintsTheWholeRecord() throws IOException {
		Tool tool = Tool.here("run", program("print('hi')"), "--json", "--backend", "bubblewrap");
		assertThat(tool.json().member("stdout").string("text")).isEqualTo("hi\n");
		assertThat(tool.json().member("isolation").string("level")).isEqualTo("isolated");
		assertThat(tool.json().member("isolation").member("guarantees").members()).hasSize(10);
		assertThat(tool.exitCode()).isZero();
	}

	@Test
	void runWhenProgramRaisesExitsWithOneAndPrintsTraceback() throws IOException {
		Tool tool = Tool.here("run", program("print('before')\n1 / 0"));
		assertThat(tool.exitCode()).isEqualTo(1);
		assertThat(tool.out()).isEqualToIgnoringNewLines("before\n");
		assertThat(tool.err()).contains("line 2").contains("ZeroDivisionError").contains("program_exception");
	}

	@Test
	void runWithJsonWhenProgramRaisesExitsWithOne() throws IOException {
		Tool tool = Tool.here("run", program("1 / 0"), "--json");
		assertThat(tool.exitCode()).isEqualTo(1);
		assertThat(tool.json().member("failure").string("kind")).isEqualTo("program_exception");
	}

	@Test
	void runWhenCpuIsSpentExitsWithOneAndNamesTheLimit() throws IOException {
		Tool tool = Tool.here("run", program("while True: pass"), "--cpu", "1s");
		assertThat(tool.exitCode()).isEqualTo(1);
		assertThat(tool.err()).contains("timeout").contains("limit: cpu");
	}

	@Test
	void runWhenMemoryIsSpentNamesTheLimit() throws IOException {
		Tool tool = Tool.here("run", program("x = bytearray(200_000_000)"), "--memory", "128MB");
		assertThat(tool.exitCode()).isEqualTo(1);
		assertThat(tool.err()).contains("MemoryError").contains("limit: memory");
	}

	@Test
	void runWhenWallClockIsReachedExitsWithOne() throws IOException {
		Tool tool = Tool.here("run", program("import time\ntime.sleep(60)"), "--wall", "700ms");
		assertThat(tool.exitCode()).isEqualTo(1);
		assertThat(tool.err()).contains("timeout").contains("limit: wall_clock");
	}

	@Test
	void runWhenRequiredLevelIsNotReachedExitsWithThreeAndExecutesNothing() throws IOException {
		Tool tool = Tool.here("run", program("print('executed')"), "--backend", "process", "--require", "isolated");
		assertThat(tool.exitCode()).isEqualTo(3);
		assertThat(tool.out()).isEmpty();
		assertThat(tool.err()).contains("isolation_unavailable").contains("level isolated is required");
	}

	@Test
	void runWhenNoBackendIsUsableExitsWithFour() throws IOException {
		Tool tool = Tool.here("run", program("1"), "--backend", "bubblewrap", "--bubblewrap", "/nonexistent/bwrap");
		assertThat(tool.exitCode()).isEqualTo(4);
		assertThat(tool.err()).contains("/nonexistent/bwrap").doesNotContain("\tat ");
	}

	@Test
	void runWhenInterpreterIsMissingExitsWithFour() throws IOException {
		Tool tool = Tool.exactly("run", program("1"), "--interpreter", "/nonexistent/python3");
		assertThat(tool.exitCode()).isEqualTo(4);
		assertThat(tool.err()).contains("/nonexistent/python3").doesNotContain("\tat ");
	}

	@Test
	void runWhenBackendIsUnknownExitsWithFour() throws IOException {
		Tool tool = Tool.here("run", program("1"), "--backend", "chroot");
		assertThat(tool.exitCode()).isEqualTo(4);
		assertThat(tool.err()).contains("chroot");
	}

	@Test
	void runWhenFileIsMissingExitsWithTwo() {
		Tool tool = Tool.here("run", this.folder.resolve("missing.py").toString());
		assertThat(tool.exitCode()).isEqualTo(2);
		assertThat(tool.err()).contains("missing.py does not exist");
	}

	@Test
	void runWhenFileIsNotUtf8ExitsWithTwo() throws IOException {
		Path program = Files.write(this.folder.resolve("latin1.py"), new byte[] { '\'', (byte) 0xe9, '\'' });
		Tool tool = Tool.here("run", program.toString());
		assertThat(tool.exitCode()).isEqualTo(2);
		assertThat(tool.err()).contains("latin1.py is not UTF-8");
	}

	@Test
	void runWhenLimitIsImpossibleExitsWithTwo() throws IOException {
		Tool tool = Tool.here("run", program("1"), "--cpu", "0s");
		assertThat(tool.exitCode()).isEqualTo(2);
		assertThat(tool.err()).contains("cpu is PT0S").doesNotContain("\tat ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "--cpu=soon", "--memory=lots", "--require=none", "--processes=few", "--unknown" })
	void runWhenOptionIsUnreadableExitsWithTwo(String option) throws IOException {
		Tool tool = Tool.here("run", program("1"), option);
		assertThat(tool.exitCode()).isEqualTo(2);
		assertThat(tool.err()).contains(option.replaceFirst("=.*", ""));
	}

	@Test
	void runWithHelpListsExitCodes() {
		Tool tool = Tool.exactly("run", "--help");
		assertThat(tool.exitCode()).isZero();
		assertThat(tool.out()).contains("Exit codes:").contains("3    The sandbox did not execute it");
	}

	private String program(String text) throws IOException {
		return Files.writeString(this.folder.resolve("program.py"), text).toString();
	}

}
