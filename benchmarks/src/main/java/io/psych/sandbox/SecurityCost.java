package io.psych.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;

/**
 * What the security extras together cost of a cold run: from the call of
 * {@link Sandbox#run} to its result, without a child that waits. In every round each arm
 * runs once, in an order of chance, so that whatever slows the machine down slows all
 * arms down.
 */
public final class SecurityCost implements AutoCloseable {

	private static final List<String> BACKENDS = List.of("bubblewrap", "process");

	/** Below, a median says little. */
	private static final int FEWEST_ROUNDS = 40;

	private static final int WARM_UP = 15;

	private static final long SEED = 5;

	/** At most a twentieth of a cold run. */
	private static final double GOAL = 1.05;

	private final List<Arm> arms = new ArrayList<>();

	private final Set<Extras.Extra> all;

	/**
	 * What is compared.
	 *
	 * @param extras the extras it has
	 * @param sandbox a sandbox whose children have them
	 * @param samples how long its runs took
	 */
	private record Arm(Extras extras, Sandbox sandbox, Samples samples) {

	}

	/**
	 * Prepare all arms.
	 * @param backend the backend
	 * @param interpreter the interpreter
	 */
	SecurityCost(String backend, Path interpreter) {
		for (Extras extras : Extras.ARMS) {
			this.arms.add(new Arm(extras, extras.builder(backend).interpreter(interpreter).allowSameUser(true).build(),
					new Samples()));
		}
		this.all = Extras.in(this.arms.get(0).sandbox().run(RunRequest.of("1")).isolation());
	}

	/**
	 * Measure and print.
	 * @param arguments the interpreter, and the number of rounds
	 */
	public static void main(String[] arguments) {
		int rounds = Integer.parseInt(arguments[1]);
		if (rounds < FEWEST_ROUNDS) {
			throw new IllegalArgumentException(
					"rounds must be at least %d but was %d".formatted(FEWEST_ROUNDS, rounds));
		}
		System.out.printf("Linux %s, %s, %d processors, Java %s, %d rounds after %d to warm up%n",
				System.getProperty("os.version"), System.getProperty("os.arch"),
				Runtime.getRuntime().availableProcessors(), System.getProperty("java.version"), rounds, WARM_UP);
		boolean met = true;
		for (String backend : BACKENDS) {
			try (SecurityCost cost = new SecurityCost(backend, Path.of(arguments[0]))) {
				cost.settle();
				cost.measure(WARM_UP, rounds);
				System.out.printf("%n%s, where the extras are %s%n%s", backend, cost.all, cost.table());
				met &= cost.ratio() <= GOAL;
			}
		}
		System.exit(met ? 0 : 1);
	}

	/** Wait for what is proved in the background, which would run beside. */
	private void settle() {
		this.arms.forEach((arm) -> arm.sandbox().isolation());
	}

	/**
	 * Run every arm once in each round.
	 * @param warmUp rounds that are not counted
	 * @param rounds rounds that are
	 */
	void measure(int warmUp, int rounds) {
		Random random = new Random(SEED);
		List<Arm> order = new ArrayList<>(this.arms);
		for (int round = -warmUp; round < rounds; round++) {
			// An arm that always came after the same one would bear what that left to it.
			Collections.shuffle(order, random);
			for (Arm arm : order) {
				long taken = run(arm);
				// What is cleaned up after an answer is not to be paid by the next arm.
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(15));
				if (round >= 0) {
					arm.samples().add(taken);
				}
			}
		}
	}

	private long run(Arm arm) {
		long began = System.nanoTime();
		RunResult result = arm.sandbox().run(RunRequest.of("1"));
		long taken = System.nanoTime() - began;
		if (!result.succeeded() || !Extras.in(result.isolation()).equals(arm.extras().of(this.all))) {
			throw new IllegalStateException(
					"a run with extras '%s' came to %s".formatted(arm.extras(), result.toJson()));
		}
		return taken;
	}

	/**
	 * Return how much longer a run takes with all extras than with none.
	 */
	double ratio() {
		return this.arms.get(0).samples().ratioTo(none());
	}

	private Samples none() {
		return this.arms.get(this.arms.size() - 1).samples();
	}

	/**
	 * Return what was measured.
	 */
	String table() {
		StringBuilder table = new StringBuilder(
				"%-32s%8s%8s%8s  ratio to none%n".formatted("extras", "median", "min", "max ms"));
		for (Arm arm : this.arms) {
			table.append("%-32s%s  %.3f%n".formatted(arm.extras(), arm.samples(), arm.samples().ratioTo(none())));
		}
		List<Double> certainty = this.arms.get(0).samples().certaintyOfRatioTo(none());
		return table.append(
				"All extras cost %.1f %% of a cold run (95 %% certain: %.1f to %.1f); the goal is at most %.0f %%.%n"
					.formatted(percent(ratio()), percent(certainty.get(0)), percent(certainty.get(1)), percent(GOAL)))
			.toString();
	}

	private static double percent(double ratio) {
		return (ratio - 1) * 100;
	}

	@Override
	public void close() {
		this.arms.forEach((arm) -> arm.sandbox().close());
	}

}
