package io.psych.sandbox.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.json.JsonValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs a script of the tests with the interpreter the tests use.
 */
final class PythonScript {

	private static final String PYTHON = System.getProperty("psych.python", "/usr/bin/python3");

	/** What several scripts import. */
	private static final String SHARED = "signature_types.py";

	private PythonScript() {
	}

	/**
	 * Run a script that is a resource, and return what it prints.
	 * @param resource its name beside this class
	 * @param input what it reads
	 * @param arguments its arguments
	 */
	static JsonValue run(String resource, JsonValue input, String... arguments)
			throws IOException, InterruptedException {
		Path folder = Files.createTempDirectory("psych-sandbox-script-");
		Path script = folder.resolve(resource);
		Path given = folder.resolve("input.json");
		Path output = folder.resolve("output.json");
		try {
			for (String name : List.of(resource, SHARED)) {
				try (InputStream source = Objects.requireNonNull(PythonScript.class.getResourceAsStream(name))) {
					Files.copy(source, folder.resolve(name));
				}
			}
			Files.write(given, input.toUtf8());
			List<String> command = new ArrayList<>(List.of(PYTHON, "-I", "-B", "-X", "utf8", script.toString()));
			command.addAll(List.of(arguments));
			Process process = new ProcessBuilder(command).redirectInput(given.toFile())
				.redirectOutput(output.toFile())
				.redirectErrorStream(true)
				.start();
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s has ended", resource).isTrue();
			String printed = Files.readString(output, StandardCharsets.UTF_8);
			assertThat(process.exitValue()).as(printed).isZero();
			return JsonValue.parse(printed);
		}
		finally {
			for (Path file : List.of(script, folder.resolve(SHARED), given, output, folder)) {
				Files.deleteIfExists(file);
			}
		}
	}

}
