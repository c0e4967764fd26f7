package io.psych.sandbox.cgroup;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * An interpreter that runs what it is told, one text after the other.
 */
final class Worker implements AutoCloseable {

	private static final String LOOP = """
			import base64, os, sys, time
			names = {"os": os, "time": time}
			for line in sys.stdin:
			    names["answer"] = "done"
			    try:
			        exec(base64.b64decode(line), names)
			    except Exception as error:
			        names["answer"] = type(error).__name__
			    print(names["answer"], flush=True)
			""";

	private final Process process;

	private final Writer input;

	private final BufferedReader output;

	private Worker(Process process) {
		this.process = process;
		this.input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.US_ASCII);
		this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
	}

	static Worker start() throws IOException {
		return new Worker(
				new ProcessBuilder(System.getProperty("psych.python", "/usr/bin/python3"), "-I", "-S", "-c", LOOP)
					.redirectError(ProcessBuilder.Redirect.DISCARD)
					.start());
	}

	static Worker startIn(Cgroup group) throws IOException {
		Worker worker = start();
		if (!group.attach(worker.pid())) {
			throw new IllegalStateException("the worker has gone");
		}
		return worker;
	}

	long pid() {
		return this.process.pid();
	}

	/**
	 * Run a text and return its variable {@code answer}.
	 * @return the answer, or the name of its error, or {@code null} when it died
	 */
	@Nullable String run(String text) {
		try {
			this.input.write(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + "\n");
			this.input.flush();
			return this.output.readLine();
		}
		catch (IOException ex) {
			return null;
		}
	}

	void kill() {
		this.process.destroyForcibly();
	}

	@Override
	public void close() {
		kill();
		try {
			if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
				throw new IllegalStateException("the worker does not end");
			}
			this.output.close();
			this.input.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			// What was never read went with the process.
			if (this.process.isAlive()) {
				throw new UncheckedIOException(ex);
			}
		}
	}

}
