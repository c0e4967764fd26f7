package io.psych.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.psych.sandbox.backend.Backend;
import io.psych.sandbox.backend.ExecutionFolder;
import io.psych.sandbox.bootstrap.BootstrapSources;
import io.psych.sandbox.catalogue.Repository;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.run.Threads;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.HostUser;
import io.psych.sandbox.spawn.Spawner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Each enforcer is taken away in turn, and the grade of its guarantee, and no other, must
 * fall. Without this the probes themselves would be untested.
 */
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultInjectionTests {

	@TempDir
	static Path folder;

	private static final Path PAGE = Repository.root().resolve("docs/fault-injection.md");

	private static final String ALL_OF_NETWORK = "network namespace, filter of sockets and Landlock's TCP, all three";

	private static final Fault GROUP = new Fault("control group", Guarantee.MEMORY, Grade.UNVERIFIED,
			UnaryOperator.identity());

	private static final Fault TIMER = new Fault("the timer of the host", Guarantee.WALL_CLOCK, Grade.UNVERIFIED,
			UnaryOperator.identity());

	private final Map<String, Map<Guarantee, Grade>> sound = new TreeMap<>();

	/** By backend and fault. */
	private final Map<List<Object>, Future<Map<Guarantee, Grade>>> graded = new HashMap<>();

	/** Those of a command line, by backend. */
	private final Map<String, List<Fault>> faults = new TreeMap<>();

	/**
	 * A way to take an enforcer away.
	 *
	 * @param name what is taken away
	 * @param falls whose grade must fall, and to what
	 * @param edit changes the command line
	 */
	record Fault(String name, Map<Guarantee, Grade> falls, UnaryOperator<ChildCommand> edit) {

		Fault(String name, Guarantee guarantee, Grade grade, UnaryOperator<ChildCommand> edit) {
			this(name, Map.of(guarantee, grade), edit);
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

	@BeforeAll
	void gradeWithoutFault() throws IOException, InterruptedException {
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		for (String backend : List.of("bubblewrap", "process")) {
			this.sound.put(backend, soundGrades(backend));
		}
		this.faults.put("bubblewrap", bubblewrapFaults());
		this.faults.put("process", processFaults());
		gradeWithFaults();
	}

	private static Map<Guarantee, Grade> soundGrades(String backend) {
		try (Sandbox sandbox = Sandbox.builder().backend(backend).folder(folder).build()) {
			IsolationReport report = sandbox.isolation();
			// All others are compared with this one, so a proof that failed is to be
			// seen.
			assertThat(report.grade(Guarantee.CPU)).as(report.toString()).isEqualTo(Grade.ENFORCED);
			if (isBounded()) {
				assertThat(report.grade(Guarantee.MEMORY)).as(report.toString()).isEqualTo(Grade.ENFORCED);
			}
			return report.grades();
		}
	}

	/**
	 * Each takes a second of one processor for the proof of the CPU limit, so two are
	 * made at the same time; the longest first, where that limit is what is taken away.
	 */
	private void gradeWithFaults() throws InterruptedException {
		List<Object[]> all = faults().map(Arguments::get)
			.sorted(Comparator.comparing((one) -> !((Fault) one[1]).falls().containsKey(Guarantee.CPU)))
			.toList();
		ExecutorService two = Executors.newFixedThreadPool(2);
		try {
			List<Future<Map<Guarantee, Grade>>> graded = two.invokeAll(all.stream()
				.map((one) -> (Callable<Map<Guarantee, Grade>>) () -> grades((String) one[0], ((Fault) one[1]).edit()))
				.toList());
			for (int i = 0; i < graded.size(); i++) {
				this.graded.put(List.of(all.get(i)), graded.get(i));
			}
		}
		finally {
			two.shutdownNow();
		}
	}

	Stream<Arguments> faults() {
		return this.faults.entrySet()
			.stream()
			.flatMap((entry) -> entry.getValue().stream().map((fault) -> Arguments.of(entry.getKey(), fault)));
	}

	private static List<Fault> bubblewrapFaults() throws IOException {
		List<Fault> faults = new ArrayList<>(List.of(
				new Fault("the view: the canary's folder is bound into it, and opened to Landlock",
						Guarantee.FILESYSTEM, Grade.UNAVAILABLE,
						(command) -> restriction(insert(command, "--ro-bind", folder.toString(), folder.toString()),
								"\"readable\":[", "\"readable\":[\"/\",")),
				new Fault(ALL_OF_NETWORK, Guarantee.NETWORK, Grade.UNAVAILABLE,
						(command) -> openNetwork(without(command, "--unshare-net"))),
				new Fault("pid namespace", Guarantee.PROCESS_TREE, Grade.UNVERIFIED,
						(command) -> replace(without(command, "--unshare-pid"), List.of("--proc", "/proc"),
								List.of("--ro-bind", "/proc", "/proc"))),
				new Fault("dropping of capabilities", Guarantee.IDENTITY, Grade.UNAVAILABLE,
						(command) -> replace(command, List.of("--cap-drop", "ALL"), List.of("--cap-add", "ALL"))),
				new Fault("seccomp", Guarantee.IDENTITY, Grade.UNVERIFIED, FaultInjectionTests::withoutFilter),
				new Fault("the size of the file system of all files", Guarantee.FILE_SIZE, Grade.UNVERIFIED,
						FaultInjectionTests::withoutSize),
				new Fault("the environment built from nothing: a variable is handed on", Guarantee.ENVIRONMENT,
						Grade.UNAVAILABLE, FaultInjectionTests::withVariable)));
		faults.addAll(limitFaults(
				(command, script) -> insert(command, "--ro-bind", script.toString(), "/etc/psych_bootstrap.pyc")));
		return faults;
	}

	private static List<Fault> processFaults() throws IOException {
		Path withoutPidNamespace = patchedScript("psych_confine.py", "| CLONE_NEWPID |", "|");
		Path withCapabilities = patchedScript("psych_confine.py",
				"        libc(\"prctl\", PR_CAPBSET_DROP, capability, 0, 0, 0)\n", "        pass\n",
				"    libc(\"capset\", ", "    print(");
		List<Fault> faults = new ArrayList<>(List.of(
				new Fault("Landlock of files", Guarantee.FILESYSTEM, Grade.UNAVAILABLE,
						(command) -> restriction(command, "\"readable\":[", "\"readable\":[\"/\",")),
				new Fault(ALL_OF_NETWORK, Guarantee.NETWORK, Grade.UNAVAILABLE,
						(command) -> openNetwork(restriction(command, "\"network\":false", "\"network\":true"))),
				new Fault("pid namespace", Guarantee.PROCESS_TREE, Grade.UNVERIFIED,
						(command) -> withScript(command, withoutPidNamespace)),
				new Fault("dropping of capabilities", Guarantee.IDENTITY, Grade.UNAVAILABLE,
						(command) -> withScript(command, withCapabilities)),
				new Fault("seccomp", Guarantee.IDENTITY, Grade.UNVERIFIED, FaultInjectionTests::withoutFilter),
				new Fault("the file system of all files", Guarantee.FILE_SIZE, Grade.UNVERIFIED,
						(command) -> map(command,
								(argument) -> argument.replaceAll("\"workspace\":\\[\"[^\"]*\"",
										"\"workspace\":[\"/no/such/folder\""))),
				new Fault("the size of the file system of all files", Guarantee.FILE_SIZE, Grade.UNVERIFIED,
						(command) -> map(command,
								(argument) -> argument.replaceAll("(\"workspace\":\\[\"[^\"]*\"),\\d+", "$1,0"))),
				new Fault("the environment built from nothing: a variable is handed on", Guarantee.ENVIRONMENT,
						Grade.UNAVAILABLE, FaultInjectionTests::withVariable)));
		if (HostUser.current().isRoot()) {
			Path withGroup = patchedScript("psych_confine.py", "        posix.setresgid(gid, gid, gid)\n", "");
			faults.add(new Fault("the other group: it stays root's", Guarantee.IDENTITY, Grade.UNAVAILABLE,
					(command) -> withScript(command, withGroup)));
			// The kernel's limit of processes does not bind root.
			faults.add(new Fault("the other user: it stays root",
					Map.of(Guarantee.IDENTITY, Grade.UNAVAILABLE, Guarantee.PROCESS_COUNT, Grade.UNAVAILABLE),
					(command) -> map(command, (argument) -> argument.replaceAll("\"([ug]id)\":\\d+", "\"$1\":-1"))));
		}
		faults.addAll(limitFaults(FaultInjectionTests::withScript));
		return faults;
	}

	/**
	 * The limits are set by one line of the child's script, which is left out for one of
	 * them.
	 */
	private static List<Fault> limitFaults(Replacement replacement) throws IOException {
		List<Fault> faults = new ArrayList<>();
		Map<String, Guarantee> limits = Map.of("RLIMIT_FSIZE", Guarantee.FILE_SIZE, "RLIMIT_AS", Guarantee.MEMORY,
				"RLIMIT_NPROC", Guarantee.PROCESS_COUNT, "RLIMIT_CPU", Guarantee.CPU);
		for (Map.Entry<String, Guarantee> limit : limits.entrySet()) {
			Path script = scriptWithout(limit.getKey());
			faults.add(new Fault("`" + limit.getKey() + "`", limit.getValue(),
					(limit.getValue() == Guarantee.CPU) ? Grade.UNVERIFIED : Grade.UNAVAILABLE,
					(command) -> replacement.in(command, script)));
		}
		return faults;
	}

	/**
	 * Puts another script into a command line.
	 */
	private interface Replacement {

		ChildCommand in(ChildCommand command, Path script);

	}

	private static Path scriptWithout(String limit) throws IOException {
		return patchedScript("psych_probe.py", "    resource.setrlimit(kind, limits)\n",
				"    if kind != resource." + limit + ":\n        resource.setrlimit(kind, limits)\n");
	}

	/**
	 * Return the child's script with changes to one of its modules: each text, and what
	 * takes its place.
	 */
	private static Path patchedScript(String module, String... changes) throws IOException {
		Path sources = Files.createTempDirectory(folder, "script-");
		Path script = sources.resolve("psych_bootstrap.pyc");
		BootstrapSources.copyTo(sources);
		Path source = sources.resolve(module);
		String text = Files.readString(source);
		for (int i = 0; i < changes.length; i += 2) {
			assertThat(text).containsOnlyOnce(changes[i]);
			text = text.replace(changes[i], changes[i + 1]);
		}
		Files.writeString(source, text);
		Process bundler = new ProcessBuilder("/usr/bin/python3", "-I", "-S", "-B",
				sources.resolve(BootstrapSources.BUNDLER).toString(), sources.toString(), script.toString())
			.redirectErrorStream(true)
			.start();
		assertThat(bundler.onExit().orTimeout(20, TimeUnit.SECONDS).join().exitValue()).isZero();
		Files.setPosixFilePermissions(sources, PosixFilePermissions.fromString("rwxr-xr-x"));
		return script;
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource("faults")
	void gradeOfTheGuaranteeFallsAndNoOther(String backend, Fault fault) throws Exception {
		assertThat(this.graded.get(List.of(backend, fault)).get()).isEqualTo(fallen(backend, fault));
	}

	private Map<Guarantee, Grade> fallen(String backend, Fault fault) {
		Map<Guarantee, Grade> expected = new EnumMap<>(this.sound.get(backend));
		fault.falls()
			.forEach((guarantee, grade) -> assertThat(expected.put(guarantee, grade)).as(guarantee.id())
				.isLessThan(grade));
		return expected;
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void gradeOfWallClockFallsWithoutATimerAndNoOther(String backend) {
		SandboxBuilder builder = Sandbox.builder()
			.backend(backend)
			.folder(folder)
			.threads(() -> new Threads(new StoppedTimer()));
		assertThat(grades(builder)).isEqualTo(fallen(backend, TIMER));
	}

	private static boolean isBounded() {
		try {
			return AbstractSandboxTests.hasControlGroups();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Map<Guarantee, Grade> grades(String backend, UnaryOperator<ChildCommand> edit) {
		return grades(
				Sandbox.builder().backend(backend).folder(folder).backendDecorator((sound) -> new Faulty(sound, edit)));
	}

	private static Map<Guarantee, Grade> grades(SandboxBuilder builder) {
		try (Sandbox sandbox = builder.build()) {
			return sandbox.isolation().grades();
		}
		catch (NoUsableBackendException ex) {
			// A fault that leaves less than a contained process: nothing is ever sent
			// then, and the slow proofs are not made.
			IsolationReport report = ex.selection().candidates().get(0).report();
			assertThat(report).as(ex.getMessage()).isNotNull();
			Map<Guarantee, Grade> grades = new EnumMap<>(report.grades());
			grades.put(Guarantee.CPU, Grade.ENFORCED);
			if (grades.get(Guarantee.MEMORY) != Grade.UNAVAILABLE && isBounded()) {
				grades.put(Guarantee.MEMORY, Grade.ENFORCED);
			}
			return grades;
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	@EnabledIf("io.psych.sandbox.AbstractSandboxTests#hasControlGroups")
	void gradeOfMemoryFallsWithoutAControlGroupAndNoOther(String backend) {
		assertThat(grades(Sandbox.builder().backend(backend).folder(folder).withoutControlGroups()))
			.isEqualTo(fallen(backend, GROUP));
	}

	@Test
	void everyGradeFallsOnEveryBackend() {
		this.sound.keySet()
			.forEach((backend) -> assertThat(allFaults(backend)).as(backend)
				.flatExtracting((fault) -> fault.falls().keySet())
				.contains(Guarantee.values()));
	}

	@Test
	void thePageTellsEveryFault() throws IOException {
		assumeTrue(
				HostUser.current().isRoot() && isBounded()
						&& this.sound.get("process").get(Guarantee.FILESYSTEM) == Grade.UNVERIFIED,
				"the page is of a host that is root and has control groups and Landlock");
		List<String> rows = new ArrayList<>();
		this.sound.forEach((backend,
				grades) -> allFaults(backend).forEach((fault) -> fault.falls()
					.forEach((guarantee, grade) -> rows.add("| `%s` | %s | %s | %s | %s |".formatted(backend, fault,
							guarantee.id(), grades.get(guarantee).id(), grade.id())))));
		assertThat(Files.readAllLines(PAGE)).filteredOn((line) -> line.startsWith("| `"))
			.containsExactlyInAnyOrderElementsOf(rows);
	}

	private List<Fault> allFaults(String backend) {
		List<Fault> all = new ArrayList<>(this.faults.get(backend));
		all.addAll(List.of(GROUP, TIMER));
		return all;
	}

	static Backend withoutSeccomp(Backend sound) {
		return new Faulty(sound, FaultInjectionTests::withoutFilter);
	}

	static Backend withoutNamespaces(Backend sound) {
		return new Faulty(sound, (command) -> restriction(command, "\"namespaces\":true", "\"namespaces\":false"));
	}

	private static ChildCommand withScript(ChildCommand command, Path script) {
		return map(command, (argument) -> argument.endsWith("/psych_bootstrap.pyc") ? script.toString() : argument);
	}

	private static ChildCommand openNetwork(ChildCommand command) {
		return restriction(restriction(command, "psych.bpf", "psych_network.bpf"), "\"network\":false",
				"\"network\":true");
	}

	private static ChildCommand withoutFilter(ChildCommand command) {
		return map(command, (argument) -> argument.replaceAll("\"filter\":\"[^\"]*\"", "\"filter\":null"));
	}

	/** Without one a tmpfs takes half of the machine's memory. */
	private static ChildCommand withoutSize(ChildCommand command) {
		List<String> arguments = new ArrayList<>(command.arguments());
		int at = Collections.indexOfSubList(arguments, List.of("--tmpfs", "/tmp"));
		assertThat(arguments.subList(at - 2, at)).startsWith("--size");
		arguments.subList(at - 2, at).clear();
		return with(command, arguments);
	}

	private static ChildCommand withVariable(ChildCommand command) {
		Map<String, String> environment = new HashMap<>(command.environment());
		environment.put("AWS_SECRET_ACCESS_KEY", "x");
		return command.with(command.arguments(), environment);
	}

	private static ChildCommand restriction(ChildCommand command, String text, String replacement) {
		return map(command, (argument) -> argument.replace(text, replacement));
	}

	private static ChildCommand without(ChildCommand command, String option) {
		List<String> arguments = new ArrayList<>(command.arguments());
		assertThat(arguments.remove(option)).isTrue();
		return with(command, arguments);
	}

	/** Insert options behind those that make the view. */
	private static ChildCommand insert(ChildCommand command, String... options) {
		List<String> arguments = new ArrayList<>(command.arguments());
		arguments.addAll(arguments.indexOf("--remount-ro"), List.of(options));
		return with(command, arguments);
	}

	private static ChildCommand replace(ChildCommand command, List<String> options, List<String> replacement) {
		List<String> arguments = new ArrayList<>(command.arguments());
		int at = Collections.indexOfSubList(arguments, options);
		arguments.subList(at, at + options.size()).clear();
		arguments.addAll(at, replacement);
		return with(command, arguments);
	}

	private static ChildCommand map(ChildCommand command, UnaryOperator<String> edit) {
		return with(command, command.arguments().stream().map(edit).toList());
	}

	private static ChildCommand with(ChildCommand command, List<String> arguments) {
		return command.with(arguments, command.environment());
	}

	/**
	 * Never tells that time is up.
	 */
	private static final class StoppedTimer extends ScheduledThreadPoolExecutor {

		StoppedTimer() {
			super(1);
		}

		@Override
		public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
			return super.schedule(() -> {
			}, delay, unit);
		}

	}

	/**
	 * A backend whose command lines are changed.
	 *
	 * @param sound the backend
	 * @param edit the change
	 */
	private record Faulty(Backend sound, UnaryOperator<ChildCommand> edit) implements Backend {

		@Override
		public String name() {
			return this.sound.name();
		}

		@Override
		public boolean hasOwnView() {
			return this.sound.hasOwnView();
		}

		@Override
		public boolean needsFolder() {
			return this.sound.needsFolder();
		}

		@Override
		public Path workspace(ExecutionFolder folder) {
			return this.sound.workspace(folder);
		}

		@Override
		public ChildCommand command(ExecutionFolder folder, Limits limits, boolean network) throws IOException {
			return this.edit.apply(this.sound.command(folder, limits, network));
		}

		@Override
		public ChildProcess start(ChildCommand command, ExecutionFolder folder, Spawner spawner)
				throws IOException, InterruptedException {
			return this.sound.start(command, folder, spawner);
		}

		@Override
		public boolean isBounding() {
			return this.sound.isBounding();
		}

		@Override
		public void release() {
			this.sound.release();
		}

	}

}
