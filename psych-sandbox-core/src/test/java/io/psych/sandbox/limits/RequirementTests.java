package io.psych.sandbox.limits;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RequirementTests {

	@Test
	void andRequiresTheStrongerLevelAndTheGuaranteesOfBoth() {
		Requirement isolated = new Requirement(Level.ISOLATED, Set.of(Guarantee.CPU));
		Requirement network = new Requirement(Level.PROCESS, Set.of(Guarantee.NETWORK));
		Requirement both = new Requirement(Level.ISOLATED, Set.of(Guarantee.CPU, Guarantee.NETWORK));
		assertThat(isolated.and(network)).isEqualTo(both);
		assertThat(network.and(isolated)).isEqualTo(both);
		assertThat(isolated.and(Requirement.floor())).isEqualTo(isolated);
	}

	@Test
	void unmetWhenTheReportIsEnoughIsEmpty() {
		Requirement requirement = new Requirement(Level.ISOLATED, Set.of(Guarantee.values()));
		assertThat(requirement.unmet(report(Grade.ENFORCED, Guarantee.NETWORK))).isEmpty();
	}

	@Test
	void unmetWhenTheLevelIsLowerNamesBothLevelsAndTheBackend() {
		Requirement requirement = new Requirement(Level.ISOLATED, Set.of());
		assertThat(requirement.unmet(report(Grade.UNVERIFIED, Guarantee.FILESYSTEM)))
			.containsExactly("level isolated is required, but backend fake reached level process");
	}

	@Test
	void unmetWhenAGuaranteeIsNotEnforcedNamesItsGradeAndEvidence() {
		Requirement requirement = new Requirement(Level.PROCESS, Set.of(Guarantee.MEMORY, Guarantee.NETWORK));
		assertThat(requirement.unmet(report(Grade.UNVERIFIED, Guarantee.MEMORY)))
			.containsExactly("guarantee memory must be enforced, but with backend fake it is unverified: weak");
		assertThat(requirement.unmet(report(Grade.UNAVAILABLE, Guarantee.NETWORK)))
			.containsExactly("guarantee network must be enforced, but with backend fake it is unavailable: weak");
	}

	@Test
	void unmetTellsEveryLackInTheOrderOfTheGuarantees() {
		Requirement requirement = new Requirement(Level.ISOLATED,
				Set.of(Guarantee.WALL_CLOCK, Guarantee.PROCESS_TREE, Guarantee.FILESYSTEM));
		assertThat(requirement.unmet(IsolationReport.nothingStarted("none", "nothing ran"))).containsExactly(
				"level isolated is required, but backend none reached level none",
				"guarantee filesystem must be enforced, but with backend none it is unavailable: nothing ran",
				"guarantee process-tree must be enforced, but with backend none it is unavailable: nothing ran",
				"guarantee wall-clock must be enforced, but with backend none it is unavailable: nothing ran");
	}

	@Test
	void floorAcceptsAContainedProcessAndNothingLess() {
		assertThat(Requirement.floor().unmet(report(Grade.UNAVAILABLE, Guarantee.FILESYSTEM))).isEmpty();
		assertThat(Requirement.floor().unmet(report(Grade.UNVERIFIED, Guarantee.WALL_CLOCK)))
			.containsExactly("level process is required, but backend fake reached level none");
	}

	@Test
	void levelNoneIsRefusedWithTheFix() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Requirement(Level.NONE, Set.of()))
			.withMessage("level is none, but a contained process is the floor: nothing lower can be accepted."
					+ " Set it to process or isolated.");
	}

	private static IsolationReport report(Grade grade, Guarantee weak) {
		List<Finding> findings = new ArrayList<>(IsolationReportTests.all(Grade.ENFORCED));
		findings.add(new Finding(weak, grade, "weak"));
		return new IsolationReport("fake", findings);
	}

}
