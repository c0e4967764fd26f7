package io.psych.sandbox.spawn;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * How a process ended. A death by signal reads as 128 plus its number, as in a shell,
 * because that is what both Java and bubblewrap hand on.
 *
 * @param code the exit status, 0 to 255
 * @since 0.1.0
 */
public record ExitStatus(int code) {

	private static final int SIGNAL_BASE = 128;

	private static final Map<Integer, String> SIGNALS = Map.ofEntries(Map.entry(1, "SIGHUP"), Map.entry(2, "SIGINT"),
			Map.entry(3, "SIGQUIT"), Map.entry(4, "SIGILL"), Map.entry(5, "SIGTRAP"), Map.entry(6, "SIGABRT"),
			Map.entry(7, "SIGBUS"), Map.entry(8, "SIGFPE"), Map.entry(9, "SIGKILL"), Map.entry(10, "SIGUSR1"),
			Map.entry(11, "SIGSEGV"), Map.entry(12, "SIGUSR2"), Map.entry(13, "SIGPIPE"), Map.entry(14, "SIGALRM"),
			Map.entry(15, "SIGTERM"), Map.entry(24, "SIGXCPU"), Map.entry(25, "SIGXFSZ"), Map.entry(31, "SIGSYS"));

	/**
	 * Return the signal that the status stands for.
	 * @return its name, or {@code null} when the process ended by itself
	 */
	public @Nullable String signal() {
		return SIGNALS.get(this.code - SIGNAL_BASE);
	}

}
