package io.psych.sandbox.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

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

	// BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_JMP|BPF_JGE|BPF_K,
	// BPF_JMP|BPF_JSET|BPF_K, BPF_RET|BPF_K
	private static final int LOAD = 0x20;

	private static final int JUMP_EQUAL = 0x15;

	private static final int JUMP_AT_LEAST = 0x35;

	private static final int JUMP_ANY_BIT = 0x45;

	private static final int RETURN = 0x06;

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

	private final List<long[]> instructions = new ArrayList<>();

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
		ByteBuffer bytes = ByteBuffer.allocate(filter.instructions.size() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		for (long[] instruction : filter.instructions) {
			bytes.putShort((short) instruction[0])
				.put((byte) instruction[1])
				.put((byte) instruction[2])
				.putInt((int) instruction[3]);
		}
		return bytes.array();
	}

	private void assemble() {
		add(LOAD, 0, 0, ARCHITECTURE);
		add(JUMP_EQUAL, 1, 0, this.architecture.audit());
		add(RETURN, 0, 0, KILL_PROCESS);
		add(LOAD, 0, 0, NUMBER);
		if (this.architecture == Architecture.X86_64) {
			add(JUMP_AT_LEAST, 0, 1, X32);
			add(RETURN, 0, 0, KILL_PROCESS);
		}
		for (DeniedCall call : DeniedCall.values()) {
			if (call.number(this.architecture) != DeniedCall.NONE) {
				answer(call.number(this.architecture), EPERM);
			}
		}
		for (int number : NOT_IMPLEMENTED) {
			answer(number, ENOSYS);
		}
		socket(number(41, 198));
		onArgument(number(53, 199), 0, JUMP_EQUAL, AF_UNIX, false); // socketpair of
																	// anything else
		// A datagram socket of a pair can be connected again, to any path of the host.
		onArgument(number(53, 199), 1, JUMP_ANY_BIT, DATAGRAM_OR_RAW, true);
		onArgument(number(56, 220), 0, JUMP_ANY_BIT, NAMESPACES, true); // clone
		onValues(number(16, 29), 1, PUSH_KEYSTROKES); // ioctl
		onValues(number(72, 25), 1, REACH_OTHERS_BY_FILE); // fcntl
		onValues(number(160, 164), 0, RLIMIT_CORE); // setrlimit
		pinCoreLimit(number(302, 261)); // prlimit64
		add(RETURN, 0, 0, ALLOW);
	}

	private int number(int x86, int arm) {
		return (this.architecture == Architecture.X86_64) ? x86 : arm;
	}

	/** Answer a call with an error. */
	private void answer(int number, int errno) {
		add(JUMP_EQUAL, 0, 1, number);
		add(RETURN, 0, 0, ERRNO | errno);
	}

	/**
	 * Refuse a call by the lower half of an argument, which is all the kernel reads of an
	 * int.
	 */
	private void onArgument(int number, int argument, int test, int value, boolean refuseWhenTrue) {
		add(JUMP_EQUAL, 0, 4, number);
		add(LOAD, 0, 0, ARGUMENTS + argument * Long.BYTES);
		add(test, refuseWhenTrue ? 0 : 1, refuseWhenTrue ? 1 : 0, value);
		add(RETURN, 0, 0, ERRNO | EPERM);
		add(LOAD, 0, 0, NUMBER);
	}

	/** Refuse a call when the lower half of an argument is one of these. */
	private void onValues(int number, int argument, int... values) {
		add(JUMP_EQUAL, 0, values.length + 3, number);
		add(LOAD, 0, 0, ARGUMENTS + argument * Long.BYTES);
		for (int i = 1; i <= values.length; i++) {
			add(JUMP_EQUAL, values.length - i, (i != values.length) ? 0 : 1, values[i - 1]);
		}
		add(RETURN, 0, 0, ERRNO | EPERM);
		add(LOAD, 0, 0, NUMBER);
	}

	private void socket(int number) {
		if (!this.sockets) {
			answer(number, EPERM);
			return;
		}
		add(JUMP_EQUAL, 0, 6, number);
		add(LOAD, 0, 0, ARGUMENTS);
		for (int i = 0; i < NETWORK_FAMILIES.length; i++) {
			add(JUMP_EQUAL, NETWORK_FAMILIES.length - i, 0, NETWORK_FAMILIES[i]);
		}
		add(RETURN, 0, 0, ERRNO | EPERM);
		add(LOAD, 0, 0, NUMBER);
	}

	/** prlimit64(pid, resource, new, old) also only reads limits, when new is null. */
	private void pinCoreLimit(int number) {
		add(JUMP_EQUAL, 0, 8, number);
		add(LOAD, 0, 0, ARGUMENTS + Long.BYTES);
		add(JUMP_EQUAL, 0, 5, RLIMIT_CORE);
		add(LOAD, 0, 0, ARGUMENTS + 2 * Long.BYTES);
		add(JUMP_EQUAL, 0, 2, 0);
		add(LOAD, 0, 0, ARGUMENTS + 2 * Long.BYTES + Integer.BYTES);
		add(JUMP_EQUAL, 1, 0, 0);
		add(RETURN, 0, 0, ERRNO | EPERM);
		add(LOAD, 0, 0, NUMBER);
	}

	private void add(int code, int whenTrue, int whenFalse, int value) {
		this.instructions.add(new long[] { code, whenTrue, whenFalse, value });
	}

}
