package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.psych.sandbox.Containers;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.catalogue.Scenarios.Context;
import io.psych.sandbox.catalogue.Scenarios.Scenario;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Scenarios with a host of their own: a JVM that is given secrets or a hostile
 * environment, or that is killed.
 */
final class HostScenarios {

	private static final Duration PATIENCE = Duration.ofSeconds(120);

	private HostScenarios() {
	}

	static void register(Map<String, Scenario> scenarios) {
		scenarios.put("planted-environment", HostScenarios::plantedEnvironment);
		scenarios.put("secret-of-host", HostScenarios::secretOfHost);
		scenarios.put("host-killed", HostScenarios::hostKilled);
		scenarios.put("small-host", HostScenarios::smallHost);
	}

	/**
	 * A JVM with its files.
	 *
	 * @param process the JVM
	 * @param folder where its sandbox works
	 * @param results where it leaves the results
	 * @param told where it leaves word of its program
	 */
	private record Host(Process process, Path folder, Path results, Path told) {

		static Host start(Context context, List<String> options, Map<String, String> environment, String... programs)
				throws IOException {
			// Short: a socket's path below it must fit.
			Path files = Files.createDirectory(
					context.folder().resolve(context.subject().backend().charAt(0) + "-" + context.row().number()));
			Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwxr-xr-x"));
			Path folder = Files.createDirectory(files.resolve("s"));
			Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
			Path results = files.resolve("results");
			String runAs = context.unconfined().runAs();
			List<String> arguments = new ArrayList<>(List.of(context.subject().backend(), folder.toString(),
					(runAs != null) ? runAs : "-", results.toString()));
			for (int i = 0; i < programs.length; i++) {
				arguments.add(Files.writeString(files.resolve("program" + i + ".py"), programs[i]).toString());
			}
			Process process = HostMain.start(options, arguments, environment);
			return new Host(process, folder, results, files.resolve("told"));
		}

		/**
		 * Return what is known of each program, or nothing when the JVM ended before.
		 */
		List<Map<String, @Nullable Object>> awaitResults() throws IOException {
			await(() -> Files.exists(this.results) || !this.process.isAlive());
			List<Map<String, @Nullable Object>> all = new ArrayList<>();
			if (Files.exists(this.results)
					&& JsonValue.parse(Files.readString(this.results)).toJava() instanceof List<?> list) {
				list.forEach((result) -> all.add(new LinkedHashMap<>(JsonValue.of(result).members())));
			}
			return all;
		}

		void end() throws IOException, InterruptedException {
			this.process.outputWriter().close();
			if (!this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
				this.process.destroyForcibly().waitFor();
			}
			Unconfined.delete(this.folder.getParent());
		}

	}

	private static void await(BooleanSupplier condition) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - deadline > 0) {
				throw new IllegalStateException("waited in vain for " + PATIENCE);
			}
			LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
		}
	}

	/** A service that was started with variables and files meant for an interpreter. */
	private static Map<String, @Nullable Object> plantedEnvironment(Context context)
			throws IOException, InterruptedException {
		Path planted = Files.createTempDirectory(context.folder(), "planted-");
		Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rwxrwxrwx"));
		for (String module : List.of("json", "ast", "sitecustomize", "usercustomize", "startup", "_ctypes")) {
			Files.writeString(planted.resolve(module + ".py"), "open(%s, 'w').close()\nraise SystemExit(9)\n"
				.formatted("'" + planted.resolve("ran-" + module) + "'"));
		}
		Map<String, String> environment = Map.of("PYTHONPATH", planted.toString(), "PYTHONSTARTUP",
				planted.resolve("startup.py").toString(), "PYTHONHOME", planted.toString(), "PYTHONINSPECT", "1",
				"PYTHONUSERBASE", planted.toString(), "PYTHONPYCACHEPREFIX", planted.toString());
		Host host = Host.start(context, List.of(), environment, context.program(0, Map.of()));
		Map<String, @Nullable Object> facts = host.awaitResults().get(0);
		host.end();
		facts.put("ran", ran(planted));
		ProcessBuilder control = new ProcessBuilder(Unconfined.PYTHON, "-c", "import json");
		control.environment().put("PYTHONPATH", planted.toString());
		control.start().waitFor();
		facts.put("ranUnconfined", ran(planted));
		Unconfined.delete(planted);
		return facts;
	}

	private static List<String> ran(Path planted) throws IOException {
		List<String> ran = new ArrayList<>();
		try (DirectoryStream<Path> files = Files.newDirectoryStream(planted, "ran-*")) {
			files.forEach((file) -> ran.add(file.getFileName().toString()));
		}
		return ran.stream().sorted().toList();
	}

	/** A service with a secret in its variables and in its command line. */
	private static Map<String, @Nullable Object> secretOfHost(Context context)
			throws IOException, InterruptedException {
		String secret = "secret-" + context.token().substring(3);
		Map<String, Object> more = Map.of("secret", secret);
		Host host = Host.start(context, List.of("-Ddatabase.password=" + secret), Map.of("DATABASE_PASSWORD", secret),
				context.program(0, more));
		Map<String, @Nullable Object> facts = host.awaitResults().get(0);
		facts.put("unconfined", context.control(more));
		host.end();
		return facts;
	}

	/**
	 * A service that is killed while its program runs; the next one finds what it left,
	 * and one that lives loses nothing.
	 */
	private static Map<String, @Nullable Object> hostKilled(Context context) throws IOException, InterruptedException {
		Host host = Host.start(context, List.of(), Map.of(), context.program(0, Map.of()));
		await(() -> Files.exists(host.told()) || !host.process().isAlive());
		Map<String, @Nullable Object> facts = new LinkedHashMap<>();
		facts.put("before", Processes.with(context.token()).size());
		try (Sandbox living = context.subject().builder().folder(host.folder()).build()) {
			int folders = folders(host.folder());
			long killed = System.nanoTime();
			host.process().destroyForcibly().waitFor();
			await(() -> Processes.with(context.token()).isEmpty());
			facts.put("goneMillis", Duration.ofNanos(System.nanoTime() - killed).toMillis());
			facts.put("folders", folders);
			facts.put("containers", containers(context, host));
			try (Sandbox next = context.subject().builder().folder(host.folder()).build()) {
				facts.put("foldersSwept", folders(host.folder()));
				facts.put("containersSwept", containers(context, host));
				facts.put("next", next.run(RunRequest.of("1")).value());
			}
			facts.put("living", living.run(RunRequest.of("2")).value());
		}
		facts.put("foldersLeft", folders(host.folder()));
		host.end();
		return facts;
	}

	/** Those of the killed one and of the living, which has none when nothing runs. */
	private static int containers(Context context, Host host) {
		return context.subject().isContainer() ? Containers.in(host.folder(), "--all").size() : 0;
	}

	/**
	 * A service with a heap of 256 MiB, whose programs send frames within their bound.
	 */
	private static Map<String, @Nullable Object> smallHost(Context context) throws IOException, InterruptedException {
		Host host = Host.start(context, List.of("-Xmx256m"), Map.of(), context.program(0, Map.of()),
				context.program(1, Map.of()), context.program(2, Map.of()), "1");
		List<Map<String, @Nullable Object>> results = host.awaitResults();
		Map<String, @Nullable Object> facts = new LinkedHashMap<>();
		facts.put("survived", host.process().isAlive() && results.size() == 4);
		facts.put("afterwards", results.isEmpty() ? null : results.get(results.size() - 1).get("value"));
		host.end();
		return facts;
	}

	private static int folders(Path folder) throws IOException {
		int count = 0;
		try (DirectoryStream<Path> folders = Files.newDirectoryStream(folder, "psych-sandbox-*")) {
			for (Path found : folders) {
				count += Files.isDirectory(found) ? 1 : 0;
			}
		}
		return count;
	}

}
