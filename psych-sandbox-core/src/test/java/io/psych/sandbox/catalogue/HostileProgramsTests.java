package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.psych.sandbox.Containers;
import io.psych.sandbox.spawn.HostUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Every row of the catalogue on the backends that this run is to measure, and the page
 * that tells what was measured.
 */
@Tag("catalogue")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HostileProgramsTests {

	/** Writes the page from this run instead of comparing it. */
	private static final String WRITE = "psych.containment.write";

	/** Tells what of this host is unlike that of the page; empty when nothing is. */
	private static final String KIND = "psych-sandbox-core/target/unlike-containment-page";

	/** The page as this run alone would make it, to look at where it is not written. */
	private static final String MEASURED = "psych-sandbox-core/target/containment.md";

	/** Some rows only, such as {@code 44,45}, for the minutes between two saves. */
	private static final String ROWS = "psych.containment.rows";

	@TempDir
	static Path folder;

	private final Map<Integer, HostileProgram> rows = HostileProgram.all();

	private final Map<Integer, Map<String, Measurement>> measured = new TreeMap<>();

	private Proof proof;

	@BeforeAll
	void begin() throws IOException {
		assumeTrue(!HostileProgram.HERE.contains("container") || Containers.areThere(), Containers::whyNot);
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.proof = new Proof(folder);
	}

	@AfterAll
	void nothingIsLeft() throws IOException {
		if (this.proof != null) {
			this.proof.close();
			assertThat(Processes.with(folder.toString())).isEmpty();
		}
	}

	@Test
	@Order(1)
	void theCatalogueHasItsSeventyThreeRows() {
		assertThat(this.rows.keySet()).containsExactlyElementsOf(IntStream.rangeClosed(1, 73).boxed().toList());
		this.rows.values().forEach((row) -> {
			assertThat(row.threat()).as(row.file()).isNotBlank();
			HostileProgram.BACKENDS.subList(HostileProgram.MEASURED.size(), HostileProgram.BACKENDS.size())
				.forEach((backend) -> assertThat(row.says(backend)).as("%s on %s", row.file(), backend)
					.matches("-|[EOBNV]( .+)?, not run yet"));
		});
	}

	static Stream<Arguments> rows() {
		String some = System.getProperty(ROWS);
		List<Arguments> arguments = new ArrayList<>();
		for (HostileProgram row : HostileProgram.all().values()) {
			if (some == null || Arrays.asList(some.split(",")).contains(Integer.toString(row.number()))) {
				for (String backend : HostileProgram.HERE) {
					if (row.expected(backend) != null) {
						arguments.add(Arguments.of(row, backend));
					}
				}
			}
		}
		return arguments.stream();
	}

	@Order(2)
	@ParameterizedTest(name = "{0} on {1}")
	@MethodSource("rows")
	void theProgramIsContainedAsItsHeadSays(HostileProgram row, String backend) throws Exception {
		assumeTrue(!row.needsRoot() || HostUser.current().isRoot(),
				"its control needs a service that is root, and this one is not");
		Measurement measurement = this.proof.measure(row, backend);
		this.measured.computeIfAbsent(row.number(), (absent) -> new TreeMap<>()).put(backend, measurement);
		assertThat(measurement.problems()).as("%s on %s", row.file(), backend).isEmpty();
	}

	@Test
	@Order(3)
	void everyRowThatAppliesHereRan() {
		assumeTrue(System.getProperty(ROWS) == null,
				() -> "only these rows were asked for: " + System.getProperty(ROWS));
		List<String> missing = new ArrayList<>();
		boolean root = HostUser.current().isRoot();
		for (HostileProgram row : this.rows.values()) {
			for (String backend : HostileProgram.HERE) {
				if (row.expected(backend) != null && (root || !row.needsRoot())
						&& !this.measured.getOrDefault(row.number(), Map.of()).containsKey(backend)) {
					missing.add(row + " on " + backend);
				}
			}
		}
		assertThat(missing).isEmpty();
	}

	@Test
	@Order(4)
	void thePageTellsWhatWasMeasured() throws IOException {
		ContainmentPage page = new ContainmentPage(this.rows.values(), this.measured, this.proof.subjects(),
				this.proof::neutral);
		assertThat(page.text()).as("paths of this machine")
			.doesNotContain(folder.toString(), Repository.root().toString(), System.getProperty("java.home"),
					System.getProperty("user.dir"));
		Files.writeString(Repository.root().resolve(MEASURED), page.text());
		if (Boolean.getBoolean(WRITE)) {
			assertThat(HostileProgram.HERE).as("the page has a column of each")
				.containsExactlyElementsOf(HostileProgram.MEASURED);
			page.write();
		}
		boolean comparable = page.isOfThisKindOfHost();
		// For .ci/told_grades.py, which compares what doctor and health tell.
		Files.writeString(Repository.root().resolve(KIND), comparable ? "" : page.layers());
		assumeTrue(comparable, () -> "docs/containment.md was measured where other layers are. " + page.layers());
		assertThat(page.grades()).isEqualTo(ContainmentPage.checkedInGrades(HostileProgram.HERE));
		List<String> marks = page.marks().stream().filter((mark) -> !mark.endsWith("?")).toList();
		List<String> told = ContainmentPage.checkedIn(HostileProgram.HERE);
		assertThat(marks).as("measured and not on the page: run .ci/containment, or look for what changed")
			.filteredOn((mark) -> !told.contains(mark))
			.isEmpty();
		assertThat(told).as("rows of the page").hasSize(this.rows.size() * HostileProgram.HERE.size());
		assertThat(told).as("rows that were not run for the page").noneMatch((mark) -> mark.endsWith("?"));
	}

}
