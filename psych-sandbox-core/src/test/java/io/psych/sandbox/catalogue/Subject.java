package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.Containers;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.SandboxBuilder;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import org.jspecify.annotations.Nullable;

/**
 * A backend under test: a sandbox of it, and what an honest program's execution is graded
 * with.
 */
final class Subject implements AutoCloseable {

	private static final Duration GRACE = Duration.ofMillis(500);

	private static final int WIDE_UID = 10_000_000;

	private final String backend;

	private final Path folder;

	private final CatalogueTools tools = new CatalogueTools();

	private final Sandbox sandbox;

	private final IsolationReport honest;

	private final Stage stage = new Stage();

	/**
	 * As many and as large as calls can be: a budget must not be what holds a flood back.
	 */
	private static final CallLimits CALLS = new CallLimits(1_000_000, 1_000_000, ByteSize.ofMebibytes(12),
			ByteSize.ofMebibytes(12), ByteSize.ofMebibytes(4096), ByteSize.ofMebibytes(8));

	/** A sandbox whose interpreter and launcher are those of the stage. */
	private final Sandbox staged;

	private final Map<Guarantee, Boolean> refused = new EnumMap<>(Guarantee.class);

	private final @Nullable String runAs;

	Subject(String backend, Path folder, @Nullable String runAs) throws IOException {
		this.backend = backend;
		this.runAs = runAs;
		this.folder = Files.createDirectory(folder);
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.sandbox = builder().build();
		// Waits for the proof of the CPU limit, which must not run beside a hostile
		// program.
		this.sandbox.isolation();
		this.honest = this.sandbox.run(RunRequest.of("1")).isolation();
		Limits limits = Limits.defaults();
		SandboxBuilder builder = builder();
		if (isContainer()) {
			builder.container(Containers.settings().withEngine(this.stage.engine().toString()));
		}
		else {
			builder.interpreter(this.stage.interpreter()).bubblewrap(this.stage.launcher());
		}
		this.staged = builder
			.limits(new Limits(limits.cpu(), limits.wallTime(), limits.toolTimeout(), limits.addressSpace(),
					limits.fileSize(), limits.workspace(), limits.processes(), limits.stream(), limits.value(),
					ByteSize.ofMebibytes(15)))
			.build();
		this.staged.isolation();
	}

	SandboxBuilder builder() {
		SandboxBuilder builder = Sandbox.builder()
			.backend(this.backend)
			.limits(Limits.defaults().withCalls(CALLS))
			.folder(this.folder)
			.tools(this.tools.catalog())
			.teardownGrace(GRACE);
		if (isContainer()) {
			builder.container(Containers.settings());
		}
		return (this.runAs != null) ? builder.runAs(this.runAs) : builder;
	}

	String backend() {
		return this.backend;
	}

	boolean isContainer() {
		return this.backend.equals("container");
	}

	Path folder() {
		return this.folder;
	}

	CatalogueTools tools() {
		return this.tools;
	}

	IsolationReport honest() {
		return this.honest;
	}

	/**
	 * Return a sandbox that many executions can use at once.
	 * @param executions how many
	 */
	Sandbox wide(int executions) {
		int first = WIDE_UID + (int) (ProcessHandle.current().pid() % 1000) * 1000;
		return ((this.runAs != null) ? builder().runAs(first + "-" + (first + executions - 1)) : builder()).build();
	}

	Stage stage() {
		return this.stage;
	}

	RunResult run(String program, Limits limits) {
		return run(program, limits, new Cancellation());
	}

	RunResult run(String program, Limits limits, Cancellation cancellation) {
		return this.sandbox.run(RunRequest.of(program).withLimits(limits), cancellation);
	}

	RunResult runStaged(String program, Duration wallTime) {
		return this.staged.run(RunRequest.of(program).withLimits(this.staged.limits().withWallTime(wallTime)));
	}

	/**
	 * Return whether a caller that requires a guarantee is refused before the program is
	 * sent.
	 */
	boolean refuses(Guarantee guarantee) {
		return this.refused.computeIfAbsent(guarantee,
				(absent) -> refuses(this.sandbox, new Requirement(Level.PROCESS, Set.of(guarantee))));
	}

	boolean refusesStaged(Requirement requirement) {
		return refuses(this.staged, requirement);
	}

	private boolean refuses(Sandbox sandbox, Requirement requirement) {
		int before = this.tools.received();
		RunResult result = sandbox.run(RunRequest.of("await echo(value=1)").withRequire(requirement));
		return result.failure() != null && result.failure().kind() == FailureKind.ISOLATION_UNAVAILABLE
				&& this.tools.received() == before;
	}

	boolean isEnforced(Guarantee guarantee) {
		return this.honest.grade(guarantee) == Grade.ENFORCED;
	}

	/**
	 * Return the limits of a variant: short ones, and what its head says.
	 */
	static Limits limits(HostileProgram.Variant variant) {
		Limits limits = Limits.defaults()
			.withCalls(CALLS)
			.withCpu(Duration.ofSeconds(3))
			.withWallTime(Duration.ofSeconds(10));
		for (String limit : variant.limits()) {
			String[] parts = limit.split(" ");
			limits = switch (parts[0]) {
				case "cpu" -> limits.withCpu(time(parts[1]));
				case "wall" -> limits.withWallTime(time(parts[1]));
				case "address-space" -> limits.withAddressSpace(size(parts[1]));
				case "processes" -> limits.withProcesses(Integer.parseInt(parts[1]));
				case "stream" -> limits.withStream(size(parts[1]));
				case "value" -> limits.withValue(size(parts[1]));
				case "files" -> files(limits, size(parts[1]), size(parts[2]));
				default -> throw new IllegalArgumentException("there is no limit " + parts[0]);
			};
		}
		return limits;
	}

	private static Limits files(Limits limits, ByteSize one, ByteSize all) {
		return new Limits(limits.cpu(), limits.wallTime(), limits.toolTimeout(), limits.addressSpace(), one, all,
				limits.processes(), limits.stream(), limits.value(), limits.program());
	}

	private static Duration time(String text) {
		return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
	}

	private static ByteSize size(String text) {
		return text.endsWith("MB") ? ByteSize.ofMebibytes(Long.parseLong(text.substring(0, text.length() - 2)))
				: ByteSize.ofBytes(Long.parseLong(text));
	}

	@Override
	public void close() throws IOException {
		this.sandbox.close();
		this.staged.close();
		this.stage.close();
	}

}
