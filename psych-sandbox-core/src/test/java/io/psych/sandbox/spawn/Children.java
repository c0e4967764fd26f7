package io.psych.sandbox.spawn;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Starts children that carry a marker in their environment, as everything below them
 * does, so that what a test leaves behind is found wherever it has gone.
 */
final class Children {

	static final String PYTHON = System.getProperty("psych.python", "/usr/bin/python3");

	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

	private final String marker = "psych-test-" + UUID.randomUUID();

	private final Spawner spawner;

	Children() {
		this(new Spawner());
	}

	Children(Spawner spawner) {
		this.spawner = spawner;
	}

	ChildProcess start(String... arguments) throws IOException, InterruptedException {
		return start(Map.of(), arguments);
	}

	ChildProcess start(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
		Map<String, String> all = new LinkedHashMap<>(environment);
		all.put("MARKER", this.marker);
		return this.spawner.start(new ChildCommand(List.of(arguments), all, Path.of("/")));
	}

	ChildProcess python(String program) throws IOException, InterruptedException {
		return start(PYTHON, "-I", "-S", "-u", "-c", program);
	}

	/** Start a program below a process that adopts its orphans. */
	ChildProcess supervised(String program) throws IOException, InterruptedException {
		try {
			Path supervisor = Path.of(Children.class.getResource("supervisor.py").toURI());
			return start(PYTHON, "-I", "-S", "-u", supervisor.toString(), program);
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Start a program as the init of a pid namespace, whose only parent waits for it. */
	ChildProcess inPidNamespace(String program) throws IOException, InterruptedException {
		List<String> arguments = new ArrayList<>(List.of("/usr/bin/unshare", "--pid", "--fork"));
		if (!HostUser.current().isRoot()) {
			arguments.add("--user");
		}
		arguments.addAll(List.of(PYTHON, "-I", "-S", "-u", "-c", program));
		return start(arguments.toArray(new String[0]));
	}

	String marker() {
		return this.marker;
	}

	/** Return the command lines of all processes that carry the marker. */
	List<String> alive() {
		List<String> found = new ArrayList<>();
		try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
			for (Path process : processes) {
				if (read(process.resolve("environ")).contains(this.marker)) {
					found.add(process.getFileName() + " " + read(process.resolve("cmdline")).replace('\0', ' '));
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return found;
	}

	/** Wait until so many processes carry the marker, and return them. */
	List<String> awaitAlive(int count) {
		long deadline = System.nanoTime() + PATIENCE;
		List<String> alive = alive();
		while (alive.size() != count && System.nanoTime() - deadline < 0) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
			alive = alive();
		}
		return alive;
	}

	static String firstLine(InputStream stream) throws IOException {
		return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8)).readLine();
	}

	static String text(InputStream stream) throws IOException {
		return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
	}

	private static String read(Path file) {
		try {
			return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			// The process has gone, or is another user's.
			return "";
		}
	}

}
