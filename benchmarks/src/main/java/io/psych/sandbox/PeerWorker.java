package io.psych.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A peer that is a library, in a process that stays: for each line it does the job the
 * line names, and answers with the nanoseconds that took. It is started with the first.
 */
final class PeerWorker implements AutoCloseable {

	private final ProcessBuilder builder;

	private final Path log;

	private @Nullable Process process;

	private @Nullable BufferedReader answers;

	/**
	 * Create the worker.
	 * @param directory where it is started
	 * @param command the command
	 */
	PeerWorker(Path directory, List<String> command) {
		this.log = directory.resolveSibling(Path.of(command.get(0)).getFileName() + ".log");
		this.builder = new ProcessBuilder(command).directory(directory.toFile()).redirectError(this.log.toFile());
	}

	/**
	 * Let it do a job.
	 * @param job the name of the job
	 * @return the nanoseconds it took, as the worker says
	 * @throws PeerException when it does not work
	 */
	long run(String job) throws PeerException {
		try {
			Process worker = this.process;
			BufferedReader reader = this.answers;
			if (worker == null || reader == null) {
				worker = this.builder.start();
				reader = new BufferedReader(new InputStreamReader(worker.getInputStream(), StandardCharsets.UTF_8));
				this.process = worker;
				this.answers = reader;
			}
			if (!worker.isAlive()) {
				throw ended();
			}
			worker.getOutputStream().write((job + "\n").getBytes(StandardCharsets.UTF_8));
			worker.getOutputStream().flush();
			String answer = reader.readLine();
			if (answer == null) {
				throw ended();
			}
			return Long.parseLong(answer);
		}
		catch (IOException | NumberFormatException ex) {
			throw new PeerException(String.valueOf(ex.getMessage()));
		}
	}

	private PeerException ended() {
		return new PeerException("it ended, " + this.log + " says why");
	}

	@Override
	public void close() {
		if (this.process != null) {
			this.process.destroy();
		}
	}

}
