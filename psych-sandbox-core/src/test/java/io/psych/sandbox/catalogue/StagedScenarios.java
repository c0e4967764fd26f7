package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import io.psych.sandbox.Containers;
import io.psych.sandbox.NoUsableBackendException;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.SandboxBuilder;
import io.psych.sandbox.SandboxConfigurationException;
import io.psych.sandbox.backend.container.ContainerSettings;
import io.psych.sandbox.catalogue.Scenarios.Context;
import io.psych.sandbox.catalogue.Scenarios.Scenario;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import org.jspecify.annotations.Nullable;

/**
 * Scenarios with an interpreter or a launcher of the suite's own.
 */
final class StagedScenarios {

	private static final Duration WALL = Duration.ofSeconds(10);

	private static final String WITHOUT_FILTER = "edit s|\"filter\":\"[^\"]*\"|\"filter\":null|";

	/** Results of wedged children by backend: all backends wait at the same time. */
	private final Map<String, RunResult> wedged = new TreeMap<>();

	private StagedScenarios() {
	}

	static void register(Map<String, Scenario> scenarios) {
		StagedScenarios staged = new StagedScenarios();
		scenarios.put("child-not-ready", staged::childNotReady);
		scenarios.put("deaf-child", StagedScenarios::deafChild);
		scenarios.put("shown-file", StagedScenarios::shownFile);
		scenarios.put("shown-socket", StagedScenarios::shownSocket);
		scenarios.put("shown-setuid", StagedScenarios::shownSetuid);
		scenarios.put("enforcer-removed", StagedScenarios::enforcerRemoved);
		scenarios.put("backend-unusable", StagedScenarios::backendUnusable);
	}

	private Map<String, @Nullable Object> childNotReady(Context context) throws IOException {
		if (this.wedged.isEmpty()) {
			Map<String, CompletableFuture<RunResult>> running = new TreeMap<>();
			for (Subject subject : context.others().values()) {
				subject.stage().mode("wedged");
				running.put(subject.backend(),
						CompletableFuture.supplyAsync(() -> subject.runStaged("await echo(value=1)", WALL)));
			}
			running.forEach((backend, result) -> this.wedged.put(backend, result.join()));
			for (Subject subject : context.others().values()) {
				subject.stage().mode("real");
			}
		}
		Subject subject = context.subject();
		subject.stage().mode("ends");
		RunResult ended = subject.runStaged("await echo(value=1)", WALL);
		subject.stage().mode("real");
		return Map.of("wedged", Scenarios.facts(this.wedged.get(subject.backend())), "ends", Scenarios.facts(ended),
				"afterwards", Scenarios.facts(subject.runStaged("await echo(value=1)", WALL)));
	}

	private static Map<String, @Nullable Object> deafChild(Context context) throws IOException {
		Subject subject = context.subject();
		Limits limits = Limits.defaults().withWallTime(Duration.ofSeconds(1));
		subject.stage().mode("deaf");
		RunResult large = subject.runStaged("#".repeat(10 << 20), limits.wallTime());
		subject.stage().mode("real");
		return Map.of("program", Scenarios.facts(large), "replies",
				Scenarios.facts(subject.run(context.program(0, Map.of()), limits)), "afterwards",
				Scenarios.facts(subject.run("1", limits)));
	}

	private static Map<String, @Nullable Object> shownFile(Context context) throws IOException, InterruptedException {
		Stage stage = context.subject().stage();
		Map<String, @Nullable Object> facts = shown(context, stage.shownFile());
		facts.put("unchanged", stage.isUnchanged());
		facts.put("unconfined", context.control(Map.of("shown", stage.shownFile().toString())));
		stage.restore();
		return facts;
	}

	private static Map<String, @Nullable Object> shownSocket(Context context) throws IOException, InterruptedException {
		Stage stage = context.subject().stage();
		Map<String, @Nullable Object> facts = shown(context, stage.listenerFolder());
		facts.put("reached", List.of(stage.reached().get("path"), stage.reached().get("path-dgram")));
		facts.put("unconfined", context.control(Map.of("shown", stage.listenerFolder().toString())));
		return facts;
	}

	private static Map<String, @Nullable Object> shownSetuid(Context context) throws IOException, InterruptedException {
		Map<String, @Nullable Object> facts = shown(context, context.subject().stage().setuidCopy());
		facts.put("unconfined", context.control(Map.of("shown", context.subject().stage().setuidCopy().toString())));
		return facts;
	}

	/** Run the row's program where it is shown a path, and prove that it is. */
	private static Map<String, @Nullable Object> shown(Context context, Path path) {
		Map<String, Object> more = Map.of("shown", path.toString());
		Map<String, @Nullable Object> facts = Scenarios
			.facts(context.subject().runStaged(context.program(0, more), WALL));
		RunResult seen = context.subject()
			.runStaged("import os\nos.stat(%s).st_size >= 0".formatted("'" + path + "'"), WALL);
		facts.put("shown", seen.value());
		return facts;
	}

	/**
	 * Take an enforcer away from one execution each, and tell whose grade fell and that a
	 * caller who requires it is refused.
	 */
	private static Map<String, @Nullable Object> enforcerRemoved(Context context) throws IOException {
		Map<String, @Nullable Object> facts = new LinkedHashMap<>();
		Stage stage = context.subject().stage();
		stage.mode(WITHOUT_FILTER);
		facts.put("filter", fallen(context.subject()));
		if (context.subject().isContainer()) {
			stage.engineMode("with --network=host");
			stage.mode(WITHOUT_FILTER + "; s|\"network\":false|\"network\":true|");
			facts.put("filter-and-network", fallen(context.subject()));
			stage.mode(WITHOUT_FILTER);
			stage.engineMode("with --ipc=host --shm-size");
			facts.put("ipc", fallen(context.subject()));
			stage.mode("real");
			stage.engineMode("with --memory --memory-swap");
			facts.put("memory", fallen(context.subject()));
			stage.engineMode("with --pids-limit=0");
			facts.put("pids", fallen(context.subject()));
			stage.engineMode("with --tmpfs=/tmp:rw,exec,mode=1777");
			facts.put("tmpfs", fallen(context.subject()));
			stage.engineMode("with --security-opt --cap-drop");
			facts.put("privileges", fallen(context.subject()));
			stage.engineMode("real");
		}
		else if (context.subject().backend().equals("bubblewrap")) {
			stage.launcherMode("drop --unshare-net");
			stage.mode(WITHOUT_FILTER + "; s|\"network\":false|\"network\":true|");
			facts.put("filter-and-network", fallen(context.subject()));
			stage.launcherMode("drop --unshare-ipc");
			facts.put("ipc", fallen(context.subject()));
			stage.launcherMode("real");
		}
		else {
			stage.mode("edit s|\"readable\":\\[|\"readable\":[\"/\",|");
			facts.put("landlock", fallen(context.subject()));
			stage.mode("edit s|\"namespaces\":true|\"namespaces\":false|");
			facts.put("namespaces", fallen(context.subject()));
		}
		stage.mode("real");
		facts.put("nothing", fallen(context.subject()));
		return facts;
	}

	private static Map<String, @Nullable Object> fallen(Subject subject) {
		RunResult result = subject.runStaged("1", WALL);
		Map<String, @Nullable Object> facts = new LinkedHashMap<>();
		List<Guarantee> fallen = Arrays.stream(Guarantee.values())
			.filter((guarantee) -> result.isolation().grade(guarantee) != subject.honest().grade(guarantee))
			.toList();
		facts.put("fallen", String.join(" ", fallen.stream().map(Guarantee::id).toList()));
		facts.put("value", result.value());
		facts.put("sent",
				fallen.stream()
					.filter((guarantee) -> !subject.refusesStaged(new Requirement(Level.PROCESS, Set.of(guarantee))))
					.count());
		return facts;
	}

	private static Map<String, @Nullable Object> backendUnusable(Context context) throws IOException {
		Map<String, @Nullable Object> facts = new LinkedHashMap<>();
		Subject subject = context.subject();
		Stage stage = subject.stage();
		if (subject.backend().equals("process")) {
			facts.put("absent", refusal(subject.builder().interpreter(Path.of("/nonexistent/python3"))));
			facts.put("other", refusal(subject.builder().interpreter(Path.of("/bin/true"))));
			facts.put("relative", refusal(subject.builder().interpreter(Path.of("bin/python3"))));
			stage.mode("ends");
			facts.put("broken", refusal(subject.builder().interpreter(stage.interpreter())));
			stage.mode("real");
			return facts;
		}
		if (subject.isContainer()) {
			engineUnusable(subject, facts);
			return facts;
		}
		facts.put("absent", refusal(subject.builder().bubblewrap(Path.of("/nonexistent/bwrap"))));
		for (String mode : List.of("old", "other", "refused", "hangs")) {
			stage.launcherMode(mode);
			facts.put(mode, refusal(subject.builder().bubblewrap(stage.launcher())));
		}
		facts.put("setuid", refusal(subject.builder().bubblewrap(stage.setuidCopy())));
		stage.launcherMode("refused");
		try (Sandbox weaker = subject.builder().backend("auto").bubblewrap(stage.launcher()).build()) {
			facts.put("auto", Map.of("chosen", String.valueOf(weaker.selection().chosen()), "why",
					weaker.selection().whyNot(), "required", Scenarios
						.facts(weaker.run(RunRequest.of("1").withRequire(new Requirement(Level.ISOLATED, Set.of()))))));
		}
		stage.launcherMode("real");
		return facts;
	}

	private static void engineUnusable(Subject subject, Map<String, @Nullable Object> facts) throws IOException {
		Stage stage = subject.stage();
		ContainerSettings settings = Containers.settings();
		ContainerSettings staged = settings.withEngine(stage.engine().toString());
		facts.put("absent", refusal(subject.builder().container(settings.withEngine("/nonexistent/podman"))));
		for (String mode : List.of("other", "stopped", "hangs")) {
			stage.engineMode(mode);
			facts.put(mode, refusal(subject.builder().container(staged)));
		}
		facts.put("image", refusal(
				subject.builder().container(ContainerSettings.of("localhost/not-made:1").withEngine("podman"))));
		facts.put("runtime", refusal(subject.builder().container(settings.withRuntime("no-such-runtime"))));
		facts.put("interpreter", refusal(subject.builder().container(settings.withInterpreter("/bin/no-python"))));
		stage.launcherMode("refused");
		stage.engineMode("stopped");
		try (Sandbox weaker = subject.builder()
			.backend("auto")
			.bubblewrap(stage.launcher())
			.container(staged)
			.build()) {
			facts.put("auto", Map.of("chosen", String.valueOf(weaker.selection().chosen()), "why",
					weaker.selection().whyNot(), "required", Scenarios
						.facts(weaker.run(RunRequest.of("1").withRequire(new Requirement(Level.ISOLATED, Set.of()))))));
		}
		stage.launcherMode("real");
		stage.engineMode("real");
	}

	/** Return how building a sandbox is refused. */
	private static Map<String, @Nullable Object> refusal(SandboxBuilder builder) {
		long began = System.nanoTime();
		String message = "built";
		try (Sandbox sandbox = builder.build()) {
			message += " " + sandbox.selection();
		}
		catch (NoUsableBackendException | SandboxConfigurationException ex) {
			message = String.valueOf(ex.getMessage());
		}
		return Map.of("message", message, "millis", Duration.ofNanos(System.nanoTime() - began).toMillis());
	}

}
