package io.psych.sandbox.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;

import io.psych.sandbox.backend.Backend;
import io.psych.sandbox.backend.BackendException;
import io.psych.sandbox.backend.BackendSelector;
import io.psych.sandbox.backend.ChildConfiguration;
import io.psych.sandbox.backend.ExecutionFolder;
import io.psych.sandbox.backend.Grader;
import io.psych.sandbox.backend.Observation;
import io.psych.sandbox.backend.Proofs;
import io.psych.sandbox.cgroup.Cgroups;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.Spawner;

/**
 * Runs a backend before it is trusted: a control child without any mechanism, then an
 * execution that must be ended by its deadline, and in the background one that must be
 * ended by its CPU limit.
 *
 * @since 0.1.0
 */
public final class Trial {

	private static final String BUSY_LOOP = "while True: pass";

	private static final Duration DEADLINE = Duration.ofMillis(100);

	/**
	 * The limits of the execution that must be ended by its deadline, and where it is not
	 * must not go on for long.
	 */
	public static final Limits LIMITS = Limits.defaults().withCpu(Duration.ofSeconds(1)).withWallTime(DEADLINE);

	/** Ends by itself when it was given much more than its limit, and not before. */
	private static final String BUSY_FOR_THREE_SECONDS = "import time\nwhile time.process_time() < 3: pass";

	/** What a busy host may take to give a second of CPU time. */
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** A CPU limit counts whole seconds. */
	private static final Limits ONE_SECOND = Limits.defaults().withCpu(Duration.ofSeconds(1)).withWallTime(PATIENCE);

	/** Each takes what only one of them can have, and holds it. */
	private static final String TWO_GREEDY_PROCESSES = """
			import os
			for _ in range(2):
			    read, write = os.pipe()
			    if os.fork() == 0:
			        block = bytearray(72 << 20)
			        os.write(write, b"1")
			        os.read(os.pipe()[0], 1)
			    os.close(write)
			    os.read(read, 1)
			""";

	private static final Limits MEMORY_OF_ONE = new Limits(Duration.ofSeconds(10), PATIENCE, Duration.ofSeconds(1),
			ByteSize.ofMebibytes(128), ByteSize.ofMebibytes(1), ByteSize.ofMebibytes(1), 64, ByteSize.ofKibibytes(1),
			ByteSize.ofKibibytes(1), ByteSize.ofKibibytes(1));

	/**
	 * Proofs that held, by what was proved: the kernel is the same for this JVM's life.
	 */
	private static final Map<String, Proofs> SLOW_PROOFS = new ConcurrentHashMap<>();

	private final ChildConfiguration children;

	private final Spawner spawner;

	private final Threads threads;

	/**
	 * Create a new trial.
	 * @param children what children are started with
	 * @param spawner starts them
	 * @param threads watch over them
	 */
	public Trial(ChildConfiguration children, Spawner spawner, Threads threads) {
		this.children = children;
		this.spawner = spawner;
		this.threads = threads;
	}

	/**
	 * Run the control: the same script as every child, as the user of this JVM, without a
	 * mechanism and without a program.
	 * @return what grades every child by comparison
	 * @throws BackendException if it can't be run
	 * @throws InterruptedException if the caller was interrupted
	 */
	public Grader control() throws BackendException, InterruptedException {
		try (ExecutionFolder folder = this.children.instance().newExecution()) {
			List<String> arguments = this.children.arguments(new ChildConfiguration.Place(
					this.children.instance().bootstrap(), folder.socket(), folder.temp(), null, null));
			ChildCommand command = new ChildCommand(arguments, System.getenv(), Path.of("/"));
			try (Child child = Child.start(() -> this.spawner.start(command), folder, Limits.defaults().stream(),
					this.threads, Child.HANDSHAKE, (process) -> {
					})) {
				Observation control = Observation.of(child.awaitReady().report());
				child.writer().abort();
				child.process().tree().killForcibly();
				child.process().tree().awaitEmpty(Child.HANDSHAKE);
				return new Grader(control, this.children.expectedVariables()::contains);
			}
		}
		catch (NotReadyException ex) {
			throw new BackendException("the interpreter can't run the child's script: " + ex.getMessage(), null, ex);
		}
		catch (IOException ex) {
			throw new BackendException("the control execution failed: " + ex.getMessage(), null, ex);
		}
	}

	/**
	 * A backend that proved itself.
	 *
	 * @param runtime a runtime with the backend and the proofs made so far
	 * @param observation what the child of its trial execution observed
	 * @param report what that amounts to
	 */
	public record Passed(Runtime runtime, Observation observation,
			IsolationReport report) implements BackendSelector.Attempt {

	}

	/**
	 * Run a backend with a program that must be ended by its deadline.
	 * @param runtime the runtime with the backend; its proofs are not used
	 * @return what it came to
	 * @throws BackendException if the child did not start or did not end
	 */
	public Passed deadline(Runtime runtime) throws BackendException {
		Execution execution = new Execution(runtime.withProofs(() -> Proofs.NONE), Order.of(BUSY_LOOP, LIMITS),
				new Cancellation(), accepting());
		RunResult result = execution.execute();
		Observation observation = execution.observation();
		if (observation == null || result.failure() == null) {
			throw new BackendException((result.failure() != null) ? result.failure().message() : "it did not report",
					remedy(runtime.backend(), result));
		}
		Proofs proofs = Proofs.NONE.withDeadline(deadlineProof(result, result.failure()));
		return new Passed(runtime.withProofs(() -> proofs), observation,
				runtime.grader().grade(runtime.backend(), observation, LIMITS, false, runtime.isBounding(), proofs));
	}

	private static Proofs.Proof deadlineProof(RunResult result, Failure failure) {
		if (result.limitHit() == LimitHit.WALL_CLOCK) {
			return new Proofs.Proof(true,
					"a busy program was ended at a deadline of %d ms and its tree measured empty %d ms after its start"
						.formatted(DEADLINE.toMillis(), result.duration().toMillis()));
		}
		return new Proofs.Proof(false, "a busy program was not ended at a deadline of %d ms, but after %d ms: %s"
			.formatted(DEADLINE.toMillis(), result.duration().toMillis(), failure.message()));
	}

	/**
	 * Prove in the background what takes long, once per JVM and kind of child.
	 * @param runtime the runtime with the backend
	 * @param proved what is proved already
	 * @param executor runs the proofs
	 * @param cancellation ends proofs that nobody waits for any more
	 * @return all proofs; always completes
	 */
	public CompletableFuture<Proofs> slow(Runtime runtime, Proofs proved, Executor executor,
			Cancellation cancellation) {
		String kind = runtime.backend() + " " + this.children.interpreter().executable() + " "
				+ this.children.instance().users() + " " + runtime.isBounding();
		Proofs held = SLOW_PROOFS.get(kind);
		if (held != null) {
			return CompletableFuture.completedFuture(proved.withCpu(held.cpu()).withMemory(held.memory()));
		}
		return CompletableFuture.supplyAsync(() -> {
			Proofs all = proved.withMemory(proveMemory(runtime, cancellation)).withCpu(proveCpu(runtime, cancellation));
			if (all.cpu().held() && (all.memory().held() || !runtime.isBounding())) {
				SLOW_PROOFS.put(kind, all);
			}
			return all;
		}, executor);
	}

	private Proofs.Proof proveCpu(Runtime runtime, Cancellation cancellation) {
		RunResult result = new Execution(runtime, Order.of(BUSY_FOR_THREE_SECONDS, ONE_SECOND), cancellation,
				accepting())
			.execute();
		if (result.limitHit() == LimitHit.CPU) {
			return new Proofs.Proof(true, "a busy program was ended by a limit of 1 s after %d ms; the tree is bounded"
				.formatted(result.duration().toMillis()) + " by the wall clock and the number of processes");
		}
		return new Proofs.Proof(false, "a busy program was not ended by a limit of 1 s: "
				+ ((result.failure() != null) ? result.failure().message() : "it ended by itself"));
	}

	private Proofs.Proof proveMemory(Runtime runtime, Cancellation cancellation) {
		if (!runtime.isBounding()) {
			return Proofs.Proof.NONE;
		}
		Cgroups cgroups = runtime.cgroups();
		String who = (cgroups == null || runtime.backend().isBounding()) ? "the engine" : cgroups.version().toString();
		Execution execution = new Execution(runtime, Order.of(TWO_GREEDY_PROCESSES, MEMORY_OF_ONE), cancellation,
				accepting());
		RunResult result = execution.execute();
		boolean held = execution.oomKills() > 0;
		return new Proofs.Proof(held, "of %s, where of two processes that took 72 MiB each of 129 MiB %s"

			.formatted(who, held ? "one was ended" : "none was ended: " + result.toJson()));
	}

	private static Function<IsolationReport, List<String>> accepting() {
		return (report) -> List.of();
	}

	/** What an operator can do about a launcher that could not set up. */
	private static String remedy(Backend backend, RunResult result) {
		String said = (result.failure() != null) ? result.failure().message() : "";
		if (said.contains("uid map") || said.contains("namespace") || said.contains("Operation not permitted")) {
			return "Allow user namespaces: sysctl user.max_user_namespaces and kernel.unprivileged_userns_clone must not"
					+ " be 0, an AppArmor that restricts them (kernel.apparmor_restrict_unprivileged_userns) needs a"
					+ " profile for " + backend.name() + ", and a container needs a seccomp profile that lets clone,"
					+ " mount and sethostname pass, and a /proc of which nothing is masked.";
		}
		return "Run the command line in the debug log by hand; it fails the same way.";
	}

}
