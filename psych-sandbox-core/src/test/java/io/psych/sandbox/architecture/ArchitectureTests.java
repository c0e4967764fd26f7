package io.psych.sandbox.architecture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Which part may know which, read from the compiled classes: what Checkstyle's import
 * control says of imports holds for full names and for types in signatures as well.
 */
class ArchitectureTests {

	private static final String ROOT = "io.psych.sandbox";

	private static final JavaClasses CLASSES = ourClasses();

	@ParameterizedTest(name = "{0}")
	@MethodSource("packages")
	void packageKnowsOnlyThoseTheDataMetBefore(String name, Set<String> known, String why) {
		Set<String> allowed = new TreeSet<>(known);
		allowed.add(name);
		String[] packages = allowed.stream().map((other) -> ROOT + "." + other).toArray(String[]::new);
		check(noClasses().that()
			.resideInAPackage(ROOT + "." + name)
			.should()
			.dependOnClassesThat(
					resideInAPackage(ROOT + "..").and(DescribedPredicate.not(resideInAnyPackage(packages))))
			.because(why));
	}

	static Stream<Arguments> packages() {
		return Stream.of(arguments("bootstrap", Set.of(), "it is a module of its own, which knows nothing of this one"),
				arguments("limits", Set.of(), "numbers and grades are what everybody else speaks in"),
				arguments("log", Set.of(), "it makes text harmless, whoever wrote it"),
				arguments("json", Set.of(), "it is the codec below everything that is JSON"),
				arguments("spawn", Set.of(), "it starts and ends processes and throws facts; backend and run know why"),
				arguments("seccomp", Set.of(), "it is an assembler, which knows processors and nothing of children"),
				arguments("cgroup", Set.of("limits"),
						"it makes groups; whose processes are in them is for run to know"),
				arguments("terms", Set.of("json", "limits"),
						"terms are narrowed, whoever is executed on them and however"),
				arguments("contract", Set.of("json", "limits", "terms"),
						"a host that only asks and reads results must not see how they come about"),
				arguments("wire", Set.of("json", "limits"),
						"frames are bytes and JSON; what they mean for an execution is for run to know"),
				arguments("output", Set.of("contract", "limits"), "it keeps bytes under a cap, whoever writes them"),
				arguments("budget", Set.of("limits"), "an account knows numbers, not what they are spent on"),
				arguments("egress", Set.of(), "a destination is decided on by what it is, whoever asks"),
				arguments("blob", Set.of("limits"), "it stores bytes under an address, whatever they are"),
				arguments("runlog", Set.of("contract", "json", "limits"),
						"the log holds what happened, and nothing of how it came about"),
				arguments("artifact", Set.of("contract", "limits", "spawn"),
						"it reads and writes a workspace through a handle, whoever runs in it"),
				arguments("attachment", Set.of("blob", "contract", "json", "limits", "runlog"),
						"what was left behind is found through what its run recorded, whoever made it"),
				arguments("tool",
						Set.of("attachment", "blob", "budget", "egress", "runlog", "contract", "json", "limits", "log",
								"terms"),
						"a tool is called through bindings, and must not reach the process that calls it"),
				arguments("backend", Set.of("bootstrap", "contract", "json", "limits", "seccomp", "spawn"),
						"a backend says how a child is started; frames and tools are for run and tool"),
				arguments("backend.bubblewrap", Set.of("backend", "contract", "limits", "spawn"),
						"siblings never meet: what two backends share belongs into a package beside them"),
				arguments("backend.container", Set.of("backend", "bootstrap", "cgroup", "json", "limits", "spawn"),
						"siblings never meet: what two backends share belongs into a package beside them"),
				arguments("backend.process", Set.of("backend", "contract", "limits", "spawn"),
						"siblings never meet: what two backends share belongs into a package beside them"),
				arguments("run",
						Set.of("artifact", "attachment", "backend", "blob", "cgroup", "contract", "json", "limits",
								"log", "output", "runlog", "spawn", "wire"),
						"it conducts executions on any backend and reaches tools only through contract.Bindings"));
	}

	@Test
	void everyPackageHasARuleOfItsOwn() {
		Set<String> named = packages().map((row) -> ROOT + "." + row.get()[0]).collect(Collectors.toSet());
		named.add(ROOT);
		assertThat(packageNames()).isEqualTo(new TreeSet<>(named));
	}

	@Test
	void nothingKnowsTheRoot() {
		check(noClasses().that()
			.resideOutsideOfPackage(ROOT)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT)
			.because("the root assembles; what all parts need belongs into limits or contract"));
	}

	@Test
	void packagesHaveNoCycles() {
		check(slices().matching(ROOT + ".(**)")
			.should()
			.beFreeOfCycles()
			.because("two packages that need each other are one, or lack a third"));
	}

	@Test
	void programsReachToolsOnlyThroughTheirBindings() {
		check(noClasses().that()
			.resideInAnyPackage(ROOT + ".run..", ROOT + ".backend..", ROOT + ".wire..", ROOT + ".spawn..")
			.should()
			.transitivelyDependOnClassesThat()
			.resideInAPackage(ROOT + ".tool..")
			.because("a call of a program reaches a tool only through the contract.Bindings its execution was given,"
					+ " so that nothing a program sends can pick another one"));
	}

	@Test
	void onlyRunKnowsBothTheWireAndTheBackends() {
		Set<String> both = new TreeSet<>();
		for (String name : packageNames()) {
			if (dependsOn(name, ROOT + ".wire") && dependsOn(name, ROOT + ".backend")) {
				both.add(name);
			}
		}
		assertThat(both).as("packages that know frames and backends; a conversation with a child belongs into run")
			.containsExactly(ROOT + ".run");
	}

	@Test
	void onlyJsonTouchesTheJsonLibrary() {
		check(noClasses().that()
			.resideOutsideOfPackage(ROOT + ".json")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("tools.jackson..")
			.because("JSON is read and written by json.JsonValue, whose bounds on depth, length and numbers hold for"
					+ " all of it"));
	}

	@Test
	void onlyToolKnowsTheSchemaValidator() {
		check(noClasses().that()
			.resideOutsideOfPackage(ROOT + ".tool")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("com.networknt..")
			.because("arguments are checked in one place, tool.Arguments"));
	}

	@Test
	void onlySpawnCallsNativeCode() {
		check(noClasses().that()
			.resideOutsideOfPackage(ROOT + ".spawn")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("com.sun.jna..")
			.because("native calls are made by spawn, which names them"));
	}

	@Test
	void onlySpawnStartsProcesses() {
		check(noClasses().that()
			.resideOutsideOfPackage(ROOT + ".spawn")
			.should()
			.dependOnClassesThat()
			.haveFullyQualifiedName(ProcessBuilder.class.getName())
			.orShould()
			.callMethodWhere(target(Runtime.class, "exec"))
			.because("a process is started by spawn.Spawner, whose thread it must not outlive"));
	}

	@Test
	void onlySpawnEndsProcesses() {
		check(noClasses().that()
			.resideOutsideOfPackage(ROOT + ".spawn")
			.should()
			.callMethodWhere(target(ProcessHandle.class, "destroy", "destroyForcibly"))
			.orShould()
			.callMethodWhere(target(Process.class, "destroy", "destroyForcibly"))
			.because("ending is aimed at a whole tree and measured: use spawn.ChildTree"));
	}

	@Test
	void nothingSleepsOrPrints() {
		check(noClasses().should()
			.callMethodWhere(target(Thread.class, "sleep"))
			.orShould()
			.accessField(System.class, "out")
			.orShould()
			.accessField(System.class, "err")
			.because("a wait is for an event and has an end; a library logs"));
	}

	@Test
	void publicFieldsAreConstants() {
		check(fields().that()
			.arePublic()
			.should()
			.beStatic()
			.andShould()
			.beFinal()
			.because("what callers hold on to is a method or a record's component"));
	}

	@Test
	void everyPackageIsNullMarked() {
		assertThat(packageNames())
			.allSatisfy((name) -> assertThat(CLASSES.getPackage(name).isAnnotatedWith(NullMarked.class))
				.as(name + " says nothing of null: annotate its package-info.java")
				.isTrue());
	}

	@Test
	void ruleFindsWhatItForbids() {
		ArchRule rule = noClasses().that()
			.resideInAPackage(ROOT + ".spawn")
			.should()
			.callMethodWhere(target(ProcessHandle.class, "destroyForcibly"))
			.orShould()
			.dependOnClassesThat()
			.haveFullyQualifiedName(ProcessBuilder.class.getName());
		List<String> violations = new ArrayList<>(rule.evaluate(CLASSES).getFailureReport().getDetails());
		assertThat(violations).anyMatch((line) -> line.contains("ChildTree") && line.contains("destroyForcibly"))
			.anyMatch((line) -> line.contains("JavaLauncher") && line.contains("ProcessBuilder"));
	}

	private static JavaClasses ourClasses() {
		// The names of foreign classes are enough, and reading the JDK takes long.
		ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
		return new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages(ROOT);
	}

	private static void check(ArchRule rule) {
		rule.check(CLASSES);
	}

	private static Set<String> packageNames() {
		return CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
	}

	private static boolean dependsOn(String packageName, String other) {
		return CLASSES.stream()
			.filter((type) -> type.getPackageName().equals(packageName) && !packageName.startsWith(other))
			.flatMap((type) -> type.getDirectDependenciesFromSelf().stream())
			.anyMatch((dependency) -> dependency.getTargetClass().getPackageName().startsWith(other));
	}

	private static DescribedPredicate<JavaCall<?>> target(Class<?> owner, String... names) {
		return DescribedPredicate.describe(owner.getSimpleName() + "." + String.join(" or ", names), (call) -> {
			AccessTarget target = call.getTarget();
			return target.getOwner().isEquivalentTo(owner) && Arrays.asList(names).contains(target.getName());
		});
	}

}
