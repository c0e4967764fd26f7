package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.psych.sandbox.Containers;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.catalogue.Scenarios.Context;
import io.psych.sandbox.catalogue.Scenarios.Scenario;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.limits.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Scenarios of many executions, and of what happens to one from outside.
 */
final class LifetimeScenarios {

	private static final int CALLERS = 8;

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private LifetimeScenarios() {
	}

	static void register(Map<String, Scenario> scenarios) {
		scenarios.put("thread-ends", LifetimeScenarios::threadEnds);
		scenarios.put("launcher-killed", LifetimeScenarios::launcherKilled);
		scenarios.put("cancel-storm", LifetimeScenarios::cancelStorm);
		scenarios.put("randomness", LifetimeScenarios::randomness);
		scenarios.put("soak", LifetimeScenarios::soak);
	}

	/** Run tasks on threads of their own, and return what they gave. */
	static <T> List<T> onThreads(int threads, List<Callable<T>> tasks) throws InterruptedException {
		ExecutorService callers = Executors.newFixedThreadPool(threads);
		try {
			List<T> results = new ArrayList<>();
			for (Future<T> result : callers.invokeAll(tasks)) {
				results.add(result.get());
			}
			return results;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			callers.shutdown();
		}
	}

	/**
	 * Executions from threads that end, one of which ends while the child of another
	 * runs: the kernel's parent-death signal watches the thread that started a process.
	 */
	private static Map<String, @Nullable Object> threadEnds(Context context) throws InterruptedException {
		List<@Nullable Object> values = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			CompletableFuture<RunResult> longer = new CompletableFuture<>();
			CatalogueTools.Meeting meeting = context.subject().tools().newMeeting();
			Thread first = new Thread(
					() -> longer.complete(context.subject().run("await arrived()\n'unharmed'", Limits.defaults())));
			first.start();
			meeting.awaitArrival(PATIENCE.toSeconds());
			Thread second = new Thread(() -> context.subject().run("1", Limits.defaults()));
			second.start();
			second.join();
			meeting.release();
			values.add(longer.join().value());
			first.join();
		}
		return Map.of("values", Set.copyOf(values).stream().map(String::valueOf).toList(), "unconfined", deathSignal());
	}

	/** Start a process that asks for the signal, from a thread that then ends. */
	private static int deathSignal() throws InterruptedException {
		CompletableFuture<Process> started = new CompletableFuture<>();
		Thread starter = new Thread(() -> {
			try {
				Process process = new ProcessBuilder(Unconfined.PYTHON, "-I", "-S", "-c",
						"import ctypes, signal\nctypes.CDLL(None).prctl(1, 9)\nprint('up', flush=True)\nsignal.sigtimedwait([10], 10)")
					.start();
				process.inputReader().readLine();
				started.complete(process);
			}
			catch (IOException ex) {
				started.completeExceptionally(ex);
			}
		});
		starter.start();
		starter.join();
		return started.join().waitFor();
	}

	/**
	 * The process that this JVM knows, and no other, is killed; of a container then also
	 * the engine's own process, which watches it.
	 */
	private static Map<String, @Nullable Object> launcherKilled(Context context) throws InterruptedException {
		if (!context.subject().isContainer()) {
			Set<Long> before = Processes.children();
			return launcherKilled(context, () -> {
				Set<Long> launchers = new TreeSet<>(Processes.children());
				launchers.removeAll(before);
				return launchers;
			});
		}
		Map<String, @Nullable Object> facts = launcherKilled(context, () -> ofContainers(context, "{{.State.Pid}}"));
		facts.put("monitor",
				launcherKilled(context, () -> ofContainers(context, "{{.State.ConmonPid}} {{.State.Pid}}")));
		return facts;
	}

	private static Set<Long> ofContainers(Context context, String format) {
		Set<Long> pids = new LinkedHashSet<>();
		for (String id : Containers.in(context.subject().folder())) {
			for (String pid : Containers.podman("inspect", "--format", format, id).split(" ")) {
				pids.add(Long.parseLong(pid));
			}
		}
		return pids;
	}

	private static Map<String, @Nullable Object> launcherKilled(Context context, Supplier<Set<Long>> started)
			throws InterruptedException {
		CatalogueTools.Meeting meeting = context.subject().tools().newMeeting();
		// Only by the time that has passed can SIGKILL be told from the kernel's own.
		Limits limits = Limits.defaults().withCpu(PATIENCE).withWallTime(PATIENCE);
		CompletableFuture<RunResult> running = CompletableFuture
			.supplyAsync(() -> context.subject().run(context.program(0, Map.of()), limits));
		meeting.awaitArrival(PATIENCE.toSeconds());
		int payload = Processes.with(context.token()).size();
		Set<Long> launchers = started.get();
		long killed = System.nanoTime();
		launchers.forEach((pid) -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
		Map<String, @Nullable Object> facts = Scenarios.facts(running.join());
		facts.put("toldMillis", Duration.ofNanos(System.nanoTime() - killed).toMillis());
		facts.put("launchers", launchers.size());
		facts.put("payload", payload);
		facts.put("left", Processes.with(context.token()).size());
		meeting.release();
		return facts;
	}

	private static Map<String, @Nullable Object> cancelStorm(Context context) throws InterruptedException {
		ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
		List<Callable<RunResult>> tasks = new ArrayList<>();
		// An engine takes half a second and a processor for one.
		int executions = context.subject().isContainer() ? 40 : 200;
		for (int i = 0; i < executions; i++) {
			long delay = (i % 4 == 0) ? 0 : ThreadLocalRandom.current().nextLong(80);
			tasks.add(() -> {
				Cancellation cancellation = new Cancellation();
				if (delay == 0) {
					cancellation.cancel();
				}
				else {
					timer.schedule(cancellation::cancel, delay, TimeUnit.MILLISECONDS);
				}
				return context.subject().run(context.program(0, Map.of()), Limits.defaults(), cancellation);
			});
		}
		List<RunResult> results = onThreads(CALLERS, tasks);
		timer.shutdown();
		Map<String, @Nullable Object> facts = new LinkedHashMap<>();
		facts.put("executions", results.size());
		facts.put("cancelled",
				results.stream()
					.filter((result) -> result.failure() != null && result.failure().kind() == FailureKind.CANCELLED)
					.count());
		facts.put("started", results.stream().anyMatch((result) -> !result.stdout().text().isEmpty()));
		return facts;
	}

	private static Map<String, @Nullable Object> randomness(Context context) throws InterruptedException {
		List<Callable<RunResult>> tasks = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			tasks.add(() -> context.subject().run(context.program(0, Map.of()), Limits.defaults()));
		}
		Map<String, Set<Object>> seen = new LinkedHashMap<>();
		for (RunResult result : onThreads(CALLERS, tasks)) {
			result.value()
				.members()
				.forEach((name, value) -> seen.computeIfAbsent(name, (absent) -> new HashSet<>())
					.add(String.valueOf(value)));
		}
		Map<String, @Nullable Object> facts = new LinkedHashMap<>();
		seen.forEach((name, values) -> facts.put(name, values.size()));
		return Map.of("different", facts);
	}

	private static Map<String, @Nullable Object> soak(Context context) throws InterruptedException {
		Soak soak = Soak.on(context.subject().backend());
		String program = context.program(0, Map.of());
		Map<String, @Nullable Object> facts = new LinkedHashMap<>();
		facts.put("in-sequence", soak.inSequence());
		facts.put("at-once", soak.atOnce());
		facts.put("failed-in-sequence",
				soak.failuresInSequence(() -> context.subject().run(program, Limits.defaults())));
		try (Sandbox wide = context.subject().wide(soak.atOnce())) {
			facts.put("failed-at-once", soak.failuresAtOnce(wide, program));
		}
		return facts;
	}

}
