package io.psych.sandbox.limits;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class IsolationReportTests {

	@Test
	void findingsAreAlwaysAllTenInTheOrderOfTheGuarantees() {
		List<Finding> given = new ArrayList<>(all(Grade.ENFORCED));
		Collections.reverse(given);
		IsolationReport report = new IsolationReport("fake", given);
		assertThat(report.findings()).hasSize(10)
			.extracting(Finding::guarantee)
			.containsExactly(Guarantee.FILESYSTEM, Guarantee.NETWORK, Guarantee.PROCESS_TREE, Guarantee.IDENTITY,
					Guarantee.CPU, Guarantee.MEMORY, Guarantee.FILE_SIZE, Guarantee.PROCESS_COUNT, Guarantee.WALL_CLOCK,
					Guarantee.ENVIRONMENT);
		assertThat(report.findings()).containsExactlyInAnyOrderElementsOf(given);
	}

	@Test
	void guaranteeNobodyGradedIsUnavailable() {
		IsolationReport report = new IsolationReport("fake",
				List.of(new Finding(Guarantee.NETWORK, Grade.ENFORCED, "no route")));
		assertThat(report.findings()).hasSize(10);
		assertThat(report.grade(Guarantee.NETWORK)).isEqualTo(Grade.ENFORCED);
		for (Guarantee guarantee : Guarantee.values()) {
			if (guarantee != Guarantee.NETWORK) {
				assertThat(report.finding(guarantee))
					.isEqualTo(new Finding(guarantee, Grade.UNAVAILABLE, "nothing was observed"));
			}
		}
	}

	@Test
	void nothingStartedSaysWhyForEveryGuarantee() {
		IsolationReport report = IsolationReport.nothingStarted("none", "no backend is usable");
		assertThat(report.backend()).isEqualTo("none");
		assertThat(report.level()).isEqualTo(Level.NONE);
		assertThat(report.findings()).hasSize(10).allSatisfy((finding) -> {
			assertThat(finding.grade()).isEqualTo(Grade.UNAVAILABLE);
			assertThat(finding.evidence()).isEqualTo("no backend is usable");
		});
	}

	@Test
	void levelFollowsFromTheGrades() {
		IsolationReport report = new IsolationReport("fake", all(Grade.ENFORCED));
		assertThat(report.grades()).hasSize(10).containsEntry(Guarantee.CPU, Grade.ENFORCED);
		assertThat(report.level()).isEqualTo(Level.of(report.grades())).isEqualTo(Level.ISOLATED);
	}

	@Test
	void findingsCannotBeChangedFromOutside() {
		List<Finding> given = new ArrayList<>(all(Grade.ENFORCED));
		IsolationReport report = new IsolationReport("fake", given);
		given.clear();
		assertThat(report.findings()).hasSize(10).isUnmodifiable();
	}

	@Test
	void idsOfGuaranteesAndGradesAreTheNamesOfPropertiesAndReports() {
		assertThat(Guarantee.values()).extracting(Guarantee::id)
			.containsExactly("filesystem", "network", "process-tree", "identity", "cpu", "memory", "file-size",
					"process-count", "wall-clock", "environment");
		assertThat(Grade.values()).extracting(Grade::id).containsExactly("enforced", "unverified", "unavailable");
	}

	static List<Finding> all(Grade grade) {
		List<Finding> findings = new ArrayList<>();
		for (Guarantee guarantee : Guarantee.values()) {
			findings.add(new Finding(guarantee, grade, "evidence of " + guarantee.id()));
		}
		return findings;
	}

}
