package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.psych.sandbox.limits.Finding;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.spawn.HostUser;

/**
 * The page that tells what was measured, made from a run of the whole catalogue.
 */
final class ContainmentPage {

	private static final Path FILE = Path.of("docs/containment.md");

	private static final String LAYERS = "Layers here: ";

	private static final String SERVICE = "a service that ";

	private static final Pattern ROW = Pattern
		.compile("\\| (\\d+) \\| .* \\| (\\S+) \\| (\\S+) \\| (\\S+) \\|(?: [^|]*\\|){3}");

	static final String NOT_CONTAINED = "✗";

	private static final String HEAD = """
			# Containment

			What the programs of the catalogue came to on this system. The page is made by `.ci/containment`, never edited: each
			mark is what the last run measured. `./verify` runs the catalogue too, and `.ci/containers` does for the column of containers;
			they fail when they measure another mark or another grade on a host with the same layers, and when a row did not run.
			`./verify` fails as well when `doctor` or `/actuator/health` tell another grade.

			| mark | meaning |
			|---|---|
			| **E** | contained: everything attempted was refused, or ended within its bound, where a control shows that it works outside; and every guarantee that covers the row was graded *enforced* for that execution |
			| **O** | not claimed: a guarantee that covers the row was graded below *enforced*; a caller that requires it was refused before the program was sent; or the threat model names something here that nothing defends. The evidence says what was *not contained*, and whether the attempts were refused all the same |
			| **B** | cleaned up by the host afterwards |
			| **✗** | not contained, and no grade says so |
			| - | does not apply |
			| in brackets | what the catalogue expects; nothing was run there yet |

			Whatever the row, after each program on `bubblewrap`, `process` and `container` the suite also demands: no listener of the host was
			reached (TCP and UDP on loopback, TCP on the LAN, path and abstract sockets), no file of the host changed, a process of
			every user that programs run as is alive, no process, no container and no file of the program is left, the JVM's threads
			at work, heap, descriptors, children and folders are back to the baseline, no line of the library's log holds a control
			character, and the execution is graded as an honest one is.

			`container` is podman with runc and an image made of this machine's own Python (`.ci/container-image`). Rows about a host
			that fails have a client of the suite's own before podman's, and a folder that is bound into the container. The
			time of an execution there has six seconds more than elsewhere: the engine's start is in it, and on a busy host it takes long.

			""";

	private final Collection<HostileProgram> rows;

	private final Map<Integer, Map<String, Measurement>> measured;

	private final Map<String, Subject> subjects;

	private final UnaryOperator<String> neutral;

	ContainmentPage(Collection<HostileProgram> rows, Map<Integer, Map<String, Measurement>> measured,
			Map<String, Subject> subjects, UnaryOperator<String> neutral) {
		this.rows = rows;
		this.measured = measured;
		this.subjects = subjects;
		this.neutral = neutral;
	}

	/**
	 * Return the marks of the page in the repository.
	 * @param backends the columns
	 * @return a line such as {@code 44 bubblewrap E} for each
	 * @throws IOException if there is none
	 */
	static List<String> checkedIn(List<String> backends) throws IOException {
		List<String> marks = new ArrayList<>();
		for (String line : Files.readAllLines(Repository.root().resolve(FILE))) {
			Matcher matcher = ROW.matcher(line);
			if (matcher.matches()) {
				for (String backend : backends) {
					marks.add("%s %s %s".formatted(matcher.group(1), backend,
							matcher.group(HostileProgram.MEASURED.indexOf(backend) + 2)));
				}
			}
		}
		return marks;
	}

	/**
	 * Return the grades of the page in the repository.
	 * @param backends the columns
	 * @return a line such as {@code cpu bubblewrap enforced} for each
	 * @throws IOException if there is none
	 */
	static List<String> checkedInGrades(List<String> backends) throws IOException {
		return gradesIn(Files.readAllLines(Repository.root().resolve(FILE)), backends);
	}

	/**
	 * Return the grades measured, in the form of those of the page.
	 */
	List<String> grades() {
		StringBuilder text = new StringBuilder();
		grades(text);
		return gradesIn(text.toString().lines().toList(), List.copyOf(this.subjects.keySet()));
	}

	private static List<String> gradesIn(List<String> lines, List<String> backends) {
		List<List<String>> table = lines.stream()
			.dropWhile((line) -> !line.startsWith("| guarantee |"))
			.takeWhile((line) -> line.startsWith("|"))
			.map((line) -> List.of(line.substring(2).split(" ?\\| ?")))
			.toList();
		List<String> grades = new ArrayList<>();
		for (List<String> cells : table.subList(2, table.size())) {
			for (String backend : backends) {
				grades.add("%s %s %s".formatted(cells.get(0), backend, cells.get(table.get(0).indexOf(backend))));
			}
		}
		return grades;
	}

	/**
	 * Return whether the page in the repository was made where the same layers are, as
	 * far as this run can tell.
	 */
	boolean isOfThisKindOfHost() throws IOException {
		for (String line : Files.readAllLines(Repository.root().resolve(FILE))) {
			if (line.startsWith(LAYERS)) {
				return Arrays.stream(line.substring(LAYERS.length(), line.length() - 1).split("; "))
					.filter((layer) -> layer.startsWith(SERVICE)
							|| this.subjects.keySet().stream().anyMatch((backend) -> layer.startsWith(backend + " ")))
					.toList()
					.equals(layersThere());
			}
		}
		return false;
	}

	/**
	 * Return what this host has of what may be lacking.
	 */
	String layers() {
		return LAYERS + String.join("; ", layersThere()) + ".";
	}

	private List<String> layersThere() {
		List<String> there = new ArrayList<>();
		there.add(SERVICE + (HostUser.current().isRoot() ? "is root" : "is not root"));
		this.subjects.forEach((backend, subject) -> {
			for (Layer layer : Layer.values()) {
				if (layer.isThere(subject.honest())) {
					there.add(backend + " with " + layer.title());
				}
			}
		});
		return there;
	}

	/**
	 * Return the marks measured, in the form of those of the page.
	 */
	List<String> marks() {
		List<String> marks = new ArrayList<>();
		for (HostileProgram row : this.rows) {
			HostileProgram.HERE
				.forEach((backend) -> marks.add("%d %s %s".formatted(row.number(), backend, mark(row, backend))));
		}
		return marks;
	}

	private String mark(HostileProgram row, String backend) {
		if (row.expected(backend) == null) {
			return "-";
		}
		Measurement measurement = this.measured.getOrDefault(row.number(), Map.of()).get(backend);
		if (measurement == null) {
			return "?";
		}
		return (measurement.mark() != null) ? measurement.mark().name() : NOT_CONTAINED;
	}

	void write() throws IOException {
		Path file = Repository.root().resolve(FILE);
		Files.createDirectories(file.getParent());
		Files.writeString(file, text());
	}

	/**
	 * Return the page as this run makes it.
	 */
	String text() {
		StringBuilder text = new StringBuilder(HEAD);
		text.append(layers()).append("\n\n");
		grades(text);
		text.append("## Rows\n\n| row | threat | bubblewrap | process | container | macOS | Windows | remote |\n");
		text.append("|---|---|---|---|---|---|---|---|\n");
		for (HostileProgram row : this.rows) {
			List<String> cells = new ArrayList<>(List.of(Integer.toString(row.number()), row.threat()));
			HostileProgram.MEASURED.forEach((backend) -> cells.add(mark(row, backend)));
			HostileProgram.BACKENDS.subList(HostileProgram.MEASURED.size(), HostileProgram.BACKENDS.size())
				.forEach((backend) -> cells.add(expected(row.says(backend))));
			text.append("| ").append(String.join(" | ", cells)).append(" |\n");
		}
		text.append(
				"\n## Evidence\n\nThe programs are in `psych-sandbox-core/src/test/resources/io/psych/sandbox/catalogue`.\n");
		this.rows.forEach((row) -> evidence(row, text));
		return text.toString();
	}

	private static String expected(String says) {
		return says.equals("-") ? "-" : "(" + says.replace(", not run yet", "") + ")";
	}

	private void grades(StringBuilder text) {
		text.append(
				"## Grades\n\nOf an honest execution on this system, as `doctor` and the health endpoint tell them.\n\n");
		text.append("| guarantee |")
			.append(this.subjects.keySet().stream().map((name) -> " " + name + " |").collect(Collectors.joining()));
		text.append("\n|---|").append("---|".repeat(this.subjects.size())).append('\n');
		for (Guarantee guarantee : Guarantee.values()) {
			text.append("| ").append(guarantee.id()).append(" |");
			for (Subject subject : this.subjects.values()) {
				Finding finding = subject.honest().finding(guarantee);
				text.append(' ').append(finding.grade().id()).append(" |");
			}
			text.append('\n');
		}
		text.append("| **level** |");
		this.subjects.values()
			.forEach((subject) -> text.append(' ').append(subject.honest().level().id()).append(" |"));
		text.append("\n\n");
	}

	private void evidence(HostileProgram row, StringBuilder text) {
		text.append("\n### %d. %s\n\n`%s`".formatted(row.number(), row.threat(), row.file()));
		row.all("says").forEach((sentence) -> text.append("  \n").append(sentence));
		text.append("\n\n");
		Map<String, List<String>> byEvidence = new LinkedHashMap<>();
		for (String backend : HostileProgram.MEASURED) {
			Measurement measurement = this.measured.getOrDefault(row.number(), Map.of()).get(backend);
			if (measurement != null) {
				List<String> lines = new ArrayList<>(measurement.evidence());
				lines.replaceAll(this.neutral);
				measurement.problems()
					.stream()
					.filter((problem) -> !problem.startsWith("known is"))
					.forEach((problem) -> lines.add(NOT_CONTAINED + " " + this.neutral.apply(problem)));
				byEvidence
					.computeIfAbsent(mark(row, backend) + "\n" + String.join("\n", lines),
							(absent) -> new ArrayList<>())
					.add(backend);
			}
		}
		byEvidence.forEach((lines, backends) -> {
			String[] parts = lines.split("\n", 2);
			text.append("- **%s** on %s\n".formatted(parts[0], String.join(" and ", backends)));
			for (String line : parts[1].split("\n")) {
				if (!line.isBlank()) {
					text.append("  - ").append(line.replace("|", "\\|").replace("*", "\\*")).append('\n');
				}
			}
		});
		if (byEvidence.isEmpty()) {
			text.append("- does not apply here\n");
		}
	}

}
