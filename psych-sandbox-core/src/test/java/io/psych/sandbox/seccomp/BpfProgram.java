package io.psych.sandbox.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A classic BPF program as {@code seccomp} runs it: an interpreter for the instructions
 * that its kernel takes and ours has, so that the filter of an architecture can be asked
 * on any machine.
 */
final class BpfProgram {

	static final int RETURN_KILL = 0x80000000;

	static final int RETURN_ERRNO = 0x00050000;

	static final int RETURN_ALLOW = 0x7FFF0000;

	/** BPF_MAXINSNS (linux/bpf_common.h). */
	private static final int LONGEST = 4096;

	private static final int LOAD = 0x20;

	private static final int RETURN = 0x06;

	/** The size of struct seccomp_data: number, architecture, place, six arguments. */
	private static final int DATA = 64;

	/**
	 * One instruction, {@code struct sock_filter}.
	 *
	 * @param code what it does
	 * @param whenTrue how many to skip if what it tests is true
	 * @param whenFalse how many to skip if not
	 * @param value its operand
	 */
	record Instruction(int code, int whenTrue, int whenFalse, int value) {

		boolean isReturn() {
			return this.code == RETURN;
		}

		boolean isJump() {
			return this.code == 0x15 || this.code == 0x25 || this.code == 0x35 || this.code == 0x45;
		}

		private boolean test(int accumulator) {
			return switch (this.code) {
				case 0x15 -> accumulator == this.value;
				case 0x25 -> Integer.compareUnsigned(accumulator, this.value) > 0;
				case 0x35 -> Integer.compareUnsigned(accumulator, this.value) >= 0;
				case 0x45 -> (accumulator & this.value) != 0;
				default -> throw new IllegalStateException("no jump: " + this);
			};
		}

	}

	private final List<Instruction> instructions;

	private final BitSet reached = new BitSet();

	BpfProgram(List<Instruction> instructions) {
		this.instructions = instructions;
	}

	static BpfProgram of(byte[] bytes) {
		ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
		List<Instruction> instructions = new ArrayList<>();
		while (buffer.hasRemaining()) {
			instructions.add(new Instruction(Short.toUnsignedInt(buffer.getShort()), Byte.toUnsignedInt(buffer.get()),
					Byte.toUnsignedInt(buffer.get()), buffer.getInt()));
		}
		return new BpfProgram(instructions);
	}

	byte[] bytes() {
		ByteBuffer buffer = ByteBuffer.allocate(this.instructions.size() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		for (Instruction instruction : this.instructions) {
			buffer.putShort((short) instruction.code)
				.put((byte) instruction.whenTrue)
				.put((byte) instruction.whenFalse)
				.putInt(instruction.value);
		}
		return buffer.array();
	}

	List<Instruction> instructions() {
		return this.instructions;
	}

	/** Return why the kernel would not take this program (seccomp_check_filter). */
	List<String> problems() {
		List<String> problems = new ArrayList<>();
		int size = this.instructions.size();
		if (size == 0 || size > LONGEST || !this.instructions.get(size - 1).isReturn()) {
			problems.add(size + " instructions, which must be at most " + LONGEST + " and end with a return");
		}
		for (int at = 0; at < size; at++) {
			Instruction one = this.instructions.get(at);
			boolean taken = one.isReturn() || (one.code == LOAD && isInData(one.value))
					|| (one.isJump() && at + 1 + Math.max(one.whenTrue, one.whenFalse) < size);
			if (!taken) {
				problems.add(at + ": " + one);
			}
		}
		return problems;
	}

	private static boolean isInData(int offset) {
		return offset >= 0 && offset % Integer.BYTES == 0 && offset < DATA;
	}

	/**
	 * Return what the program makes of a call.
	 * @param architecture the number of the architecture it is made by
	 * @param number the number of the call
	 * @param arguments up to six arguments
	 * @return the action
	 */
	int run(int architecture, int number, long... arguments) {
		ByteBuffer data = ByteBuffer.allocate(DATA).order(ByteOrder.LITTLE_ENDIAN);
		data.putInt(number).putInt(architecture).putLong(0);
		for (long argument : arguments) {
			data.putLong(argument);
		}
		int accumulator = 0;
		int at = 0;
		while (true) {
			Instruction one = this.instructions.get(at);
			this.reached.set(at);
			if (one.isReturn()) {
				return one.value;
			}
			if (one.code == LOAD) {
				accumulator = data.getInt(one.value);
				at++;
			}
			else {
				at += 1 + (one.test(accumulator) ? one.whenTrue : one.whenFalse);
			}
		}
	}

	/** Return the instructions that no call so far has come to. */
	List<Integer> unreached() {
		List<Integer> unreached = new ArrayList<>();
		for (int at = this.reached.nextClearBit(0); at < this.instructions.size(); at = this.reached
			.nextClearBit(at + 1)) {
			unreached.add(at);
		}
		return unreached;
	}

}
