package io.psych.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;

/**
 * Measures what a user could pick instead, each in turns with our cold and our warm run,
 * and prints them as one table. The job is the same for all: print 1 and hand it back.
 * What benchmarks/peers could not prepare is in the table too, with the reason.
 *
 * @since 0.1.0
 */
public final class Peers {

	private static final RunRequest JOB = RunRequest.of("print(1)\n1");

	private static final int WARM_UP = 10;

	private final Path interpreter;

	private final int rounds;

	private final Samples cold = new Samples();

	private final Samples warm = new Samples();

	private Peers(Path interpreter, int rounds) {
		this.interpreter = interpreter;
		this.rounds = rounds;
	}

	/**
	 * Measure and print. Why a peer could not be prepared is the value of a system
	 * property, whose name is the peer's behind "missing.".
	 * @param arguments the interpreter, the number of rounds, the folder in which the
	 * peers were prepared, and the image for podman
	 */
	public static void main(String[] arguments) {
		Peers peers = new Peers(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
		System.out.printf("Linux %s, %s, %d processors, Java %s, %d rounds%n", System.getProperty("os.version"),
				System.getProperty("os.arch"), java.lang.Runtime.getRuntime().availableProcessors(),
				System.getProperty("java.version"), peers.rounds);
		System.out.println(peers.measure(Path.of(arguments[2]), arguments[3]));
	}

	private String measure(Path folder, String image) {
		StringBuilder table = new StringBuilder("""
				| peer | what it isolates | ms, median (least–most) | ÷ our cold run | ÷ our warm run | goal | |
				| - | - | -: | -: | -: | -: | - |
				""");
		Path work = folder.resolve("work");
		String settings = folder.resolve("srt-settings.json").toString();
		List<String> program = List.of(this.interpreter.toString(), "-I", "-S", "-c", "print(1)");
		String line = "%s -I -S -c 'print(1)'".formatted(this.interpreter);
		try (Sandbox starting = builder().build();
				Sandbox waiting = builder().pool(1, Duration.ofHours(1)).build();
				PeerWorker node = new PeerWorker(work,
						List.of("node", folder.resolve("node/srt.mjs").toString(), settings, line));
				PeerWorker java = new PeerWorker(work,
						List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
								"--enable-native-access=ALL-UNNAMED", "-Dpolyglot.engine.WarnInterpreterOnly=false",
								"-cp", folder.resolve("lib") + "/*", folder.resolve("LibraryPeers.java").toString(),
								this.interpreter.toString(), work.toString()))) {
			List<Peer> peers = List.of(
					Peer.cold("podman", "podman run, runc", "a container, with a seccomp filter", 8, new PeerCommand(
							work, List.of("podman", "run", "--rm", "--pull=never", "--network=none", image), program)),
					Peer.cold("runc", "runc run, raw bundle", "a container, no seccomp filter", 2,
							new PeerCommand(work,
									List.of("runc", "run", "--bundle", folder.resolve("bundle").toString(),
											"psych-sandbox-peer"),
									List.of())),
					Peer.cold("srt", "srt, command line",
							"processes, writing files, network by proxies; not reading the host's files", 10,
							new PeerCommand(work, List.of("node",
									folder.resolve("node/node_modules/@anthropic-ai/sandbox-runtime/dist/cli.js")
										.toString(),
									"--settings", settings, "-c"), List.of(line))),
					Peer.cold("srt", "srt, library with its proxies up", "the same", 2.5, () -> node.run("srt")),
					Peer.warm("libraries", "GraalPy, new context, shared engine",
							"host objects and files; no limit on memory or CPU", 12, () -> java.run("graalpy")),
					Peer.warm("libraries", "GraalPy, new context and engine, as LangChain4j", "the same", 30,
							() -> java.run("langchain4j")),
					Peer.warm("libraries", "agent-sandbox, LocalSandbox", "nothing", 6,
							() -> java.run("agent-sandbox")));
			for (Peer peer : peers) {
				table.append(measure(peer, starting, waiting));
				System.err.println("measured " + peer.title());
			}
		}
		table.append("| our cold run | see docs/threat-model.md | %s | 1 | | | |%n".formatted(this.cold.spread()));
		table.append("| our warm run | the same | %s | | 1 | | |%n".formatted(this.warm.spread()));
		return table.toString();
	}

	private String measure(Peer peer, Sandbox starting, Sandbox waiting) {
		String missing = System.getProperty("missing." + peer.name());
		if (missing != null) {
			return peer.row(missing);
		}
		Samples theirs = new Samples();
		Samples ourCold = new Samples();
		Samples ourWarm = new Samples();
		try {
			for (int i = -WARM_UP; i < this.rounds; i++) {
				awaitPool(waiting);
				long warmTaken = time(waiting);
				awaitPool(waiting);
				long coldTaken = time(starting);
				long taken = peer.job().run();
				if (i >= 0) {
					theirs.add(taken);
					ourCold.add(coldTaken);
					ourWarm.add(warmTaken);
				}
			}
		}
		catch (PeerException ex) {
			return peer.row(String.valueOf(ex.getMessage()));
		}
		this.cold.addAll(ourCold);
		this.warm.addAll(ourWarm);
		double toCold = theirs.ratioTo(ourCold);
		double toWarm = theirs.ratioTo(ourWarm);
		boolean reached = (peer.isWarm() ? toWarm : toCold) >= peer.goal();
		return String.format(Locale.ROOT, "| %s | %s | %s | %.1f | %.1f | ≥ %.1f our %s run | %s |%n", peer.title(),
				peer.isolates(), theirs.spread(), toCold, toWarm, peer.goal(), peer.isWarm() ? "warm" : "cold",
				reached ? "reached" : "MISSED");
	}

	private SandboxBuilder builder() {
		return Sandbox.builder().backend("bubblewrap").interpreter(this.interpreter);
	}

	private static void awaitPool(Sandbox sandbox) {
		while (sandbox.pool().waiting() < sandbox.pool().size()) {
			LockSupport.parkNanos(200_000);
		}
		// What was just started shares the processors with what is measured next.
		LockSupport.parkNanos(5_000_000);
	}

	private static long time(Sandbox sandbox) {
		long began = System.nanoTime();
		RunResult result = sandbox.run(JOB);
		long taken = System.nanoTime() - began;
		if (!result.succeeded()) {
			throw new IllegalStateException(result.toJson().toJson());
		}
		return taken;
	}

}
