package io.psych.sandbox.spring.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.json.JsonValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A JVM that runs {@link HostMain}.
 */
final class HostProcess implements AutoCloseable {

	private final Process process;

	private final Writer programs;

	private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

	HostProcess(List<String> properties) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-cp", System.getProperty("java.class.path"), HostMain.class.getName(),
						"--spring.main.banner-mode=off", "--logging.level.root=WARN"));
		properties.forEach((property) -> command.add("--" + property));
		this.process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		this.programs = this.process.outputWriter(StandardCharsets.UTF_8);
		Thread reader = new Thread(this::read, "answers-of-" + this.process.pid());
		reader.setDaemon(true);
		reader.start();
	}

	private void read() {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8)) {
			output.lines()
				.filter((line) -> line.startsWith(HostMain.ANSWER))
				.forEach((line) -> this.answers.add(line.substring(HostMain.ANSWER.length())));
		}
		catch (UncheckedIOException | IOException ex) {
			// It was killed.
		}
	}

	/** Have a program executed. */
	void execute(String program) throws IOException {
		this.programs.write(JsonValue.of(program).toJson() + "\n");
		this.programs.flush();
	}

	/** Wait for the result of a program. */
	JsonValue result() throws InterruptedException {
		String answer = this.answers.poll(90, TimeUnit.SECONDS);
		assertThat(answer).as("answer of host %d within 90 seconds", this.process.pid()).isNotNull();
		JsonValue result = JsonValue.parse(answer);
		assertThat(result.member("failure").isNull()).as("%s", result).isTrue();
		return result.member("value");
	}

	/** End it with SIGKILL. */
	int kill() throws InterruptedException {
		this.process.destroyForcibly();
		assertThat(this.process.waitFor(20, TimeUnit.SECONDS)).isTrue();
		return this.process.exitValue();
	}

	@Override
	public void close() throws InterruptedException, IOException {
		if (!this.process.isAlive()) {
			return;
		}
		// The end of its input is the end of its work, after which it cleans up.
		this.programs.close();
		if (!this.process.waitFor(20, TimeUnit.SECONDS)) {
			kill();
		}
	}

}
