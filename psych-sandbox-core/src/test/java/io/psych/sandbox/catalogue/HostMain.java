package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.Containers;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.SandboxBuilder;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCatalog;

/**
 * A host of its own: a JVM that runs a program or several, one after the other, writes
 * their results to a file, and waits for the end of its stdin. For rows about what a
 * whole JVM is given or suffers.
 */
public final class HostMain {

	private HostMain() {
	}

	/**
	 * Run it.
	 * @param arguments a backend, a folder for the sandbox, the user to run as or
	 * {@code -}, the file for the results, the files with the programs
	 * @throws IOException if a file can't be read or written
	 */
	public static void main(String[] arguments) throws IOException {
		Path results = Path.of(arguments[3]);
		SandboxBuilder builder = Sandbox.builder()
			.backend(arguments[0])
			.folder(Path.of(arguments[1]))
			.tools(ToolCatalog.of(new Tell(results.resolveSibling("told"))));
		if (arguments[0].equals("container")) {
			builder.container(Containers.settings());
		}
		if (!arguments[2].equals("-")) {
			builder.runAs(arguments[2]);
		}
		try (Sandbox sandbox = builder.build()) {
			List<Object> all = new ArrayList<>();
			for (String program : Arrays.asList(arguments).subList(4, arguments.length)) {
				all.add(sandbox.run(RunRequest.of(Files.readString(Path.of(program)))).toJson());
			}
			Path part = Files.writeString(results.resolveSibling("part"), JsonValue.of(all).toJson());
			Files.move(part, results, StandardCopyOption.ATOMIC_MOVE);
			System.in.transferTo(OutputStream.nullOutputStream());
		}
	}

	/**
	 * Start one.
	 */
	static Process start(List<String> options, List<String> arguments, Map<String, String> environment)
			throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(
				List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
		command.addAll(options);
		command.add(HostMain.class.getName());
		command.addAll(arguments);
		ProcessBuilder builder = new ProcessBuilder(command);
		builder.environment().putAll(environment);
		return builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
	}

	/**
	 * Leaves a file when the program has come this far.
	 */
	private static final class Tell implements HostTool {

		private final Path file;

		Tell(Path file) {
			this.file = file;
		}

		@Override
		public String name() {
			return "tell";
		}

		@Override
		public String description() {
			return "Tells the suite that the program has come this far.";
		}

		@Override
		public JsonValue inputSchema() {
			return JsonValue.of(Map.of("type", "object"));
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) {
			try {
				Files.writeString(this.file, "told");
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			return JsonValue.NULL;
		}

	}

}
