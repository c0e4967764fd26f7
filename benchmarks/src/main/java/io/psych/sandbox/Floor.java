package io.psych.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * What this host can do without us: bare commands, a bare pipe. Everything of ours is
 * told as a ratio to one of these, measured in the same run.
 */
final class Floor {

	private static final byte[] LINE = line();

	private final Path interpreter;

	private final List<String> sandboxed;

	/**
	 * Create the floor.
	 * @param interpreter the interpreter
	 */
	Floor(Path interpreter) {
		this.interpreter = interpreter;
		List<String> command = new ArrayList<>(List.of("bwrap", "--as-pid-1", "--unshare-all", "--cap-drop", "ALL",
				"--new-session", "--die-with-parent", "--clearenv", "--uid", "65534", "--gid", "65534", "--ro-bind",
				"/usr", "/usr"));
		for (String folder : List.of("/bin", "/lib", "/lib64")) {
			if (Files.isSymbolicLink(Path.of(folder))) {
				Collections.addAll(command, "--symlink", "usr" + folder, folder);
			}
			else if (Files.isDirectory(Path.of(folder))) {
				Collections.addAll(command, "--ro-bind", folder, folder);
			}
		}
		Collections.addAll(command, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--", interpreter.toString(),
				"-I", "-S", "-c", "pass");
		this.sandboxed = List.copyOf(command);
	}

	/**
	 * Run an interpreter in bare bubblewrap.
	 * @return the nanoseconds from its start to its end being noticed
	 */
	long run() {
		return run(this.sandboxed);
	}

	/**
	 * Run a command that must succeed.
	 * @param command the command
	 * @return the nanoseconds from its start to its end being noticed
	 */
	static long run(List<String> command) {
		long began = System.nanoTime();
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			int status = process.waitFor();
			if (status != 0) {
				throw new IllegalStateException(command + " ended with status " + status);
			}
			return System.nanoTime() - began;
		}
		catch (IOException ex) {
			throw new IllegalStateException(command + " can't be run", ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Send lines of a kilobyte to an interpreter that sends each of them back.
	 * @param lines how many
	 * @return the nanoseconds each took, in order
	 */
	List<Long> echo(int lines) {
		List<Long> taken = new ArrayList<>();
		Process process = start("""
				import os
				while True:
				    data = os.read(0, 65536)
				    if not data:
				        break
				    os.write(1, data)
				""");
		try (OutputStream out = process.getOutputStream(); InputStream in = process.getInputStream()) {
			for (int i = 0; i < lines; i++) {
				long began = System.nanoTime();
				out.write(LINE);
				out.flush();
				in.readNBytes(LINE.length);
				taken.add(System.nanoTime() - began);
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		await(process);
		return taken;
	}

	/**
	 * Let an interpreter write into a pipe and drain it.
	 * @param program the program, which writes to its stdout
	 * @return bytes for each second
	 */
	double drain(String program) {
		Process process = start(program);
		long bytes = 0;
		long began = 0;
		byte[] buffer = new byte[64 * 1024];
		try (InputStream in = process.getInputStream()) {
			for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
				began = (began == 0) ? System.nanoTime() : began;
				bytes += count;
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		long taken = System.nanoTime() - began;
		await(process);
		return bytes * 1e9 / taken;
	}

	private Process start(String program) {
		try {
			return new ProcessBuilder(this.interpreter.toString(), "-I", "-S", "-c", program)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void await(Process process) {
		try {
			process.waitFor();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static byte[] line() {
		byte[] line = new byte[1024];
		Arrays.fill(line, (byte) 'x');
		line[1023] = '\n';
		return line;
	}

	/**
	 * Return the processor time all processes of this host have used.
	 * @return nanoseconds
	 */
	static long processorTime() {
		try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
			String[] fields = lines.findFirst().orElseThrow().trim().split("\\s+");
			// user, nice, system; then idle and waiting, which do not count, and
			// interrupts
			long ticks = Stream.of(1, 2, 3, 6, 7).mapToLong((field) -> Long.parseLong(fields[field])).sum();
			return ticks * 10_000_000L;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
