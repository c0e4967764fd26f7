package io.psych.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.psych.sandbox.backend.container.ContainerSettings;
import io.psych.sandbox.contract.RunRequest;

/**
 * Measures containers against the engine's own run of one, taken in turns: a container
 * that is started for its program, and one that waits for it.
 *
 * @since 0.1.0
 */
public final class ContainerGoals {

	/** Below, a median says little. */
	private static final int FEWEST_ROUNDS = 20;

	private static final int WARM_UP = 5;

	private static final RunRequest JOB = RunRequest.of("print(1)\n1");

	private ContainerGoals() {
	}

	/**
	 * Measure and print.
	 * @param arguments the interpreter of this host, the number of rounds, the image and
	 * the engine
	 */
	public static void main(String[] arguments) throws Exception {
		int rounds = Integer.parseInt(arguments[1]);
		String image = arguments[2];
		String engine = arguments[3];
		if (rounds < FEWEST_ROUNDS) {
			throw new IllegalArgumentException(
					"rounds must be at least %d but was %d".formatted(FEWEST_ROUNDS, rounds));
		}
		PeerCommand plain = new PeerCommand(Path.of("/"),
				List.of(engine, "run", "--rm", "--pull=never", "--network=none", image),
				List.of("python3", "-I", "-S", "-B", "-c", "print(1)"));
		SandboxBuilder builder = Sandbox.builder()
			.backend("container")
			.container(ContainerSettings.of(image).withEngine(engine))
			.interpreter(Path.of(arguments[0]));
		List<Long> floors = new ArrayList<>();
		List<Long> cold = new ArrayList<>();
		List<Long> warm = new ArrayList<>();
		String software;
		try (Sandbox started = builder.build(); Sandbox waiting = builder.pool(1, Duration.ofHours(1)).build()) {
			software = started.isolation().level() + ", " + engine;
			waiting.isolation();
			for (int i = -WARM_UP; i < rounds; i++) {
				Goals.awaitPool(waiting);
				long bare = plain.run();
				long ours = Goals.time(started, JOB);
				long ready = Goals.time(waiting, JOB);
				if (i >= 0) {
					floors.add(bare);
					cold.add(ours);
					warm.add(ready);
				}
			}
		}
		System.out.printf("Linux %s, %s, %d processors, Java %s, %d rounds, level %s%n",
				System.getProperty("os.version"), System.getProperty("os.arch"),
				java.lang.Runtime.getRuntime().availableProcessors(), System.getProperty("java.version"), rounds,
				software);
		double floor = Goals.at(floors, 0.5);
		System.out.println(Goal.table(List.of(
				Goal.atMost("1", "cold container ÷ plain run of the engine", Goals.at(cold, 0.5) / floor, 1.25, 1.10,
						Goals.spread(cold) + " ÷ " + Goals.spread(floors)),
				Goal.atMost("2", "waiting container, tree measured empty ÷ the same", Goals.at(warm, 0.5) / floor, 0.20,
						0.12, Goals.spread(warm) + " ÷ " + Goals.spread(floors)))));
	}

}
