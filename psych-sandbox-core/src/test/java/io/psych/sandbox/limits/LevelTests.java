package io.psych.sandbox.limits;

import java.util.EnumMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class LevelTests {

	@Test
	void ofWhenEverythingIsEnforcedIsIsolated() {
		assertThat(Level.of(grades(Grade.ENFORCED))).isEqualTo(Level.ISOLATED);
	}

	@ParameterizedTest(name = "without {0}: unverified {1}, unavailable {2}")
	@CsvSource({ "FILESYSTEM, PROCESS, PROCESS", "NETWORK, PROCESS, PROCESS", "PROCESS_TREE, PROCESS, PROCESS",
			"IDENTITY, PROCESS, PROCESS", "CPU, ISOLATED, NONE", "MEMORY, ISOLATED, PROCESS",
			"FILE_SIZE, ISOLATED, NONE", "PROCESS_COUNT, ISOLATED, PROCESS", "WALL_CLOCK, NONE, NONE",
			"ENVIRONMENT, NONE, NONE" })
	void ofWhenOneGuaranteeDropsFallsToWhatIsLeft(Guarantee dropped, Level whenUnverified, Level whenUnavailable) {
		Map<Guarantee, Grade> grades = grades(Grade.ENFORCED);
		grades.put(dropped, Grade.UNVERIFIED);
		assertThat(Level.of(grades)).isEqualTo(whenUnverified);
		grades.put(dropped, Grade.UNAVAILABLE);
		assertThat(Level.of(grades)).isEqualTo(whenUnavailable);
	}

	@ParameterizedTest
	@EnumSource
	void ofWhenOneGuaranteeIsMissingCountsItAsUnavailable(Guarantee missing) {
		Map<Guarantee, Grade> unavailable = grades(Grade.ENFORCED);
		unavailable.put(missing, Grade.UNAVAILABLE);
		Map<Guarantee, Grade> without = grades(Grade.ENFORCED);
		without.remove(missing);
		assertThat(Level.of(without)).isEqualTo(Level.of(unavailable));
	}

	@Test
	void ofWhenNothingIsEnforcedIsNone() {
		assertThat(Level.of(Map.of())).isEqualTo(Level.NONE);
		assertThat(Level.of(grades(Grade.UNVERIFIED))).isEqualTo(Level.NONE);
		assertThat(Level.of(grades(Grade.UNAVAILABLE))).isEqualTo(Level.NONE);
	}

	@Test
	void ofWhenOnlyAContainedProcessIsLeftIsProcess() {
		assertThat(Level.of(Map.of(Guarantee.WALL_CLOCK, Grade.ENFORCED, Guarantee.ENVIRONMENT, Grade.ENFORCED,
				Guarantee.CPU, Grade.UNVERIFIED, Guarantee.FILE_SIZE, Grade.UNVERIFIED)))
			.isEqualTo(Level.PROCESS);
	}

	@ParameterizedTest
	@CsvSource({ "ISOLATED, ISOLATED, true", "ISOLATED, PROCESS, true", "ISOLATED, NONE, true",
			"PROCESS, ISOLATED, false", "PROCESS, PROCESS, true", "PROCESS, NONE, true", "NONE, ISOLATED, false",
			"NONE, PROCESS, false", "NONE, NONE, true" })
	void isAtLeastOrdersFromStrongest(Level level, Level other, boolean atLeast) {
		assertThat(level.isAtLeast(other)).isEqualTo(atLeast);
	}

	@ParameterizedTest
	@CsvSource({ "ISOLATED, isolated", "PROCESS, process", "NONE, none" })
	void idIsTheLowerCaseName(Level level, String id) {
		assertThat(level.id()).isEqualTo(id);
	}

	private static Map<Guarantee, Grade> grades(Grade grade) {
		Map<Guarantee, Grade> grades = new EnumMap<>(Guarantee.class);
		for (Guarantee guarantee : Guarantee.values()) {
			grades.put(guarantee, grade);
		}
		return grades;
	}

}
