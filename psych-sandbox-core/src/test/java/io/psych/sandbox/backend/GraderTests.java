package io.psych.sandbox.backend;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Finding;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChildCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Each thing a child can observe is changed alone: the grade it speaks for drops, and no
 * other.
 */
class GraderTests {

	private static final Set<String> EXPECTED_VARIABLES = Set.of("PATH", "HOME", "TMPDIR");

	@Test
	void childThatCanDoNothingIsIsolated() {
		IsolationReport report = new Scene((scene) -> {
		}).grade();
		Map<Guarantee, Grade> expected = new EnumMap<>(Guarantee.class);
		for (Guarantee guarantee : Guarantee.values()) {
			expected.put(guarantee, Grade.ENFORCED);
		}
		assertThat(report.grades()).isEqualTo(expected);
		assertThat(report.level()).isEqualTo(Level.ISOLATED);
		assertThat(report.backend()).isEqualTo("fake");
		assertThat(report.findings()).extracting(Finding::evidence).doesNotContain("").doesNotHaveDuplicates();
	}

	@Test
	void controlGradedAsAChildIsNothing() {
		IsolationReport report = new Scene((scene) -> scene.seen = Observations.control()).grade();
		for (Guarantee guarantee : Set.of(Guarantee.FILESYSTEM, Guarantee.NETWORK, Guarantee.IDENTITY, Guarantee.MEMORY,
				Guarantee.FILE_SIZE, Guarantee.PROCESS_COUNT, Guarantee.ENVIRONMENT)) {
			assertThat(report.grade(guarantee)).as(guarantee.id()).isEqualTo(Grade.UNAVAILABLE);
		}
		assertThat(report.grade(Guarantee.PROCESS_TREE)).isEqualTo(Grade.UNVERIFIED);
		assertThat(report.level()).isEqualTo(Level.NONE);
	}

	@ParameterizedTest(name = "{0}: {1} {2}")
	@MethodSource
	void oneObservationDropsOneGradeAndNoOther(String what, Guarantee guarantee, Grade grade, String evidence,
			Consumer<Scene> change) {
		assertDropsAlone(new Scene((scene) -> {
		}), new Scene(change), guarantee, grade, evidence);
	}

	static Stream<Arguments> oneObservationDropsOneGradeAndNoOther() {
		List<Arguments> rows = new ArrayList<>();
		rows.addAll(filesystem());
		rows.addAll(network());
		rows.addAll(processTree());
		rows.addAll(identity());
		rows.addAll(limits());
		rows.addAll(environment());
		return rows.stream();
	}

	private static List<Arguments> filesystem() {
		return List.of(
				row("the canary was read", Guarantee.FILESYSTEM, Grade.UNAVAILABLE,
						"a canary file of the host was read", seen("canary", "done")),
				row("reading the canary was not attempted", Guarantee.FILESYSTEM, Grade.UNVERIFIED, "not attempted",
						seen("canary", null)),
				row("the control can't read the canary either", Guarantee.FILESYSTEM, Grade.UNVERIFIED,
						"but neither by the control", control("canary", "EACCES")),
				row("the mount namespace is the host's", Guarantee.FILESYSTEM, Grade.UNVERIFIED, "stay visible",
						sameNamespace("mnt")),
				row("the mount namespace is not told", Guarantee.FILESYSTEM, Grade.UNVERIFIED, "stay visible",
						(scene) -> namespaces(scene.seen).remove("mnt")),
				row("the mount namespace of the host is not known", Guarantee.FILESYSTEM, Grade.UNVERIFIED,
						"stay visible", (scene) -> namespaces(scene.control).remove("mnt")),
				row("the backend makes no view", Guarantee.FILESYSTEM, Grade.UNVERIFIED, "stay visible",
						(scene) -> scene.ownView = false));
	}

	private static List<Arguments> network() {
		String someOnly = "not every one was attempted by the child and reached by the control";
		return List.of(
				row("the network was granted", Guarantee.NETWORK, Grade.UNAVAILABLE, "was granted",
						(scene) -> scene.network = true),
				row("a listener was reached over IPv4", Guarantee.NETWORK, Grade.UNAVAILABLE,
						"a listener of the host at 127.0.0.1 was reached",
						seen("listeners", Observations.pairs("127.0.0.1", "done", "0:0:0:0:0:0:0:1", "EADDRNOTAVAIL"))),
				row("a listener was reached over IPv6", Guarantee.NETWORK, Grade.UNAVAILABLE,
						"a listener of the host at 0:0:0:0:0:0:0:1 was reached",
						seen("listeners", Observations.pairs("127.0.0.1", "ECONNREFUSED", "0:0:0:0:0:0:0:1", "done"))),
				row("only IPv4 was attempted", Guarantee.NETWORK, Grade.UNVERIFIED, someOnly,
						seen("listeners", Observations.pairs("127.0.0.1", "ECONNREFUSED"))),
				row("IPv6 only timed out", Guarantee.NETWORK, Grade.UNVERIFIED, someOnly,
						seen("listeners", Observations.pairs("127.0.0.1", "ECONNREFUSED", "0:0:0:0:0:0:0:1", "None"))),
				row("no listener was attempted", Guarantee.NETWORK, Grade.UNVERIFIED, someOnly,
						seen("listeners", List.of())),
				row("the control reached none over IPv4", Guarantee.NETWORK, Grade.UNVERIFIED, someOnly,
						control("listeners",
								Observations.pairs("127.0.0.1", "ECONNREFUSED", "0:0:0:0:0:0:0:1", "done"))),
				row("there were no listeners", Guarantee.NETWORK, Grade.UNVERIFIED, someOnly,
						control("listeners", List.of())),
				row("there is a route over IPv4", Guarantee.NETWORK, Grade.UNAVAILABLE, "there is a route: {IPv4=done",
						seen("routes", Observations.pairs("IPv4", "done", "IPv6", "ENETUNREACH"))),
				row("there is a route over IPv6", Guarantee.NETWORK, Grade.UNAVAILABLE, "IPv6=done",
						seen("routes", Observations.pairs("IPv4", "ENETUNREACH", "IPv6", "done"))),
				row("no route was looked for", Guarantee.NETWORK, Grade.UNVERIFIED, "whether there is a route",
						seen("routes", List.of())),
				row("looking for a route came to nothing", Guarantee.NETWORK, Grade.UNVERIFIED,
						"whether there is a route",
						seen("routes", Observations.pairs("IPv4", "ENETUNREACH", "IPv6", "None"))));
	}

	private static List<Arguments> processTree() {
		return List.of(
				row("the pid namespace is the host's", Guarantee.PROCESS_TREE, Grade.UNVERIFIED, "a supervising parent",
						sameNamespace("pid")),
				row("the pid namespace is not told", Guarantee.PROCESS_TREE, Grade.UNVERIFIED, "a supervising parent",
						(scene) -> namespaces(scene.seen).remove("pid")),
				row("signalling the host was not attempted", Guarantee.PROCESS_TREE, Grade.UNVERIFIED, "not attempted",
						seen("hostSignal", null)),
				row("the control can't signal the host either", Guarantee.PROCESS_TREE, Grade.UNVERIFIED,
						"from the control to EPERM", control("hostSignal", "EPERM")));
	}

	private static List<Arguments> identity() {
		List<Arguments> rows = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			Object[] ids = new Object[8];
			Arrays.fill(ids, 65534);
			ids[i] = 0;
			rows.add(row("id " + i + " is root's", Guarantee.IDENTITY, Grade.UNAVAILABLE, "it has an id of root",
					seen("ids", List.of(ids))));
		}
		rows.add(row("an id is no number", Guarantee.IDENTITY, Grade.UNAVAILABLE, "it has an id of root",
				seen("ids", List.of(65534, "65534"))));
		rows.add(row("the ids are not told", Guarantee.IDENTITY, Grade.UNAVAILABLE, "it has an id of root",
				seen("ids", List.of())));
		rows.add(row("it is in root's group", Guarantee.IDENTITY, Grade.UNAVAILABLE, "it is in the group of root",
				seen("groups", List.of(100, 0))));
		for (String set : List.of("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")) {
			rows.add(row(set + " has one capability", Guarantee.IDENTITY, Grade.UNAVAILABLE, "it has capabilities",
					(scene) -> scene.seen.put("capabilities", Observations
						.with(Observations.capabilities("0000000000000000"), set, "0000000000000001"))));
			rows.add(row(set + " is not told", Guarantee.IDENTITY, Grade.UNAVAILABLE, "it has capabilities",
					(scene) -> ((Map<?, ?>) scene.seen.get("capabilities")).remove(set)));
		}
		rows.add(row("privileges can be gained", Guarantee.IDENTITY, Grade.UNAVAILABLE, "can gain privileges",
				seen("noNewPrivileges", false)));
		rows.add(
				row("it became root", Guarantee.IDENTITY, Grade.UNAVAILABLE, "it became root", seen("setuid", "done")));
		for (String call : List.of("unshare", "personality", "socket")) {
			rows.add(row(call + " was let in", Guarantee.IDENTITY, Grade.UNVERIFIED, "no filter keeps it",
					seen("kernel", Observations.with(Observations.kernel("refused"), call, "done"))));
		}
		rows.add(row("no call of the kernel was attempted", Guarantee.IDENTITY, Grade.UNVERIFIED, "no filter keeps it",
				seen("kernel", Map.of())));
		rows.add(row("a call was refused before there was a filter, and to the control", Guarantee.IDENTITY,
				Grade.UNVERIFIED, "no filter keeps it", ALREADY_REFUSED
					.andThen(control("kernel", Observations.with(Observations.kernel("done"), "unshare", "refused")))));
		rows.add(row("becoming root was not attempted", Guarantee.IDENTITY, Grade.UNVERIFIED, "not attempted",
				seen("setuid", null)));
		return rows;
	}

	/** As in a container, which an engine has given a filter of its own. */
	private static final Consumer<Scene> ALREADY_REFUSED = (scene) -> scene.seen.put("before", Observations.with(
			scene.seen.get("before"), "kernel", Observations.with(Observations.kernel("done"), "unshare", "refused")));

	@Test
	void aCallThatOnlyTheControlCouldMakeIsFiltered() {
		Finding identity = new Scene(ALREADY_REFUSED).grade().finding(Guarantee.IDENTITY);
		assertThat(identity.grade()).isEqualTo(Grade.ENFORCED);
		assertThat(identity.evidence()).contains("seccomp refuses");
	}

	private static List<Arguments> limits() {
		return List.of(
				row("a file grew past its limit", Guarantee.FILE_SIZE, Grade.UNAVAILABLE, "RLIMIT_FSIZE did not hold",
						limit("fileSize", "done", "done")),
				row("a file could not be written for another reason", Guarantee.FILE_SIZE, Grade.UNAVAILABLE, "EROFS",
						limit("fileSize", "done", "EROFS")),
				row("a file could not be written without a limit either", Guarantee.FILE_SIZE, Grade.UNVERIFIED,
						"the control failed already", limit("fileSize", "ENOSPC", "EFBIG")),
				row("writing was not attempted", Guarantee.FILE_SIZE, Grade.UNVERIFIED, "not attempted",
						limit("fileSize")),
				row("files are on a file system of the host", Guarantee.FILE_SIZE, Grade.UNVERIFIED,
						"all files together are not bounded: they are on a file system of the host",
						workspace("device", 2049)),
				row("files are on a file system without a bound", Guarantee.FILE_SIZE, Grade.UNVERIFIED,
						"their file system has no bound", workspace("blocks", 0)),
				row("the size of a block is not told", Guarantee.FILE_SIZE, Grade.UNVERIFIED,
						"their file system has no bound", workspace("blockSize", null)),
				row("the file system of files takes a block more than the limit", Guarantee.FILE_SIZE, Grade.UNVERIFIED,
						"takes 16385 blocks of 4096 bytes, and the limit is 64 MiB", workspace("blocks", 16385)),
				row("the size of the file system is beyond any number", Guarantee.FILE_SIZE, Grade.UNVERIFIED,
						"and the limit is 64 MiB", workspace("blocks", Long.MAX_VALUE)),
				row("the file system of files is not told", Guarantee.FILE_SIZE, Grade.UNVERIFIED,
						"what file system they are on is not known", workspace("device", null)),
				row("the file system of the host is not known", Guarantee.FILE_SIZE, Grade.UNVERIFIED,
						"what file system they are on is not known",
						(scene) -> scene.control.put("limits",
								Observations.with(scene.control.get("limits"), "workspace", Map.of()))),
				row("a process forked past its limit", Guarantee.PROCESS_COUNT, Grade.UNAVAILABLE,
						"RLIMIT_NPROC did not hold", limit("processCount", "done", "done")),
				row("a process could not fork without a limit either", Guarantee.PROCESS_COUNT, Grade.UNVERIFIED,
						"the control failed already", limit("processCount", "EAGAIN", "EAGAIN")),
				row("forking was not attempted", Guarantee.PROCESS_COUNT, Grade.UNVERIFIED, "not attempted",
						limit("processCount")),
				row("memory was had past its limit", Guarantee.MEMORY, Grade.UNAVAILABLE, "done",
						limit("memory", "done", "done")),
				row("memory could not be had without a limit either", Guarantee.MEMORY, Grade.UNAVAILABLE, "ENOMEM",
						limit("memory", "ENOMEM", "ENOMEM")),
				row("memory was not attempted", Guarantee.MEMORY, Grade.UNAVAILABLE, "not attempted", limit("memory")),
				row("there was no control group", Guarantee.MEMORY, Grade.UNVERIFIED, "there is no control group",
						(scene) -> scene.bounded = false),
				row("the control group was not proved", Guarantee.MEMORY, Grade.UNVERIFIED, "not proved on this host",
						(scene) -> scene.proofs = scene.proofs.withMemory(Proofs.Proof.NONE)),
				row("the CPU limit was not proved", Guarantee.CPU, Grade.UNVERIFIED, "not proved on this host",
						(scene) -> scene.proofs = scene.proofs.withCpu(Proofs.Proof.NONE)),
				row("the deadline was not proved", Guarantee.WALL_CLOCK, Grade.UNVERIFIED, "not proved on this host",
						(scene) -> scene.proofs = scene.proofs.withDeadline(Proofs.Proof.NONE)));
	}

	private static List<Arguments> environment() {
		return List.of(
				row("a variable nobody allowed is there", Guarantee.ENVIRONMENT, Grade.UNAVAILABLE,
						"variables nobody allowed are there: [DATABASE_PASSWORD]",
						seen("environment", List.of("PATH", "HOME", "DATABASE_PASSWORD"))),
				row("variables are not told", Guarantee.ENVIRONMENT, Grade.UNVERIFIED, "0 variables",
						seen("environment", List.of())),
				row("the host has no variable to withhold", Guarantee.ENVIRONMENT, Grade.UNVERIFIED,
						"no variable that could have been handed on", control("environment", List.of("PATH"))));
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource
	void environmentOfTheHostCountsWhereItsProcessesAreInView(String attempt, Grade grade) {
		assertEnvironmentOfTheHostCounts(attempt, grade, (scene) -> {
			scene.ownView = false;
			sameNamespace("mnt").accept(scene);
		});
	}

	@ParameterizedTest(name = "{0}: {1}")
	@MethodSource("environmentOfTheHostCountsWhereItsProcessesAreInView")
	void environmentOfTheHostCountsWhereItsProcessesAreInViewOfAnotherMountNamespace(String attempt, Grade grade) {
		assertEnvironmentOfTheHostCounts(attempt, grade, (scene) -> {
			scene.ownView = false;
			scene.seen.put("confined", List.of("pid", "mnt", "workspace", "shm", "uid"));
		});
	}

	private static void assertEnvironmentOfTheHostCounts(String attempt, Grade grade, Consumer<Scene> inView) {
		Scene read = new Scene(inView.andThen((scene) -> scene.seen.put("hostEnviron", attempt)));
		if (grade == Grade.ENFORCED) {
			assertThat(read.grade()).isEqualTo(new Scene(inView).grade());
		}
		else {
			assertDropsAlone(new Scene(inView), read, Guarantee.ENVIRONMENT, grade, "the environment of this JVM");
		}
	}

	static Stream<Arguments> environmentOfTheHostCountsWhereItsProcessesAreInView() {
		return Stream.of(arguments("EACCES", Grade.ENFORCED), arguments("done", Grade.UNAVAILABLE),
				arguments("unknown", Grade.UNVERIFIED));
	}

	@Test
	void environmentOfTheHostsNumberInAnotherViewIsAnotherProcesss() {
		assertThat(new Scene(seen("hostEnviron", "done")).grade()).isEqualTo(new Scene((scene) -> {
		}).grade());
	}

	@Test
	void environmentOfTheHostsNumberInAProcMountedAnewIsAnotherProcesss() {
		Consumer<Scene> mounted = (scene) -> {
			scene.ownView = false;
			scene.seen.put("confined", List.of("pid", "mnt", "proc", "uid"));
		};
		assertThat(new Scene(mounted.andThen(seen("hostEnviron", "done"))).grade())
			.isEqualTo(new Scene(mounted).grade());
		assertThat(new Scene(mounted.andThen(seen("hostEnviron", "done")).andThen(sameNamespace("pid"))).grade()
			.grade(Guarantee.ENVIRONMENT)).isEqualTo(Grade.UNAVAILABLE);
	}

	@Test
	void signalToTheHostsNumberInAnotherNamespaceMayReachAnotherProcess() {
		assertThat(new Scene(seen("hostSignal", "done")).grade().grade(Guarantee.PROCESS_TREE))
			.isEqualTo(Grade.ENFORCED);
	}

	@Test
	void sameUserIsSomebodyElseOnlyInAUserNamespaceOfItsOwn() {
		List<Integer> ids = List.of(1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000);
		Consumer<Scene> sameUser = seen("ids", ids).andThen(control("ids", ids));
		assertThat(new Scene(sameUser).grade().grade(Guarantee.IDENTITY)).isEqualTo(Grade.ENFORCED);
		assertDropsAlone(new Scene(sameUser), new Scene(sameUser.andThen(sameNamespace("user"))), Guarantee.IDENTITY,
				Grade.UNAVAILABLE, "it runs as the user of this JVM");
	}

	@Test
	void otherUserNeedsNoUserNamespace() {
		assertThat(new Scene(sameNamespace("user")).grade().grades()).isEqualTo(new Scene((scene) -> {
		}).grade().grades());
	}

	@Test
	void fieldThatIsMissingOrJunkNeverRaisesAGrade() {
		IsolationReport best = new Scene((scene) -> {
		}).grade();
		List<Object> junk = new ArrayList<>(Arrays.asList(null, true, 0, 1.5, "", "junk", List.of(), Map.of(),
				List.of(List.of()), List.of(List.of("127.0.0.1")), List.of(1, "a", Arrays.asList((Object) null)),
				Map.of("pid", 5)));
		for (String field : Observations.confined().keySet()) {
			for (Object value : junk) {
				IsolationReport report = new Scene(seen(field, value)).grade();
				report.grades()
					.forEach((guarantee, grade) -> assertThat(grade).as("%s with %s: %s", guarantee, field, value)
						.isGreaterThanOrEqualTo(best.grade(guarantee)));
			}
		}
	}

	@Test
	void emptyReportProvesNothingButWhatTheHostProved() {
		for (String report : List.of("{}", "[]", "null", "\"isolated\"", "{\"level\":\"isolated\",\"grades\":{}}")) {
			Grader grader = new Grader(Observations.of(Observations.control()), EXPECTED_VARIABLES::contains);
			IsolationReport graded = grader.grade(new FakeBackend(true), Observation.of(JsonValue.parse(report)),
					Limits.defaults(), false, false, Scene.PROVED);
			graded.grades().forEach((guarantee, grade) -> {
				if (guarantee != Guarantee.CPU && guarantee != Guarantee.WALL_CLOCK) {
					assertThat(grade).as("%s of %s", guarantee, report).isNotEqualTo(Grade.ENFORCED);
				}
			});
			assertThat(graded.level()).isEqualTo(Level.NONE);
		}
	}

	@Test
	void aFilterAloneAccountsForTheNetwork() {
		IsolationReport graded = new Scene(sameNamespace("net")).grade();
		assertThat(graded.grade(Guarantee.NETWORK)).isEqualTo(Grade.ENFORCED);
		assertThat(graded.finding(Guarantee.NETWORK).evidence()).contains("a filter of system calls");
	}

	@Test
	void neitherNamespaceNorFilterAccountsForNothing() {
		IsolationReport graded = new Scene(sameNamespace("net").andThen(seen("kernel", Observations.kernel("done"))))
			.grade();
		assertThat(graded.grade(Guarantee.NETWORK)).isEqualTo(Grade.UNVERIFIED);
	}

	@Test
	void emptyControlProvesNothing() {
		IsolationReport graded = new Scene((scene) -> scene.control = new LinkedHashMap<>()).grade();
		for (Guarantee guarantee : Set.of(Guarantee.FILESYSTEM, Guarantee.NETWORK, Guarantee.PROCESS_TREE,
				Guarantee.ENVIRONMENT)) {
			assertThat(graded.grade(guarantee)).as(guarantee.id()).isEqualTo(Grade.UNVERIFIED);
		}
	}

	private static void assertDropsAlone(Scene before, Scene after, Guarantee guarantee, Grade grade, String evidence) {
		IsolationReport dropped = after.grade();
		assertThat(dropped.grade(guarantee)).isEqualTo(grade);
		assertThat(dropped.finding(guarantee).evidence()).contains(evidence);
		Map<Guarantee, Grade> others = before.grade().grades();
		assertThat(grade).isGreaterThanOrEqualTo(others.put(guarantee, grade));
		assertThat(dropped.grades()).isEqualTo(others);
	}

	private static Arguments row(String what, Guarantee guarantee, Grade grade, String evidence,
			Consumer<Scene> change) {
		return arguments(what, guarantee, grade, evidence, change);
	}

	private static Consumer<Scene> seen(String field, Object value) {
		return (scene) -> scene.seen.put(field, value);
	}

	private static Consumer<Scene> control(String field, Object value) {
		return (scene) -> scene.control.put(field, value);
	}

	private static Consumer<Scene> sameNamespace(String name) {
		return (scene) -> scene.seen.put("namespaces",
				Observations.with(scene.seen.get("namespaces"), name, namespaces(scene.control).get(name)));
	}

	private static Consumer<Scene> limit(String name, String... attempts) {
		return (scene) -> scene.seen.put("limits",
				Observations.with(scene.seen.get("limits"), name, List.of(attempts)));
	}

	private static Consumer<Scene> workspace(String name, Object value) {
		return (scene) -> scene.seen.put("limits", Observations.with(scene.seen.get("limits"), "workspace",
				Observations.with(((Map<?, ?>) scene.seen.get("limits")).get("workspace"), name, value)));
	}

	private static Map<?, ?> namespaces(Map<String, Object> report) {
		return (Map<?, ?>) report.get("namespaces");
	}

	/**
	 * A child of the best kind on a host of the best kind, with a change.
	 */
	private static final class Scene {

		private static final Proofs PROVED = Proofs.NONE.withCpu(new Proofs.Proof(true, "ended after 1 s"))
			.withDeadline(new Proofs.Proof(true, "ended after 100 ms"))
			.withMemory(new Proofs.Proof(true, "one of two was ended"));

		private Map<String, Object> control = Observations.control();

		private Map<String, Object> seen = Observations.confined();

		private boolean ownView = true;

		private boolean network;

		private boolean bounded = true;

		private Proofs proofs = PROVED;

		Scene(Consumer<Scene> change) {
			change.accept(this);
		}

		IsolationReport grade() {
			return new Grader(Observations.of(this.control), EXPECTED_VARIABLES::contains).grade(
					new FakeBackend(this.ownView), Observations.of(this.seen), Limits.defaults(), this.network,
					this.bounded, this.proofs);
		}

	}

	/**
	 * A backend that is only asked for its name and its view.
	 */
	private record FakeBackend(boolean hasOwnView) implements Backend {

		@Override
		public String name() {
			return "fake";
		}

		@Override
		public Path workspace(ExecutionFolder folder) {
			return folder.workspace();
		}

		@Override
		public ChildCommand command(ExecutionFolder folder, Limits limits, boolean network) {
			throw new UnsupportedOperationException();
		}

	}

}
