package io.psych.sandbox;

import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SecurityCost}, which itself ends where an arm has other extras than it
 * should.
 */
class SecurityCostTests {

	private static final Path PYTHON = Path.of(System.getProperty("psych.python", "/usr/bin/python3"));

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void measureRunsEveryArm(String backend) {
		try (SecurityCost cost = new SecurityCost(backend, PYTHON)) {
			cost.measure(0, 2);
			assertThat(cost.table().lines()).hasSize(Extras.ARMS.size() + 2)
				.anyMatch((line) -> line.matches("all +\\d.*"))
				.anyMatch((line) -> line.matches("without seccomp and Landlock +\\d.*"))
				.anyMatch((line) -> line.matches("none( +\\d+[.,]\\d\\d){3} +1[.,]000"));
			assertThat(cost.ratio()).isPositive().isFinite();
		}
	}

}
