package io.psych.sandbox.limits;

import java.time.Duration;

/**
 * How much of the host one execution may use. Every bound is inclusive, and a set of
 * limits that can't hold together is refused when it is made, not when it is first hit.
 *
 * @param cpu CPU time one process of the program may consume, in whole seconds; waiting
 * for a tool costs none. The kernel's limit counts seconds ({@code setrlimit(2)}).
 * @param wallTime time from the program being sent to the end of its execution, waiting
 * for tools included
 * @param toolTimeout time one tool call may take
 * @param addressSpace virtual memory of one process; beyond it an allocation fails and
 * the program sees a {@code MemoryError}
 * @param fileSize size of one file the program writes
 * @param workspace all bytes the program's writable folders may hold together, where the
 * backend has a bounded file system for them
 * @param processes processes and threads the program may have at once
 * @param stream bytes shown of each of stdout and stderr: the head and the tail, with the
 * middle counted
 * @param capture bytes kept of each of stdout and stderr to be read later, held in memory
 * while the program is running; beyond it the head and the tail are kept
 * @param value bytes of the value the program hands back, as JSON
 * @param program bytes of the program's text, as UTF-8
 * @param calls how much of the host's tools it may use
 * @param artifacts how much of what it leaves in its workspace is collected
 * @since 0.1.0
 */
public record Limits(Duration cpu, Duration wallTime, Duration toolTimeout, ByteSize addressSpace, ByteSize fileSize,
		ByteSize workspace, int processes, ByteSize stream, ByteSize capture, ByteSize value, ByteSize program,
		CallLimits calls, ArtifactLimits artifacts) {

	/** Of a program that prints much, what a model or a person reads later. */
	private static final ByteSize CAPTURE = ByteSize.ofMebibytes(1);

	/**
	 * The most that one frame of the wire carries. A frame is buffered whole before it is
	 * parsed, so this is also what one hostile line can make the host hold.
	 */
	public static final ByteSize FRAME = FrameSize.MOST;

	/** CPython needs about 20 MiB of address space before a program's first line. */
	private static final ByteSize SMALLEST_ADDRESS_SPACE = ByteSize.ofMebibytes(48);

	/** What the host adds to a time must still be a time, also in nanoseconds. */
	private static final Duration LONGEST = Duration.ofDays(365);

	/** It is held in memory, in arrays. */
	private static final ByteSize MOST_CAPTURE = ByteSize.ofBytes(Integer.MAX_VALUE / 4);

	private static final Limits DEFAULTS = new Limits(Duration.ofSeconds(10), Duration.ofSeconds(30),
			Duration.ofSeconds(20), ByteSize.ofMebibytes(512), ByteSize.ofMebibytes(10), ByteSize.ofMebibytes(64), 64,
			ByteSize.ofKibibytes(64), ByteSize.ofKibibytes(64), ByteSize.ofMebibytes(1));

	private static final ByteSize MOST_BYTES = ByteSize.ofBytes(Long.MAX_VALUE);

	private static final Limits WIDEST = new Limits(LONGEST, LONGEST, LONGEST, MOST_BYTES, MOST_BYTES, MOST_BYTES,
			Integer.MAX_VALUE, FrameSize.MOST_VALUE, MOST_CAPTURE, FrameSize.MOST_VALUE, FrameSize.MOST_VALUE,
			CallLimits.widest(), ArtifactLimits.widest());

	public Limits {
		check("cpu", cpu, cpu.toSeconds() >= 1 && cpu.toNanosPart() == 0, "but must be whole seconds, at least one",
				"Set it to 1s or more.");
		countable("cpu", cpu);
		positive("wallTime", wallTime);
		countable("wallTime", wallTime);
		positive("toolTimeout", toolTimeout);
		check("toolTimeout", toolTimeout, toolTimeout.compareTo(wallTime) <= 0,
				"but the wall clock ends the execution after " + wallTime,
				"Set toolTimeout to at most wallTime, or raise wallTime.");
		check("addressSpace", addressSpace, addressSpace.compareTo(SMALLEST_ADDRESS_SPACE) >= 0,
				"but the interpreter itself needs " + SMALLEST_ADDRESS_SPACE, "Set it to 64MB or more.");
		positive("fileSize", fileSize);
		positive("workspace", workspace);
		check("fileSize", fileSize, fileSize.compareTo(workspace) <= 0,
				"but all files together may hold only " + workspace,
				"Set fileSize to at most workspace, or raise workspace.");
		check("processes", processes, processes >= 1, "but the program itself is one", "Set it to 1 or more.");
		positive("stream", stream);
		positive("capture", capture);
		check("capture", capture, capture.compareTo(stream) >= 0, "but " + stream + " of each stream are shown",
				"Set it to at least stream, or lower stream.");
		check("capture", capture, capture.compareTo(MOST_CAPTURE) <= 0, "but it is held in memory",
				"Set it to 256MB or less.");
		positive("value", value);
		positive("program", program);
		fitsFrame("stream", stream);
		fitsFrame("value", value);
		fitsFrame("program", program);
	}

	/**
	 * Create limits with the capture, calls and artifacts of a deployment that says
	 * nothing.
	 * @param cpu processor time of one process
	 * @param wallTime time of the execution
	 * @param toolTimeout time of one tool call
	 * @param addressSpace virtual memory of one process
	 * @param fileSize size of one file
	 * @param workspace all bytes of the writable folders
	 * @param processes processes and threads at once
	 * @param stream bytes kept of each stream
	 * @param value bytes of the value
	 * @param program bytes of the program
	 */
	public Limits(Duration cpu, Duration wallTime, Duration toolTimeout, ByteSize addressSpace, ByteSize fileSize,
			ByteSize workspace, int processes, ByteSize stream, ByteSize value, ByteSize program) {
		this(cpu, wallTime, toolTimeout, addressSpace, fileSize, workspace, processes, stream,
				(stream.compareTo(CAPTURE) > 0) ? stream : CAPTURE, value, program, CallLimits.defaults(),
				ArtifactLimits.defaults());
	}

	/**
	 * Return the limits of an execution nobody thought about.
	 * @return the defaults
	 */
	public static Limits defaults() {
		return DEFAULTS;
	}

	/**
	 * Return limits that are nowhere below any others: for those who narrow only some of
	 * them. Not for a deployment, whose host they would not spare.
	 * @return the limits that narrow nothing
	 */
	public static Limits widest() {
		return WIDEST;
	}

	/**
	 * Return the stricter of these limits and others, one by one.
	 * @param other the other limits
	 * @return limits that are nowhere above either
	 */
	public Limits intersect(Limits other) {
		Duration wall = min(this.wallTime, other.wallTime);
		ByteSize files = min(this.workspace, other.workspace);
		ByteSize captured = min(this.capture, other.capture);
		return new Limits(min(this.cpu, other.cpu), wall, min(min(this.toolTimeout, other.toolTimeout), wall),
				min(this.addressSpace, other.addressSpace), min(min(this.fileSize, other.fileSize), files), files,
				Math.min(this.processes, other.processes), min(min(this.stream, other.stream), captured), captured,
				min(this.value, other.value), min(this.program, other.program), this.calls.intersect(other.calls),
				this.artifacts.intersect(other.artifacts));
	}

	/**
	 * Return these limits with another CPU time.
	 * @param cpu the CPU time
	 * @return the new limits
	 */
	public Limits withCpu(Duration cpu) {
		return new Limits(cpu, this.wallTime, this.toolTimeout, this.addressSpace, this.fileSize, this.workspace,
				this.processes, this.stream, this.capture, this.value, this.program, this.calls, this.artifacts);
	}

	/**
	 * Return these limits with another wall clock; a longer tool timeout is shortened to
	 * it.
	 * @param wallTime the wall clock
	 * @return the new limits
	 */
	public Limits withWallTime(Duration wallTime) {
		return new Limits(this.cpu, wallTime, min(this.toolTimeout, wallTime), this.addressSpace, this.fileSize,
				this.workspace, this.processes, this.stream, this.capture, this.value, this.program, this.calls,
				this.artifacts);
	}

	/**
	 * Return these limits with another address space.
	 * @param addressSpace the address space
	 * @return the new limits
	 */
	public Limits withAddressSpace(ByteSize addressSpace) {
		return new Limits(this.cpu, this.wallTime, this.toolTimeout, addressSpace, this.fileSize, this.workspace,
				this.processes, this.stream, this.capture, this.value, this.program, this.calls, this.artifacts);
	}

	/**
	 * Return these limits with another process count.
	 * @param processes the process count
	 * @return the new limits
	 */
	public Limits withProcesses(int processes) {
		return new Limits(this.cpu, this.wallTime, this.toolTimeout, this.addressSpace, this.fileSize, this.workspace,
				processes, this.stream, this.capture, this.value, this.program, this.calls, this.artifacts);
	}

	/**
	 * Return these limits with another preview of the streams.
	 * @param stream the bytes shown of each stream; more than is kept raises that as well
	 * @return the new limits
	 */
	public Limits withStream(ByteSize stream) {
		return new Limits(this.cpu, this.wallTime, this.toolTimeout, this.addressSpace, this.fileSize, this.workspace,
				this.processes, stream, (stream.compareTo(this.capture) > 0) ? stream : this.capture, this.value,
				this.program, this.calls, this.artifacts);
	}

	/**
	 * Return these limits with another capture cap.
	 * @param capture the bytes kept of each stream; less than is shown lowers that as
	 * well
	 * @return the new limits
	 */
	public Limits withCapture(ByteSize capture) {
		return new Limits(this.cpu, this.wallTime, this.toolTimeout, this.addressSpace, this.fileSize, this.workspace,
				this.processes, min(this.stream, capture), capture, this.value, this.program, this.calls,
				this.artifacts);
	}

	/**
	 * Return these limits with others of artifacts.
	 * @param artifacts how much of what a program leaves is collected
	 * @return the new limits
	 */
	public Limits withArtifacts(ArtifactLimits artifacts) {
		return new Limits(this.cpu, this.wallTime, this.toolTimeout, this.addressSpace, this.fileSize, this.workspace,
				this.processes, this.stream, this.capture, this.value, this.program, this.calls, artifacts);
	}

	/**
	 * Return these limits with another value cap.
	 * @param value the bytes of the value
	 * @return the new limits
	 */
	public Limits withValue(ByteSize value) {
		return new Limits(this.cpu, this.wallTime, this.toolTimeout, this.addressSpace, this.fileSize, this.workspace,
				this.processes, this.stream, this.capture, value, this.program, this.calls, this.artifacts);
	}

	/**
	 * Return these limits with others of calls.
	 * @param calls how much of the host's tools a program may use
	 * @return the new limits
	 */
	public Limits withCalls(CallLimits calls) {
		return new Limits(this.cpu, this.wallTime, this.toolTimeout, this.addressSpace, this.fileSize, this.workspace,
				this.processes, this.stream, this.capture, this.value, this.program, calls, this.artifacts);
	}

	private static void positive(String name, Duration value) {
		check(name, value, !value.isNegative() && !value.isZero(), "but must be positive", "Set it to 1s or more.");
	}

	private static void positive(String name, ByteSize value) {
		check(name, value, value.bytes() > 0, "but must be positive", "Set it to 1KB or more.");
	}

	private static void countable(String name, Duration value) {
		check(name, value, value.compareTo(LONGEST) <= 0, "but the longest that can be counted is " + LONGEST,
				"Set it to 365d or less.");
	}

	private static void fitsFrame(String name, ByteSize value) {
		check(name, value, value.compareTo(FrameSize.MOST_VALUE) <= 0,
				"but one frame of the wire carries " + FRAME + ", so at most " + FrameSize.MOST_VALUE,
				"Set it to 15MB or less.");
	}

	private static void check(String name, Object value, boolean holds, String problem, String fix) {
		if (!holds) {
			throw new LimitException(name, value.toString(), problem, fix);
		}
	}

	private static <T extends Comparable<T>> T min(T left, T right) {
		return (left.compareTo(right) <= 0) ? left : right;
	}

}
