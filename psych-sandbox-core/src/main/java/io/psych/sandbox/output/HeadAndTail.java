package io.psych.sandbox.output;

import java.util.Arrays;

import io.psych.sandbox.limits.ByteSize;

/**
 * Keeps the head and the tail of a stream of bytes, the same ones for the same bytes, and
 * counts the rest. Not safe for use by several threads at once.
 */
final class HeadAndTail {

	private final int mostHead;

	private final int mostTail;

	private byte[] head = new byte[1024];

	private int headLength;

	/**
	 * A ring; what was written last ends before {@code next}. Made when the head is full.
	 */
	private byte[] tail = {};

	private int next;

	private long count;

	HeadAndTail(ByteSize most) {
		int bytes = Math.toIntExact(most.bytes());
		this.mostHead = bytes - bytes / 2;
		this.mostTail = bytes / 2;
	}

	void add(byte[] bytes, int length) {
		int toHead = Math.min(length, this.mostHead - this.headLength);
		if (toHead > 0) {
			if (this.headLength + toHead > this.head.length) {
				this.head = Arrays.copyOf(this.head,
						Math.min(this.mostHead, Math.max(this.headLength + toHead, 2 * this.head.length)));
			}
			System.arraycopy(bytes, 0, this.head, this.headLength, toHead);
			this.headLength += toHead;
		}
		this.count += length;
		if (toHead < length && this.mostTail > 0) {
			addToTail(bytes, toHead, length - toHead);
		}
	}

	private void addToTail(byte[] bytes, int offset, int length) {
		if (this.tail.length == 0) {
			this.tail = new byte[this.mostTail];
		}
		int skipped = Math.max(0, length - this.mostTail);
		int from = offset + skipped;
		int left = length - skipped;
		while (left > 0) {
			int piece = Math.min(left, this.mostTail - this.next);
			System.arraycopy(bytes, from, this.tail, this.next, piece);
			this.next = (this.next + piece) % this.mostTail;
			from += piece;
			left -= piece;
		}
	}

	Captured captured() {
		byte[] end = tail((int) Math.min(this.count - this.headLength, this.mostTail));
		byte[] kept = Arrays.copyOf(this.head, this.headLength + end.length);
		System.arraycopy(end, 0, kept, this.headLength, end.length);
		return new Captured(kept, this.headLength, this.count);
	}

	private byte[] tail(int length) {
		byte[] end = new byte[length];
		int from = Math.floorMod(this.next - length, Math.max(1, this.mostTail));
		for (int i = 0; i < length; i++) {
			end[i] = this.tail[(from + i) % this.mostTail];
		}
		return end;
	}

}
