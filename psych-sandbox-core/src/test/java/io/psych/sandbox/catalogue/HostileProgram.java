package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Guarantee;
import org.jspecify.annotations.Nullable;

/**
 * One row of the catalogue: a file whose head says what it threatens and what each
 * backend must make of it, and whose body is a program in one or several variants.
 *
 * @param number the row
 * @param file the name of its file
 * @param head what its head says, by key; a key may be there several times
 * @param variants its programs, in order; a host-side fault that no program brings about
 * has none
 */
record HostileProgram(int number, String file, Map<String, List<String>> head, List<Variant> variants) {

	/** The columns of the catalogue. */
	static final List<String> BACKENDS = List.of("bubblewrap", "process", "container", "macos", "windows", "remote");

	/** The columns that are measured, though not all by the same run. */
	static final List<String> MEASURED = BACKENDS.subList(0, 3);

	/**
	 * Those that this run measures: all but the containers, which take an engine and
	 * minutes, unless it is told which.
	 */
	static final List<String> HERE = List
		.of(System.getProperty("psych.containment.backends", "bubblewrap,process").split(","));

	/** What a head may say. */
	private static final Set<String> KEYS = Set.of("row", "threat", "bubblewrap", "process", "macos", "windows",
			"container", "remote", "guarantee", "layer", "limit", "sandbox", "scenario", "expect", "unclaimed",
			"control", "control-user", "source", "cleaned", "says");

	/**
	 * One program of a row.
	 *
	 * @param name its name, empty when it is the only one
	 * @param role whether it runs in a sandbox, beside the others, or only unconfined
	 * @param body its text, without the prelude
	 * @param whole whether that is all of it
	 * @param limits limits of its execution, such as {@code cpu 1s}
	 * @param expectations what must be true of its execution
	 * @param unclaimed what is not said to be true of it: where the threat model names
	 * something that nothing defends
	 * @param controls what must be true of the same text when it runs unconfined
	 * @param asHost whether it then runs as the user of this JVM
	 */
	record Variant(String name, Role role, String body, boolean whole, List<String> limits,
			List<Expectation> expectations, List<Expectation> unclaimed, List<Expectation> controls, boolean asHost) {

	}

	/**
	 * What becomes of a variant.
	 */
	enum Role {

		/** Runs in a sandbox, and unconfined where its head has a control. */
		PROGRAM,

		/** Runs in the same sandbox at the same time as each program of its row. */
		BESIDE,

		/** Only runs unconfined. */
		CONTROL,

		/** Is run by the scenario of its row. */
		SCENARIO

	}

	/**
	 * Return all rows there are.
	 * @return the rows, by their number
	 */
	static Map<Integer, HostileProgram> all() {
		Map<Integer, HostileProgram> rows = new TreeMap<>();
		try (DirectoryStream<Path> files = Files.newDirectoryStream(folder(), "[0-9][0-9]-*.py")) {
			for (Path file : files) {
				HostileProgram row = parse(file);
				HostileProgram other = rows.put(row.number, row);
				if (other != null) {
					throw new IllegalStateException(other.file + " and " + row.file + " are both row " + row.number);
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return rows;
	}

	static Path folder() {
		return Repository.root().resolve("psych-sandbox-core/src/test/resources/io/psych/sandbox/catalogue");
	}

	static HostileProgram parse(Path file) throws IOException {
		List<String> lines = Files.readString(file, StandardCharsets.UTF_8).lines().toList();
		int end = 0;
		while (end < lines.size() && lines.get(end).startsWith("#")) {
			end++;
		}
		Map<String, List<String>> head = head(file, lines.subList(0, end));
		String name = file.getFileName().toString();
		HostileProgram row = new HostileProgram(Integer.parseInt(name.substring(0, 2)), name, head,
				variants(file, head, lines.subList(end, lines.size())));
		if (!row.one("row").equals(Integer.toString(row.number))) {
			throw new IllegalArgumentException(name + " says it is row " + row.one("row"));
		}
		return row;
	}

	private static Map<String, List<String>> head(Path file, List<String> lines) {
		Map<String, List<String>> head = new LinkedHashMap<>();
		for (String line : lines) {
			String[] parts = line.substring(1).strip().split(": ", 2);
			if (parts.length != 2 || !KEYS.contains(parts[0])) {
				throw new IllegalArgumentException(file.getFileName() + ": '" + line + "' is no line of a head");
			}
			head.computeIfAbsent(parts[0], (absent) -> new ArrayList<>()).add(parts[1].strip());
		}
		return head;
	}

	private static List<Variant> variants(Path file, Map<String, List<String>> head, List<String> body) {
		List<String> common = new ArrayList<>();
		List<Variant> variants = new ArrayList<>();
		int next = 0;
		while (next < body.size() && !body.get(next).startsWith("# variant: ")) {
			common.add(body.get(next++));
		}
		if (next == body.size()) {
			boolean nothing = String.join("", common).isBlank();
			Role role = head.containsKey("scenario") ? Role.SCENARIO : Role.PROGRAM;
			return nothing ? List.of() : List.of(variant("", role, common, head, Map.of()));
		}
		while (next < body.size()) {
			String title = body.get(next++).substring("# variant: ".length()).strip();
			Role role = Role.PROGRAM;
			for (Role other : Role.values()) {
				String suffix = " (" + other.name().toLowerCase(Locale.ROOT) + ")";
				if (title.endsWith(suffix)) {
					role = other;
					title = title.substring(0, title.length() - suffix.length());
				}
			}
			int begin = next;
			while (next < body.size() && body.get(next).startsWith("# ")) {
				next++;
			}
			Map<String, List<String>> own = head(file, body.subList(begin, next));
			List<String> text = new ArrayList<>(common);
			while (next < body.size() && !body.get(next).startsWith("# variant: ")) {
				text.add(body.get(next++));
			}
			List<String> source = own.get("source");
			variants.add(variant(title, role, (source != null) ? List.of(source(source)) : text, head, own));
		}
		return variants;
	}

	private static Variant variant(String name, Role role, List<String> text, Map<String, List<String>> head,
			Map<String, List<String>> own) {
		boolean whole = own.containsKey("source");
		// The head of a row with a scenario judges the scenario.
		boolean judged = role == Role.PROGRAM && !head.containsKey("scenario");
		Map<String, List<String>> shared = judged ? head : Map.of();
		return new Variant(name, role, String.join("\n", text) + (whole ? "" : "\n"), whole, both("limit", head, own),
				both("expect", shared, own).stream().map(Expectation::parse).toList(),
				both("unclaimed", shared, own).stream().map(Expectation::parse).toList(),
				both("control", shared, own).stream().map(Expectation::parse).toList(),
				both("control-user", head, own).contains("host"));
	}

	/**
	 * A text that no file can hold, or none should: strings of JSON, some of them
	 * repeated.
	 */
	private static String source(List<String> parts) {
		StringBuilder text = new StringBuilder();
		for (String part : parts) {
			String[] factors = part.split(" x (?=\\d+$)");
			// JSON has no half pairs of surrogates, but a program's text may have.
			String piece = String.valueOf(JsonValue.parse(factors[0].replace("\\ud800", "\\ue000")).toJava())
				.replace('\ue000', '\ud800');
			text.append(piece.repeat((factors.length > 1) ? Integer.parseInt(factors[1]) : 1));
		}
		return text.toString();
	}

	private static List<String> both(String key, Map<String, List<String>> head, Map<String, List<String>> own) {
		List<String> both = new ArrayList<>(head.getOrDefault(key, List.of()));
		both.addAll(own.getOrDefault(key, List.of()));
		return both;
	}

	String threat() {
		return one("threat");
	}

	/**
	 * Return the mark the head expects.
	 * @param backend the backend
	 * @return the mark, or {@code null} when the row does not apply to it
	 */
	@Nullable Mark expected(String backend) {
		String mark = one(backend).split("[ ,]")[0];
		return mark.equals("-") ? null : Mark.valueOf(mark);
	}

	/**
	 * Return what the head says of a backend: a mark, and words.
	 * @param backend the backend
	 * @return the text
	 */
	String says(String backend) {
		return one(backend);
	}

	List<Guarantee> guarantees() {
		return all("guarantee").stream()
			.map((id) -> Guarantee.valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_')))
			.toList();
	}

	@Nullable String first(String key) {
		List<String> values = all(key);
		return values.isEmpty() ? null : values.get(0);
	}

	List<String> all(String key) {
		return this.head.getOrDefault(key, List.of());
	}

	private String one(String key) {
		List<String> values = all(key);
		if (values.size() != 1) {
			throw new IllegalArgumentException(this.file + " must say '" + key + "' once");
		}
		return values.get(0);
	}

	/**
	 * Return the programs of a role.
	 */
	List<Variant> variants(Role role) {
		return this.variants.stream().filter((variant) -> variant.role == role).toList();
	}

	/**
	 * Return whether a control of it runs as root.
	 */
	boolean needsRoot() {
		return this.variants.stream().anyMatch(Variant::asHost) || all("scenario").contains("shown-setuid");
	}

	/**
	 * Return what must be true of its scenario.
	 */
	List<Expectation> expectations() {
		return all("expect").stream().map(Expectation::parse).toList();
	}

	/**
	 * Return the text of a variant as it is run: the prelude, what the host gives it, and
	 * its body.
	 * @param variant the variant
	 * @param host what it is given
	 * @return the text
	 */
	static String text(Variant variant, JsonValue host) {
		if (variant.whole) {
			return variant.body;
		}
		try {
			String prelude = Files.readString(folder().resolve("prelude.py"));
			// What the host gives has no true, false or null, without which JSON is
			// Python.
			return prelude.replace("host = {}\n", "host = " + host.toJson() + "\n") + variant.body;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public String toString() {
		return this.file;
	}

}
