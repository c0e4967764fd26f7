package io.psych.sandbox.catalogue;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Listeners of every kind on the unconfined host, kinds that Java has none of included,
 * which count how often they are reached.
 */
final class Listeners implements AutoCloseable {

	private final Process process;

	private final BufferedReader answers;

	private final BufferedWriter questions;

	private final Map<String, @Nullable Object> addresses;

	/**
	 * Begin to listen.
	 * @param folder where those that have a path are: {@code broker} takes connections,
	 * {@code log} packets
	 * @throws IOException if it can't be started
	 */
	Listeners(Path folder) throws IOException {
		Path script = HostileProgram.folder().resolve("host_controls.py");
		this.process = new ProcessBuilder(Unconfined.PYTHON, "-I", "-S", "-B", script.toString(), folder.toString())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		this.answers = this.process.inputReader(StandardCharsets.UTF_8);
		this.questions = this.process.outputWriter(StandardCharsets.UTF_8);
		this.addresses = JsonValue.parse(this.answers.readLine()).members();
	}

	/**
	 * Return where they are.
	 * @return addresses by the name of the listener
	 */
	Map<String, @Nullable Object> addresses() {
		return this.addresses;
	}

	/**
	 * Return how often each was reached so far.
	 * @return numbers by the name of the listener
	 */
	Map<String, @Nullable Object> reached() throws IOException {
		this.questions.write("\n");
		this.questions.flush();
		return JsonValue.parse(this.answers.readLine()).members();
	}

	@Override
	public void close() throws IOException {
		this.questions.close();
		this.process.onExit().join();
		this.answers.close();
	}

}
