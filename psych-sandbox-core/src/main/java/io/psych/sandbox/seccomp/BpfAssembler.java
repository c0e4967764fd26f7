package io.psych.sandbox.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Puts classic BPF programs together. Jumps only go forward, to labels that are placed
 * later.
 */
final class BpfAssembler {

	// BPF_JMP|BPF_JEQ|BPF_K, BPF_JMP|BPF_JGE|BPF_K, BPF_JMP|BPF_JSET|BPF_K
	static final int EQUAL = 0x15;

	static final int AT_LEAST = 0x35;

	static final int ANY_BIT = 0x45;

	// BPF_LD|BPF_W|BPF_ABS, BPF_RET|BPF_K
	private static final int LOAD = 0x20;

	private static final int RETURN = 0x06;

	/** A jump's distance is a byte. */
	private static final int FARTHEST = 255;

	private final List<Instruction> instructions = new ArrayList<>();

	/**
	 * A place in the program.
	 */
	static final class Label {

		private int place = -1;

	}

	/**
	 * An instruction.
	 *
	 * @param code what it does
	 * @param whenTrue where to go on if what it tests is true, {@code null} for the next
	 * instruction
	 * @param whenFalse where to go on if not
	 * @param value its operand
	 */
	private record Instruction(int code, @Nullable Label whenTrue, @Nullable Label whenFalse, int value) {

	}

	/** Load a word of {@code struct seccomp_data}. */
	void load(int offset) {
		this.instructions.add(new Instruction(LOAD, null, null, offset));
	}

	/** Test the loaded word, and go on at a label or, for {@code null}, here. */
	void jump(int test, int value, @Nullable Label whenTrue, @Nullable Label whenFalse) {
		this.instructions.add(new Instruction(test, whenTrue, whenFalse, value));
	}

	/** End with an action. */
	void end(int action) {
		this.instructions.add(new Instruction(RETURN, null, null, action));
	}

	/** What comes next is where jumps to a label go. */
	void place(Label label) {
		label.place = this.instructions.size();
	}

	/**
	 * Return the program.
	 * @return the instructions, eight bytes each, as {@code struct sock_filter} has them
	 */
	byte[] bytes() {
		ByteBuffer bytes = ByteBuffer.allocate(this.instructions.size() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		for (int at = 0; at < this.instructions.size(); at++) {
			Instruction instruction = this.instructions.get(at);
			bytes.putShort((short) instruction.code())
				.put(distance(at, instruction.whenTrue()))
				.put(distance(at, instruction.whenFalse()))
				.putInt(instruction.value());
		}
		return bytes.array();
	}

	private static byte distance(int from, @Nullable Label label) {
		int distance = (label != null) ? label.place - from - 1 : 0;
		if (distance < 0 || distance > FARTHEST) {
			throw new IllegalStateException("a jump of " + distance + " instructions");
		}
		return (byte) distance;
	}

}
