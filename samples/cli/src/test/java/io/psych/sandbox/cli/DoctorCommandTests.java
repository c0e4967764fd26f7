package io.psych.sandbox.cli;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code doctor}, on the real backends.
 */
class DoctorCommandTests {

	@Test
	void doctorPrintsEveryBackendGradeByGradeWithEvidence() {
		Tool tool = Tool.here("doctor");
		assertThat(tool.exitCode()).isZero();
		assertThat(tool.out()).contains("bubblewrap: usable with Python 3.")
			.contains("level isolated")
			.contains("process: usable with Python 3.")
			.contains("level process")
			.containsPattern("filesystem +enforced +\\S")
			.containsPattern("filesystem +(unverified|unavailable) +\\S")
			.contains("that 'auto' takes here is bubblewrap");
		assertThat(tool.err()).isEmpty();
	}

	@Test
	void doctorWhenBubblewrapIsHiddenPrintsReasonAndRemedy() {
		Tool tool = Tool.here("doctor", "--bubblewrap", "/nonexistent/bwrap");
		assertThat(tool.exitCode()).isZero();
		assertThat(tool.out()).contains("bubblewrap: not usable")
			.containsPattern("reason: .*/nonexistent/bwrap")
			.contains("remedy: ")
			.contains("that 'auto' takes here is process");
	}

	@Test
	void doctorWithJsonPrintsFindings() {
		Tool tool = Tool.here("doctor", "--json", "--bubblewrap", "/nonexistent/bwrap");
		assertThat(tool.json().members()).containsEntry("auto", "process");
		assertThat(tool.out()).contains("\"guarantees\"").contains("\"remedy\"").contains("\"wall-clock\"");
	}

	@Test
	void doctorWhenInterpreterIsMissingExitsWithFour() {
		Tool tool = Tool.exactly("doctor", "--interpreter", "/nonexistent/python3");
		assertThat(tool.exitCode()).isEqualTo(4);
		assertThat(tool.err()).contains("/nonexistent/python3");
	}

	@Test
	void versionNamesTheTool() {
		assertThat(Tool.exactly("--version").out()).startsWith("psych-sandbox ");
	}

	@Test
	void commandWhenNoneIsGivenExitsWithTwo() {
		Tool tool = Tool.exactly();
		assertThat(tool.exitCode()).isEqualTo(2);
		assertThat(tool.err()).contains("Missing required subcommand");
	}

}
