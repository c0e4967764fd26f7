package io.psych.sandbox.seccomp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A deny-list of system calls as a classic BPF program (seccomp(2)). A list of what is
 * allowed would be stricter, but breaks with every C library that begins to use a new
 * call.
 * <p>
 * Calls of a foreign architecture, the 32-bit entry and x32 among them, end the process:
 * their numbers mean something else. {@code clone3} and {@code io_uring} answer
 * {@code ENOSYS}, since a filter can't see the structures they read; C libraries fall
 * back to calls it can see. The core limit is pinned, the only sockets are
 * {@code socketpair}s, and no lease or watch is to be had on a file that others share.
 *
 * @since 0.1.0
 */
public final class SeccompFilter {

	// Offsets in struct seccomp_data, little-endian.
	private static final int NUMBER = 0;

	private static final int ARCHITECTURE = 4;

	private static final int ARGUMENTS = 16;

	private static final int ALLOW = 0x7FFF0000;

	private static final int KILL_PROCESS = 0x80000000;

	private static final int ERRNO = 0x00050000;

	private static final int EPERM = 1;

	private static final int ENOSYS = 38;

	private static final int X32 = 0x40000000;

	private static final int AF_UNIX = 1;

	/**
	 * The bit that SOCK_DGRAM (2) and SOCK_RAW (3) have, and neither SOCK_STREAM nor
	 * SOCK_SEQPACKET.
	 */
	private static final int DATAGRAM_OR_RAW = 2;

	/** AF_INET, AF_INET6, and AF_NETLINK, which resolving a name takes. */
	private static final int[] NETWORK_FAMILIES = { 2, 10, 16 };

	private static final int RLIMIT_CORE = 4;

	/**
	 * Every CLONE_NEW flag of clone(2), CLONE_NEWTIME left out, which clone does not
	 * take.
	 */
	private static final int NAMESPACES = 0x7E020000;

	/** TIOCSTI and TIOCLINUX. */
	private static final int[] PUSH_KEYSTROKES = { 0x5412, 0x541C };

	/**
	 * F_SETLEASE, F_NOTIFY, F_SET_RW_HINT and F_SETDELEG. Whoever opens a leased file
	 * waits for its holder; the hint is kept with the file, where before Linux 6.9 every
	 * reader could set it.
	 */
	private static final int[] REACH_OTHERS_BY_FILE = { 1024, 1026, 1036, 1040 };

	private static final int[] NOT_IMPLEMENTED = { 435, 425, 426, 427 };

	private final Architecture architecture;

	private final boolean sockets;

	private final BpfAssembler program = new BpfAssembler();

	private final BpfAssembler.Label allow = new BpfAssembler.Label();

	private final BpfAssembler.Label refuse = new BpfAssembler.Label();

	private final BpfAssembler.Label missing = new BpfAssembler.Label();

	private final BpfAssembler.Label kill = new BpfAssembler.Label();

	/** Where the answer to a call is, by its number; all others are allowed. */
	private final NavigableMap<Integer, BpfAssembler.Label> answers = new TreeMap<>();

	/** What looks at arguments. */
	private final List<Runnable> sections = new ArrayList<>();

	private SeccompFilter(Architecture architecture, boolean sockets) {
		this.architecture = architecture;
		this.sockets = sockets;
	}

	/**
	 * Return the filter for an architecture.
	 * @param architecture the architecture
	 * @param sockets whether sockets of the internet families are left open, for an
	 * execution that was granted a network
	 * @return the instructions, eight bytes each, as {@code struct sock_filter} has them
	 */
	public static byte[] denyList(Architecture architecture, boolean sockets) {
		SeccompFilter filter = new SeccompFilter(architecture, sockets);
		filter.assemble();
		return filter.program.bytes();
	}

	private void assemble() {
		this.program.load(ARCHITECTURE);
		this.program.jump(BpfAssembler.EQUAL, this.architecture.audit(), null, this.kill);
		this.program.load(NUMBER);
		if (this.architecture == Architecture.X86_64) {
			this.program.jump(BpfAssembler.AT_LEAST, X32, this.kill, null);
		}
		for (DeniedCall call : DeniedCall.values()) {
			if (call.number(this.architecture) != DeniedCall.NONE) {
				this.answers.put(call.number(this.architecture), this.refuse);
			}
		}
		for (int number : NOT_IMPLEMENTED) {
			this.answers.put(number, this.missing);
		}
		if (this.sockets) {
			section(number(41, 198), this::socket);
		}
		else {
			this.answers.put(number(41, 198), this.refuse);
		}
		section(number(53, 199), this::socketpair);
		section(number(56, 220), () -> refuse(0, BpfAssembler.ANY_BIT, NAMESPACES)); // clone
		section(number(16, 29), () -> refuse(1, BpfAssembler.EQUAL, PUSH_KEYSTROKES)); // ioctl
		section(number(72, 25), () -> refuse(1, BpfAssembler.EQUAL, REACH_OTHERS_BY_FILE)); // fcntl
		section(number(160, 164), () -> refuse(0, BpfAssembler.EQUAL, RLIMIT_CORE)); // setrlimit
		section(number(302, 261), this::pinCoreLimit); // prlimit64
		decide();
		this.sections.forEach(Runnable::run);
		end(this.allow, ALLOW);
		end(this.refuse, ERRNO | EPERM);
		end(this.missing, ERRNO | ENOSYS);
		end(this.kill, KILL_PROCESS);
	}

	private int number(int x86, int arm) {
		return (this.architecture == Architecture.X86_64) ? x86 : arm;
	}

	/** Answer a call by looking at its arguments. */
	private void section(int number, Runnable body) {
		BpfAssembler.Label label = new BpfAssembler.Label();
		this.answers.put(number, label);
		this.sections.add(() -> {
			this.program.place(label);
			body.run();
		});
	}

	/**
	 * Find the answer to a call by halving. When a filter is installed the kernel runs it
	 * for every number there is, to know what needs no filter (seccomp_cache_prepare):
	 * asking for one number after the other took two thirds of that time.
	 */
	private void decide() {
		List<Integer> beginnings = new ArrayList<>(List.of(0));
		List<BpfAssembler.Label> ranges = new ArrayList<>(List.of(this.allow));
		for (Map.Entry<Integer, BpfAssembler.Label> answer : this.answers.entrySet()) {
			begin(beginnings, ranges, answer.getKey(), answer.getValue());
			begin(beginnings, ranges, answer.getKey() + 1, this.allow);
		}
		decide(beginnings, ranges);
	}

	/** Let all numbers from one on have an answer. */
	private static void begin(List<Integer> beginnings, List<BpfAssembler.Label> ranges, int number,
			BpfAssembler.Label answer) {
		int last = beginnings.size() - 1;
		if (beginnings.get(last) == number) {
			beginnings.remove(last);
			ranges.remove(last);
			last--;
		}
		if (last < 0 || ranges.get(last) != answer) {
			beginnings.add(number);
			ranges.add(answer);
		}
	}

	private void decide(List<Integer> beginnings, List<BpfAssembler.Label> ranges) {
		int half = ranges.size() / 2;
		int end = ranges.size();
		BpfAssembler.Label upper = (end - half > 1) ? new BpfAssembler.Label() : ranges.get(half);
		this.program.jump(BpfAssembler.AT_LEAST, beginnings.get(half), upper, (half > 1) ? null : ranges.get(0));
		if (half > 1) {
			decide(beginnings.subList(0, half), ranges.subList(0, half));
		}
		if (end - half > 1) {
			this.program.place(upper);
			decide(beginnings.subList(half, end), ranges.subList(half, end));
		}
	}

	/**
	 * Load the lower half of an argument, which is all the kernel reads of an int.
	 */
	private void argument(int index) {
		this.program.load(ARGUMENTS + index * Long.BYTES);
	}

	/** Refuse a call when an argument passes the test with one of these. */
	private void refuse(int argument, int test, int... values) {
		argument(argument);
		for (int i = 0; i < values.length; i++) {
			this.program.jump(test, values[i], this.refuse, (i < values.length - 1) ? null : this.allow);
		}
	}

	private void socket() {
		argument(0);
		for (int i = 0; i < NETWORK_FAMILIES.length; i++) {
			this.program.jump(BpfAssembler.EQUAL, NETWORK_FAMILIES[i], this.allow,
					(i < NETWORK_FAMILIES.length - 1) ? null : this.refuse);
		}
	}

	private void socketpair() {
		argument(0);
		this.program.jump(BpfAssembler.EQUAL, AF_UNIX, null, this.refuse);
		// A datagram socket of a pair can be connected again, to any path of the host.
		refuse(1, BpfAssembler.ANY_BIT, DATAGRAM_OR_RAW);
	}

	/** prlimit64(pid, resource, new, old) also only reads limits, when new is null. */
	private void pinCoreLimit() {
		argument(1);
		this.program.jump(BpfAssembler.EQUAL, RLIMIT_CORE, null, this.allow);
		argument(2);
		this.program.jump(BpfAssembler.EQUAL, 0, null, this.refuse);
		this.program.load(ARGUMENTS + 2 * Long.BYTES + Integer.BYTES);
		this.program.jump(BpfAssembler.EQUAL, 0, this.allow, this.refuse);
	}

	private void end(BpfAssembler.Label label, int action) {
		this.program.place(label);
		this.program.end(action);
	}

}
