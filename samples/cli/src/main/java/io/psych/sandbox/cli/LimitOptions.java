package io.psych.sandbox.cli;

import java.time.Duration;

import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options for how much of the host the program may use.
 */
final class LimitOptions {

	@Option(names = "--cpu", paramLabel = "TIME",
			description = "CPU time of one process, whole seconds (default: 10s).")
	private @Nullable Duration cpu;

	@Option(names = "--wall", paramLabel = "TIME", description = "Time until the program is ended (default: 30s).")
	private @Nullable Duration wall;

	@Option(names = "--memory", paramLabel = "SIZE", description = "Address space of one process (default: 512MB).")
	private @Nullable ByteSize memory;

	@Option(names = "--processes", paramLabel = "COUNT", description = "Processes and threads at once (default: 64).")
	private @Nullable Integer processes;

	Limits limits() {
		Limits limits = Limits.defaults();
		limits = (this.cpu != null) ? limits.withCpu(this.cpu) : limits;
		limits = (this.wall != null) ? limits.withWallTime(this.wall) : limits;
		limits = (this.memory != null) ? limits.withAddressSpace(this.memory) : limits;
		limits = (this.processes != null) ? limits.withProcesses(this.processes) : limits;
		return limits;
	}

}
