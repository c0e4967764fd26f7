package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each vector of the threat model is proved by a program of the catalogue, or by another
 * test that exists, or it is said not to be defended.
 */
class ThreatModelTests {

	private static final Path PAGE = Repository.root().resolve("docs/threat-model.md");

	/** Such as {@code rows 15, 16}: programs of the catalogue. */
	private static final Pattern ROWS = Pattern.compile("\\brows? (\\d+(?:(?:, | and )\\d+)*)");

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{5,}");

	/**
	 * One line of a table.
	 *
	 * @param number its number on the page
	 * @param cells its cells
	 */
	private record Vector(int number, List<String> cells) {

		String test() {
			return this.cells.get(this.cells.size() - 1);
		}

		boolean isUndefended() {
			return String.join(" ", this.cells).toLowerCase(Locale.ROOT).contains("not defended");
		}

		@Override
		public String toString() {
			return "line " + this.number + ": " + this.cells.get(0);
		}

	}

	@Test
	void everyVectorHasAProgramOrATestOrIsNotDefended() throws IOException {
		Set<String> tests = wordsOfTests();
		Set<Integer> rows = HostileProgram.all().keySet();
		List<Vector> vectors = vectors();
		assertThat(vectors).hasSizeGreaterThan(50);
		assertThat(vectors.stream()
			.filter((vector) -> !vector.isUndefended())
			.filter((vector) -> !isProved(vector, rows, tests)))
			.as("vectors of %s without a program of the catalogue ('row 44'), a test that exists, or the words 'not defended'",
					PAGE.getFileName())
			.isEmpty();
	}

	@Test
	void noVectorIsLeftUntested() throws IOException {
		assertThat(vectors()).filteredOn((vector) -> vector.test().contains("not yet")).isEmpty();
	}

	@Test
	void noDefenceRestsOnARowThatIsNotContained() throws IOException {
		Set<Integer> broken = new TreeSet<>();
		for (String mark : ContainmentPage.checkedIn(HostileProgram.MEASURED)) {
			if (mark.endsWith(ContainmentPage.NOT_CONTAINED)) {
				broken.add(Integer.parseInt(mark.split(" ")[0]));
			}
		}
		assertThat(vectors()).filteredOn((vector) -> !vector.isUndefended())
			.filteredOn((vector) -> rows(vector).stream().anyMatch(broken::contains))
			.as("vectors with a program that was not contained when the page was written")
			.isEmpty();
	}

	@Test
	void everyProgramAndTestThatIsNamedExists() throws IOException {
		Set<String> tests = wordsOfTests();
		Set<Integer> rows = HostileProgram.all().keySet();
		List<String> missing = new ArrayList<>();
		for (Vector vector : vectors()) {
			for (String name : named(vector)) {
				if (!tests.contains(name)) {
					missing.add(vector + " names " + name);
				}
			}
			for (int row : rows(vector)) {
				if (!rows.contains(row)) {
					missing.add(vector + " names row " + row);
				}
			}
		}
		assertThat(missing).isEmpty();
	}

	@Test
	void whatARowDoesNotClaimIsAVectorThatIsNotDefended() throws IOException {
		List<Integer> undefended = vectors().stream()
			.filter(Vector::isUndefended)
			.flatMap((vector) -> rows(vector).stream())
			.toList();
		List<Integer> unclaimed = HostileProgram.all()
			.values()
			.stream()
			.filter((row) -> row.variants().stream().anyMatch((variant) -> !variant.unclaimed().isEmpty()))
			.map(HostileProgram::number)
			.toList();
		assertThat(unclaimed).isNotEmpty();
		assertThat(undefended).containsAll(unclaimed);
	}

	private static boolean isProved(Vector vector, Set<Integer> rows, Set<String> tests) {
		return rows.containsAll(rows(vector)) && tests.containsAll(named(vector))
				&& (!rows(vector).isEmpty() || !named(vector).isEmpty());
	}

	private static List<Integer> rows(Vector vector) {
		List<Integer> rows = new ArrayList<>();
		Matcher matcher = ROWS.matcher(vector.test());
		while (matcher.find()) {
			for (String number : matcher.group(1).split(", | and ")) {
				rows.add(Integer.parseInt(number));
			}
		}
		return rows;
	}

	/** Return the last word of each name in code: that of a method, a class or a file. */
	private static List<String> named(Vector vector) {
		List<String> named = new ArrayList<>();
		Matcher matcher = CODE.matcher(vector.test());
		while (matcher.find()) {
			String name = matcher.group(1).replaceFirst("\\.py$", "");
			String last = name.substring(name.lastIndexOf('.') + 1);
			if (WORD.matcher(last).matches()) {
				named.add(last);
			}
		}
		return named;
	}

	private static List<Vector> vectors() throws IOException {
		List<Vector> vectors = new ArrayList<>();
		List<String> lines = Files.readAllLines(PAGE);
		boolean ofVectors = false;
		for (int i = 0; i < lines.size(); i++) {
			String line = lines.get(i);
			if (!line.startsWith("|")) {
				ofVectors = false;
				continue;
			}
			String[] cells = line.substring(1, line.lastIndexOf('|')).split("(?<!\\\\)\\|", -1);
			List<String> stripped = Stream.of(cells).map(String::strip).toList();
			if (stripped.get(0).equals("vector")) {
				ofVectors = true;
			}
			else if (ofVectors && !stripped.get(0).startsWith("--")) {
				vectors.add(new Vector(i + 1, stripped));
			}
		}
		return vectors;
	}

	/** Return every word of the sources of all tests. */
	private static Set<String> wordsOfTests() throws IOException {
		Set<String> words = new TreeSet<>();
		List<Path> sources;
		try (Stream<Path> files = Files.walk(Repository.root())) {
			sources = files.filter((file) -> file.toString().matches(".*/src/test/.*\\.(java|py)")).toList();
		}
		for (Path source : sources) {
			words.add(source.getFileName().toString().replaceFirst("\\.\\w+$", ""));
			Matcher matcher = WORD.matcher(Files.readString(source));
			while (matcher.find()) {
				words.add(matcher.group());
			}
		}
		return words;
	}

}
