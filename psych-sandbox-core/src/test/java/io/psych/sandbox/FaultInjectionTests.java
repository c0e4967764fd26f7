package io.psych.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.psych.sandbox.backend.Backend;
import io.psych.sandbox.backend.ExecutionFolder;
import io.psych.sandbox.bootstrap.BootstrapSources;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChildCommand;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each enforcer is taken away in turn, and the grade of its guarantee, and no other, must
 * fall. Without this the probes themselves would be untested.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultInjectionTests {

	@TempDir
	static Path folder;

	private final Map<String, Map<Guarantee, Grade>> sound = new HashMap<>();

	/**
	 * A way to take an enforcer away.
	 *
	 * @param name what is taken away
	 * @param guarantee whose grade must fall
	 * @param grade what it must fall to
	 * @param edit changes the command line
	 */
	record Fault(String name, Guarantee guarantee, Grade grade, UnaryOperator<ChildCommand> edit) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	@BeforeAll
	void gradeWithoutFault() throws IOException {
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		for (String backend : List.of("bubblewrap", "process")) {
			this.sound.put(backend, grades(backend, UnaryOperator.identity()));
		}
	}

	static Stream<Arguments> faults() throws Exception {
		List<Arguments> faults = new ArrayList<>();
		for (Fault fault : bubblewrapFaults()) {
			faults.add(Arguments.of("bubblewrap", fault));
		}
		for (Fault fault : processFaults()) {
			faults.add(Arguments.of("process", fault));
		}
		return faults.stream();
	}

	private static List<Fault> bubblewrapFaults() throws Exception {
		List<Fault> faults = new ArrayList<>(List.of(
				new Fault("no view of its own", Guarantee.FILESYSTEM, Grade.UNAVAILABLE,
						(command) -> restriction(insert(command, "--ro-bind", folder.toString(), folder.toString()),
								"\"readable\":[", "\"readable\":[\"/\",")),
				new Fault("no network namespace, no filter of sockets, no Landlock of TCP", Guarantee.NETWORK,
						Grade.UNAVAILABLE, (command) -> openNetwork(without(command, "--unshare-net"))),
				new Fault("no pid namespace", Guarantee.PROCESS_TREE, Grade.UNVERIFIED,
						(command) -> replace(without(command, "--unshare-pid"), List.of("--proc", "/proc"),
								List.of("--ro-bind", "/proc", "/proc"))),
				new Fault("capabilities kept", Guarantee.IDENTITY, Grade.UNAVAILABLE,
						(command) -> replace(command, List.of("--cap-drop", "ALL"), List.of("--cap-add", "ALL"))),
				new Fault("no seccomp", Guarantee.IDENTITY, Grade.UNVERIFIED, FaultInjectionTests::withoutFilter),
				new Fault("a variable handed on", Guarantee.ENVIRONMENT, Grade.UNAVAILABLE,
						FaultInjectionTests::withVariable)));
		faults.addAll(limitFaults(
				(command, script) -> insert(command, "--ro-bind", script.toString(), "/etc/psych_bootstrap.pyc")));
		return faults;
	}

	private static List<Fault> processFaults() throws Exception {
		List<Fault> faults = new ArrayList<>(List.of(
				new Fault("no Landlock", Guarantee.FILESYSTEM, Grade.UNAVAILABLE,
						(command) -> restriction(command, "\"readable\":[", "\"readable\":[\"/\",")),
				new Fault("no network namespace, no filter of sockets, no Landlock of TCP", Guarantee.NETWORK,
						Grade.UNAVAILABLE,
						(command) -> openNetwork(restriction(command, "\"network\":false", "\"network\":true"))),
				new Fault("no seccomp", Guarantee.IDENTITY, Grade.UNVERIFIED, FaultInjectionTests::withoutFilter),
				new Fault("a variable handed on", Guarantee.ENVIRONMENT, Grade.UNAVAILABLE,
						FaultInjectionTests::withVariable)));
		faults.addAll(limitFaults((command, script) -> map(command,
				(argument) -> argument.endsWith("/psych_bootstrap.pyc") ? script.toString() : argument)));
		return faults;
	}

	/**
	 * The limits are set by one line of the child's script, which is left out for one of
	 * them.
	 */
	private static List<Fault> limitFaults(Replacement replacement) throws Exception {
		List<Fault> faults = new ArrayList<>();
		Map<String, Guarantee> limits = Map.of("RLIMIT_FSIZE", Guarantee.FILE_SIZE, "RLIMIT_AS", Guarantee.MEMORY,
				"RLIMIT_NPROC", Guarantee.PROCESS_COUNT, "RLIMIT_CPU", Guarantee.CPU);
		for (Map.Entry<String, Guarantee> limit : limits.entrySet()) {
			Path script = scriptWithout(limit.getKey());
			faults.add(new Fault("no " + limit.getKey(), limit.getValue(),
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

	private static Path scriptWithout(String limit) throws Exception {
		Path sources = Files.createTempDirectory(Path.of("/tmp"), "psych-fault-");
		Path script = sources.resolve("psych_bootstrap.pyc");
		BootstrapSources.copyTo(sources);
		Path probe = sources.resolve("psych_probe.py");
		String text = Files.readString(probe);
		String faulty = text.replace("    resource.setrlimit(kind, limits)\n",
				"    if kind != resource." + limit + ":\n        resource.setrlimit(kind, limits)\n");
		assertThat(faulty).isNotEqualTo(text);
		Files.writeString(probe, faulty);
		Process bundler = new ProcessBuilder("/usr/bin/python3", "-I", "-S", "-B",
				sources.resolve(BootstrapSources.BUNDLER).toString(), sources.toString(), script.toString())
			.redirectErrorStream(true)
			.start();
		assertThat(bundler.waitFor(20, TimeUnit.SECONDS)).isTrue();
		assertThat(bundler.exitValue()).isZero();
		Files.setPosixFilePermissions(sources, PosixFilePermissions.fromString("rwxr-xr-x"));
		return script;
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource("faults")
	void gradeOfTheGuaranteeFallsAndNoOther(String backend, Fault fault) {
		Map<Guarantee, Grade> expected = new EnumMap<>(this.sound.get(backend));
		assertThat(expected.get(fault.guarantee())).isNotEqualTo(fault.grade());
		expected.put(fault.guarantee(), fault.grade());
		assertThat(grades(backend, fault.edit())).isEqualTo(expected);
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
		try (Sandbox sandbox = Sandbox.builder()
			.backend(backend)
			.folder(folder)
			.backendDecorator((sound) -> new Faulty(sound, edit))
			.build()) {
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
		Map<Guarantee, Grade> expected = new EnumMap<>(this.sound.get(backend));
		assertThat(expected.put(Guarantee.MEMORY, Grade.UNVERIFIED)).isEqualTo(Grade.ENFORCED);
		try (Sandbox sandbox = Sandbox.builder().backend(backend).folder(folder).withoutControlGroups().build()) {
			assertThat(sandbox.isolation().grades()).isEqualTo(expected);
		}
	}

	static Backend withoutSeccomp(Backend sound) {
		return new Faulty(sound, FaultInjectionTests::withoutFilter);
	}

	private static ChildCommand openNetwork(ChildCommand command) {
		return restriction(restriction(command, "psych.bpf", "psych_network.bpf"), "\"network\":false",
				"\"network\":true");
	}

	private static ChildCommand withoutFilter(ChildCommand command) {
		return map(command, (argument) -> argument.replaceAll("\"filter\":\"[^\"]*\"", "\"filter\":null"));
	}

	private static ChildCommand withVariable(ChildCommand command) {
		Map<String, String> environment = new HashMap<>(command.environment());
		environment.put("AWS_SECRET_ACCESS_KEY", "x");
		return new ChildCommand(command.arguments(), environment, command.directory());
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
		return new ChildCommand(arguments, command.environment(), command.directory());
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
		public ChildCommand command(ExecutionFolder folder, Limits limits, boolean network) throws IOException {
			return this.edit.apply(this.sound.command(folder, limits, network));
		}

	}

}
