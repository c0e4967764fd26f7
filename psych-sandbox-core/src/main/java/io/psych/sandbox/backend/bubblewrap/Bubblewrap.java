package io.psych.sandbox.backend.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.psych.sandbox.backend.BackendException;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.Spawner;
import org.jspecify.annotations.Nullable;

/**
 * A bubblewrap of this host that was asked for its version.
 *
 * @param executable its absolute path
 * @param version its version
 */
record Bubblewrap(Path executable, String version) {

	/** The first with both --disable-userns and --size (its release notes). */
	private static final int OLDEST_MINOR = 8;

	private static final int SETUID = 04000;

	private static final int PATIENCE_SECONDS = 5;

	private static final Pattern VERSION = Pattern.compile("bubblewrap (\\d{1,4})\\.(\\d{1,4})\\S*");

	private static final String INSTALL = "Install it (apt-get install bubblewrap, dnf install bubblewrap,"
			+ " apk add bubblewrap), or set psych.sandbox.bubblewrap.executable to its path.";

	private static final List<Path> USUAL = List.of(Path.of("/usr/bin/bwrap"), Path.of("/usr/local/bin/bwrap"),
			Path.of("/bin/bwrap"));

	static Bubblewrap find(@Nullable Path configured, Spawner spawner) throws BackendException, InterruptedException {
		if (configured != null) {
			if (!configured.isAbsolute() || !Files.isExecutable(configured)) {
				throw new BackendException(configured + " is not the absolute path of an executable file", INSTALL);
			}
			return inspect(configured, spawner);
		}
		for (Path candidate : USUAL) {
			if (Files.isExecutable(candidate)) {
				return inspect(candidate, spawner);
			}
		}
		throw new BackendException("bwrap is not installed in /usr/bin, /usr/local/bin or /bin", INSTALL);
	}

	private static Bubblewrap inspect(Path executable, Spawner spawner) throws BackendException, InterruptedException {
		try {
			if (((int) Files.getAttribute(executable, "unix:mode") & SETUID) != 0) {
				throw new BackendException(executable + " is a setuid copy, which runs as root until it has set up",
						"Remove the setuid bit and allow unprivileged user namespaces instead.");
			}
			String answer = version(executable, spawner);
			Matcher matcher = VERSION.matcher(answer.strip());
			if (!matcher.matches()) {
				throw new BackendException(executable + " did not answer as bubblewrap does", INSTALL);
			}
			if (Integer.parseInt(matcher.group(1)) == 0 && Integer.parseInt(matcher.group(2)) < OLDEST_MINOR) {
				throw new BackendException(answer.strip() + " is too old", "Install bubblewrap 0." + OLDEST_MINOR
						+ ".0 or newer, which can forbid nested user namespaces and bound a tmpfs.");
			}
			return new Bubblewrap(executable, answer.strip().substring("bubblewrap ".length()));
		}
		catch (IOException ex) {
			throw new BackendException(executable + " can't be run: " + ex.getMessage(), INSTALL, ex);
		}
	}

	private static String version(Path executable, Spawner spawner)
			throws IOException, BackendException, InterruptedException {
		ChildProcess process = spawner
			.start(new ChildCommand(List.of(executable.toString(), "--version"), Map.of(), Path.of("/")));
		try {
			process.exit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
			return process.said(process.stdout());
		}
		catch (TimeoutException | ExecutionException ex) {
			throw new BackendException(executable + " --version did not end within " + PATIENCE_SECONDS + " s", INSTALL,
					ex);
		}
		finally {
			process.tree().killForcibly();
			process.close();
		}
	}

}
