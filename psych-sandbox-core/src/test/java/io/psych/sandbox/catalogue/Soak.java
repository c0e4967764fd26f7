package io.psych.sandbox.catalogue;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.limits.Limits;

/**
 * Many executions.
 *
 * @param inSequence how many one after the other
 * @param atOnce how many then at the same time
 */
record Soak(int inSequence, int atOnce) {

	/** As many as the catalogue asks for, which takes minutes. */
	private static final boolean WHOLE = Boolean.getBoolean("psych.containment.soak");

	/** All at once share the processors. */
	private static final Limits LIMITS = Limits.defaults()
		.withCpu(Duration.ofSeconds(20))
		.withWallTime(Duration.ofSeconds(120));

	/**
	 * Return how many there are on a backend: the whole on the strongest.
	 */
	static Soak on(String backend) {
		if (!WHOLE && !backend.equals("container")) {
			return new Soak(25, 20);
		}
		return switch (backend) {
			case "bubblewrap" -> new Soak(1000, 200);
			case "process" -> new Soak(200, 50);
			// An engine takes half a second and both processors to start one.
			default -> new Soak(40, 16);
		};
	}

	/**
	 * Execute one after the other.
	 * @param execution executes a program
	 * @return how many failed
	 */
	long failuresInSequence(Supplier<RunResult> execution) {
		long failures = 0;
		for (int i = 0; i < this.inSequence; i++) {
			failures += execution.get().succeeded() ? 0 : 1;
		}
		return failures;
	}

	/**
	 * Execute at the same time, each on a thread of its own.
	 * @param sandbox has a user for each where it has a range
	 * @param program the program
	 * @return how many failed
	 */
	long failuresAtOnce(Sandbox sandbox, String program) throws InterruptedException {
		// Waits for the proof of the CPU limit, which takes one of the users.
		sandbox.isolation();
		Callable<RunResult> execution = () -> sandbox.run(RunRequest.of(program).withLimits(LIMITS));
		return LifetimeScenarios.onThreads(this.atOnce, Collections.nCopies(this.atOnce, execution))
			.stream()
			.filter((result) -> !result.succeeded())
			.count();
	}

}
