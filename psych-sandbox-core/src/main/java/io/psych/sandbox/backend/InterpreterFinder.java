package io.psych.sandbox.backend;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.psych.sandbox.bootstrap.BootstrapSources;
import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.ExitStatus;
import io.psych.sandbox.spawn.Spawner;
import org.jspecify.annotations.Nullable;

/**
 * Finds the interpreter by running it: the same run compiles the child for it.
 *
 * @since 0.1.0
 */
public final class InterpreterFinder {

	/** A wedged file system must not hang the start of a service. */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final int OLDEST_MINOR = 9;

	private static final List<Path> USUAL = List.of(Path.of("/usr/bin/python3"), Path.of("/usr/local/bin/python3"));

	private final InstanceFolder folder;

	private final Spawner spawner;

	/**
	 * Create a new finder.
	 * @param folder where the compiled child is written
	 * @param spawner starts the interpreter
	 */
	public InterpreterFinder(InstanceFolder folder, Spawner spawner) {
		this.folder = folder;
		this.spawner = spawner;
	}

	/**
	 * Run an interpreter and compile the child for it.
	 * @param configured the interpreter an operator names: an absolute path, or a bare
	 * name that is looked up on this JVM's PATH; {@code null} to take the first usual one
	 * that works
	 * @return the interpreter
	 * @throws BackendException if none can be used; says why
	 * @throws InterruptedException if the caller was interrupted
	 */
	public Interpreter find(@Nullable Path configured) throws BackendException, InterruptedException {
		try {
			BootstrapSources.copyTo(this.folder.sources());
		}
		catch (IOException ex) {
			throw new BackendException("the child's sources can't be written: " + ex.getMessage(), null, ex);
		}
		if (configured != null) {
			return inspect(resolve(configured));
		}
		List<String> problems = new ArrayList<>();
		for (Path candidate : candidates()) {
			try {
				return inspect(candidate);
			}
			catch (BackendException ex) {
				problems.add(ex.getMessage());
			}
		}
		throw new BackendException(
				problems.isEmpty() ? "no python3 is installed in the usual places or on the PATH"
						: String.join("; ", problems),
				"Install python3 (3." + OLDEST_MINOR + " or newer), or set psych.sandbox.interpreter to its path.");
	}

	private static Path resolve(Path configured) throws BackendException {
		String fix = "Set psych.sandbox.interpreter to the absolute path of a python3.";
		if (configured.isAbsolute()) {
			if (!Files.isExecutable(configured)) {
				throw new BackendException(configured + " is not an executable file", fix);
			}
			return configured;
		}
		if (configured.getNameCount() == 1) {
			for (Path candidate : onPath(configured.toString())) {
				return candidate;
			}
			throw new BackendException(configured + " is not on the PATH of this JVM", fix);
		}
		throw new BackendException(configured + " is a relative path", fix);
	}

	private static Set<Path> candidates() {
		Set<Path> candidates = new LinkedHashSet<>();
		USUAL.stream().filter(Files::isExecutable).forEach(candidates::add);
		candidates.addAll(onPath("python3"));
		return candidates;
	}

	private static List<Path> onPath(String name) {
		String path = System.getenv("PATH");
		List<Path> found = new ArrayList<>();
		for (String folder : (path != null) ? path.split(File.pathSeparator) : new String[0]) {
			Path candidate = Path.of(folder, name);
			if (candidate.isAbsolute() && Files.isExecutable(candidate)) {
				found.add(candidate);
			}
		}
		return found;
	}

	private Interpreter inspect(Path candidate) throws BackendException, InterruptedException {
		Interpreter told = told(candidate.toString(), run(candidate));
		try {
			Set<Path> prefixes = new LinkedHashSet<>();
			for (Path prefix : told.prefixes()) {
				prefixes.add(prefix.toRealPath());
			}
			return new Interpreter(told.executable().toRealPath(), told.version(), List.copyOf(prefixes),
					Packages.NONE);
		}
		catch (IOException ex) {
			throw new BackendException(candidate + " can't be resolved to one absolute path: " + ex.getMessage(), null,
					ex);
		}
	}

	/**
	 * Return the interpreter that has told about itself when it compiled the child.
	 * @param candidate what to call it in a refusal
	 * @param answer what it printed
	 * @return the interpreter, its paths as it knows them
	 * @throws BackendException if it is none that can be used
	 */
	public static Interpreter told(String candidate, String answer) throws BackendException {
		JsonValue facts;
		try {
			facts = JsonValue.parse(answer);
		}
		catch (JsonFormatException ex) {
			throw new BackendException(candidate + " is not a Python: it did not answer as one does", null, ex);
		}
		String version = facts.string("version");
		String executable = facts.string("executable");
		String prefix = facts.string("prefix");
		String execPrefix = facts.string("execPrefix");
		if (version == null || executable == null || prefix == null || execPrefix == null
				|| !"cpython".equals(facts.string("implementation"))) {
			throw new BackendException(candidate + " is not a CPython", null);
		}
		String[] numbers = version.split("\\.");
		if (!"3".equals(numbers[0]) || Integer.parseInt(numbers[1]) < OLDEST_MINOR) {
			throw new BackendException(
					candidate + " is Python " + version + ", but 3." + OLDEST_MINOR + " is the oldest that can be used",
					null);
		}
		return new Interpreter(Path.of(executable), version, List.of(Path.of(prefix), Path.of(execPrefix)),
				Packages.NONE);
	}

	private String run(Path candidate) throws BackendException, InterruptedException {
		Path target = this.folder.bootstrap();
		ChildCommand command = new ChildCommand(
				// Without columns in its tables the file is a twelfth smaller, which
				// every child reads.
				List.of(candidate.toString(), "-I", "-S", "-B", "-X", "utf8", "-X", "no_debug_ranges",
						this.folder.sources().resolve(BootstrapSources.BUNDLER).toString(),
						this.folder.sources().toString(), target.toString()),
				Map.of("LANG", "C.UTF-8"), this.folder.sources());
		ChildProcess process = null;
		try {
			process = this.spawner.start(command);
			ExitStatus status = process.exit().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
			String output = process.said(process.stdout());
			if (status.code() != 0) {
				String said = process.said(process.stderr()).strip();
				throw new BackendException(candidate + " can't run the child's script, it ended with status "
						+ status.code() + (said.isEmpty() ? "" : ": " + said), null);
			}
			if (!Files.isRegularFile(target)) {
				throw new BackendException(candidate + " is not a Python: it ended without running the child's script",
						null);
			}
			Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r--r--"));
			return output;
		}
		catch (TimeoutException ex) {
			throw new BackendException(candidate + " did not answer within " + PATIENCE.toSeconds() + " s", null, ex);
		}
		catch (IOException ex) {
			throw new BackendException(candidate + " can't be run: " + ex.getMessage(), null, ex);
		}
		catch (ExecutionException ex) {
			throw new BackendException(candidate + " can't be watched: " + ex.getMessage(), null, ex);
		}
		finally {
			if (process != null) {
				process.tree().killForcibly();
				process.close();
			}
		}
	}

}
