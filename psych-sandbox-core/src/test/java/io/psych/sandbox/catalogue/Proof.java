package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import com.sun.management.OperatingSystemMXBean;
import io.psych.sandbox.Containers;
import io.psych.sandbox.catalogue.HostileProgram.Role;
import io.psych.sandbox.catalogue.HostileProgram.Variant;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.spawn.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * Runs a row on a backend and judges what came of it. Whatever the row, after each of its
 * programs the host must be as it was: its listeners unreached, its files unchanged, its
 * processes alive, no process or file of the program left, the JVM's heap, threads,
 * descriptors, children and folders back to the baseline, the log without a control
 * character, and the execution graded as an honest one is.
 */
final class Proof implements AutoCloseable {

	private static final int PATIENCE_SECONDS = 60;

	private final Path folder;

	private final HostControls host;

	private final Unconfined unconfined;

	private final Map<String, Subject> subjects = new LinkedHashMap<>();

	private final Scenarios scenarios;

	private final LogWatch log = new LogWatch();

	Proof(Path folder) throws IOException {
		this.folder = folder;
		this.unconfined = new Unconfined(folder.resolve("unconfined"));
		this.host = new HostControls(folder.resolve("host"), this.unconfined);
		for (String backend : HostileProgram.HERE) {
			this.subjects.put(backend, new Subject(backend, folder.resolve(backend), this.unconfined.runAs()));
		}
		this.scenarios = new Scenarios(this.host, this.unconfined, this.subjects,
				Files.createDirectory(folder.resolve("work")));
	}

	/**
	 * What was found on the way.
	 */
	private static final class Findings {

		/** What the head names, kept apart by variant. */
		private final List<String> evidence = new ArrayList<>();

		/** The program achieved something. */
		private final List<String> problems = new ArrayList<>();

		/** The program achieved what nobody says it can't. */
		private final List<String> unclaimed = new ArrayList<>();

		/** Nothing was proved, or the host was harmed: no grade excuses that. */
		private final List<String> faults = new ArrayList<>();

		void check(String title, List<Expectation> expectations, JsonValue facts, List<String> failed) {
			List<String> parts = new ArrayList<>();
			int before = failed.size() + this.faults.size();
			for (Expectation expectation : expectations) {
				// A program that told nothing has proved nothing.
				List<String> target = expectation.isMissing(facts) ? this.faults : failed;
				expectation.problems(facts).forEach((problem) -> target.add(title + problem));
				parts.add(expectation.evidence(facts));
			}
			if (failed.size() + this.faults.size() > before) {
				failed.add("known is: " + shortened(facts));
			}
			if (!parts.isEmpty()) {
				this.evidence.add(title + String.join("; ", parts));
			}
		}

		void tellNotContained(List<String> failed) {
			failed.stream()
				.filter((problem) -> !problem.startsWith("known is"))
				.forEach((problem) -> this.evidence.add("not contained: " + problem));
		}

		private static String shortened(JsonValue facts) {
			Map<String, @Nullable Object> members = new LinkedHashMap<>(facts.members());
			members.remove("isolation");
			String text = JsonValue.of(members).toJson();
			return (text.length() <= 3000) ? text
					: text.substring(0, 1500) + " … " + text.substring(text.length() - 1500);
		}

	}

	Measurement measure(HostileProgram row, String backend) throws IOException, InterruptedException {
		Subject subject = this.subjects.get(backend);
		String token = "psh" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 10);
		Findings findings = new Findings();
		this.log.clear();
		JvmBaseline baseline = JvmBaseline.of(subject.folder());
		String scenario = row.first("scenario");
		if (scenario != null) {
			watched(token, findings, () -> {
				JsonValue facts = this.scenarios.run(scenario, subject, row, token);
				this.host.cleanUp(token);
				findings.check("", expectations(row.expectations(), backend), facts, findings.problems);
			});
		}
		for (Variant variant : row.variants()) {
			measure(row, variant, subject, token, findings);
		}
		findings.faults.addAll(baseline.problems(subject.folder()));
		if (subject.isContainer()) {
			findings.faults.addAll(containersLeft(subject.folder()));
		}
		findings.faults.addAll(this.log.problems());
		return judge(row, subject, findings);
	}

	/** What the engine keeps goes a moment after the answer. */
	private static List<String> containersLeft(Path folder) {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
		List<String> left = Containers.in(folder, "--all");
		while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
			left = Containers.in(folder, "--all");
		}
		return left.stream().map((id) -> "container " + id + " is left").toList();
	}

	private void measure(HostileProgram row, Variant variant, Subject subject, String token, Findings findings)
			throws IOException, InterruptedException {
		String title = variant.name().isEmpty() ? "" : variant.name() + ": ";
		if (variant.role() == Role.PROGRAM) {
			watched(token, findings, () -> {
				long cpu = cpuTime();
				RunResult result = runBeside(row, variant, subject, token, findings);
				JsonValue json = result.toJson();
				JsonValue facts = with(with(json, "hostCpuMillis", (cpuTime() - cpu) / 1_000_000), "resultBytes",
						json.toUtf8().length);
				findings.check(title, expectations(variant.expectations(), subject.backend()), facts,
						findings.problems);
				findings.check(title, expectations(variant.unclaimed(), subject.backend()), facts, findings.unclaimed);
				if (!result.isolation().grades().equals(subject.honest().grades())) {
					findings.problems
						.add(title + "the grades are not those of an honest execution: " + result.isolation());
				}
			});
		}
		if (!variant.controls().isEmpty()) {
			JsonValue facts = with(
					this.unconfined.run(HostileProgram.text(variant, this.host.tell(token, true)), variant.asHost()),
					"left", Processes.with(token).size());
			findings.check(title + "unconfined, ", expectations(variant.controls(), subject.backend()), facts,
					findings.faults);
			this.host.cleanUp(token);
		}
	}

	private static JsonValue with(JsonValue facts, String name, @Nullable Object value) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>(facts.members());
		members.put(name, value);
		return JsonValue.of(members);
	}

	/** Return the CPU time this JVM has taken, in nanoseconds. */
	private static long cpuTime() {
		return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
	}

	/** What is said of one backend takes the place of the same said of all. */
	private static List<Expectation> expectations(List<Expectation> all, String backend) {
		return all.stream()
			.filter((expectation) -> expectation.holdsFor(backend) && (expectation.backend() != null || all.stream()
				.noneMatch((other) -> other.backend() != null && other.holdsFor(backend)
						&& other.path().equals(expectation.path()) && other.operator() == expectation.operator())))
			.toList();
	}

	/**
	 * Something that may throw what a test may.
	 */
	private interface Action {

		void run() throws IOException, InterruptedException;

	}

	/** Run something and note what it changed of the host. */
	private void watched(String token, Findings findings, Action action) throws IOException, InterruptedException {
		HostControls.State state = this.host.state();
		action.run();
		findings.problems.addAll(this.host.changes(state, token));
	}

	/** Run a program, with the one beside it where its row has one. */
	private RunResult runBeside(HostileProgram row, Variant variant, Subject subject, String token, Findings findings)
			throws InterruptedException {
		Variant beside = row.variants(Role.BESIDE).stream().findFirst().orElse(null);
		String text = HostileProgram.text(variant, this.host.tell(token, false));
		if (beside == null) {
			return subject.run(text, Subject.limits(variant));
		}
		CatalogueTools.Meeting meeting = subject.tools().newMeeting();
		CompletableFuture<RunResult> other = CompletableFuture.supplyAsync(() -> {
			try {
				return subject.run(HostileProgram.text(beside, this.host.tell(token, false)), Subject.limits(beside));
			}
			finally {
				meeting.end();
			}
		});
		if (!meeting.awaitArrival(PATIENCE_SECONDS)) {
			findings.faults.add("the program beside did not arrive");
		}
		RunResult result = subject.run(text, Subject.limits(variant));
		meeting.release();
		findings.check("beside: ", expectations(beside.expectations(), subject.backend()), settled(other).toJson(),
				findings.problems);
		return result;
	}

	private static RunResult settled(CompletableFuture<RunResult> other) throws InterruptedException {
		try {
			return other.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("the program beside did not end", ex);
		}
	}

	private Measurement judge(HostileProgram row, Subject subject, Findings findings) {
		Mark expected = row.expected(subject.backend());
		List<Guarantee> lower = row.guarantees().stream().filter((one) -> !subject.isEnforced(one)).toList();
		for (Guarantee guarantee : lower) {
			findings.evidence.add("graded: %s %s".formatted(guarantee.id(), subject.honest().grade(guarantee).id()));
			if (!subject.refuses(guarantee)) {
				findings.faults.add("a caller that requires " + guarantee.id() + " is not refused");
			}
		}
		Mark mark = mark(row, subject, findings, lower, expected);
		List<String> problems = new ArrayList<>(findings.faults);
		if (mark == null) {
			problems.addAll(findings.problems);
		}
		else if (expected != null && mark.isWeakerThan(expected)) {
			problems.add("the mark measured is %s, weaker than %s".formatted(mark, expected));
			problems.addAll(findings.problems);
		}
		return new Measurement(problems.isEmpty() ? mark : null, findings.evidence, problems);
	}

	private static @Nullable Mark mark(HostileProgram row, Subject subject, Findings findings, List<Guarantee> lower,
			@Nullable Mark expected) {
		if (findings.problems.isEmpty()) {
			if (row.all("cleaned").contains(subject.backend())) {
				return Mark.B;
			}
			if (!findings.unclaimed.isEmpty()) {
				findings.tellNotContained(findings.unclaimed);
				return Mark.O;
			}
			return lower.isEmpty() ? Mark.E : (expected == Mark.B) ? Mark.B : Mark.O;
		}
		List<Layer> layers = row.all("layer").stream().map(Layer::valueOf).toList();
		boolean without = !layers.isEmpty() && layers.stream().noneMatch((layer) -> layer.isThere(subject.honest()));
		if (without && (!lower.isEmpty() || row.guarantees().isEmpty())) {
			findings.tellNotContained(findings.problems);
			return Mark.O;
		}
		return null;
	}

	Map<String, Subject> subjects() {
		return this.subjects;
	}

	/**
	 * Return a text without what belongs to this run or this machine alone: process
	 * numbers in paths, the users made for the suite, its folder and the repository's.
	 * @param text the text
	 * @return the text for the page
	 */
	String neutral(String text) {
		String neutral = text.replaceAll("/proc/\\d+", "/proc/PID")
			.replace(this.folder.toString(), "FOLDER")
			.replace(Repository.root().toString(), "REPOSITORY");
		for (HostUser user : this.unconfined.users()) {
			neutral = neutral.replaceAll("\\b" + user.uid() + "\\b", "its own");
		}
		return neutral;
	}

	@Override
	public void close() throws IOException {
		for (Subject subject : this.subjects.values()) {
			subject.close();
		}
		this.host.close();
		this.log.close();
	}

}
