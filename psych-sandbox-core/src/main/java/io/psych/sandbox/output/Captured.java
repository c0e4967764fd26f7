package io.psych.sandbox.output;

import java.nio.charset.StandardCharsets;
import java.text.NumberFormat;
import java.util.Arrays;
import java.util.Locale;

import io.psych.sandbox.contract.CapturedStream;
import io.psych.sandbox.limits.ByteSize;

/**
 * Bytes of which all is kept, or the head and the tail with the omitted middle counted.
 * The same bytes are always shortened the same way, and never within a character.
 *
 * @since 0.1.0
 */
public final class Captured {

	/** Nothing at all. */
	public static final Captured EMPTY = of(new byte[0]);

	private static final int CONTINUATION_MASK = 0xC0;

	private static final int CONTINUATION = 0x80;

	/** The head and, right behind it, the tail. */
	private final byte[] kept;

	private final int headLength;

	private final long count;

	/**
	 * Create a new instance.
	 * @param kept the head and, right behind it, the tail
	 * @param headLength the bytes of the head
	 * @param count the bytes there were
	 */
	Captured(byte[] kept, int headLength, long count) {
		this.kept = kept;
		this.headLength = headLength;
		this.count = count;
	}

	/**
	 * Return bytes of which all is kept.
	 * @param bytes the bytes; not copied
	 * @return the bytes
	 */
	public static Captured of(byte[] bytes) {
		return new Captured(bytes, bytes.length, bytes.length);
	}

	/**
	 * Return how many bytes there were.
	 * @return the number
	 */
	public long bytes() {
		return this.count;
	}

	/**
	 * Return whether all of them are kept.
	 * @return whether none is missing
	 */
	public boolean isWhole() {
		return this.count == this.kept.length;
	}

	/**
	 * Return all that is kept, with a line that counts the middle where it is missing.
	 * @return the bytes as they were written
	 */
	public byte[] content() {
		return isWhole() ? this.kept : shortened(this.headLength, this.kept.length - this.headLength).bytes();
	}

	/**
	 * Return all, or so much of the head and the tail that with them the most is shown.
	 * @param most the bytes to show, the line that counts the middle not among them
	 * @return the text
	 */
	public CapturedStream preview(ByteSize most) {
		if (isWhole() && this.count <= most.bytes()) {
			return new CapturedStream(text(this.kept), false, this.count, 0);
		}
		int shown = (int) Math.min(most.bytes(), this.kept.length);
		int head = Math.min(shown - shown / 2, this.headLength);
		Shortened shortened = shortened(head, Math.min(shown / 2, this.kept.length - head));
		return new CapturedStream(text(shortened.bytes()), true, this.count, shortened.omitted());
	}

	private Shortened shortened(int head, int tail) {
		int headEnd = characterBoundary(this.kept, head);
		int tailStart = this.kept.length - tail;
		while (tailStart < this.kept.length && tailStart < this.kept.length - tail + 3
				&& isContinuation(this.kept[tailStart])) {
			tailStart++;
		}
		int tailLength = this.kept.length - tailStart;
		long omitted = this.count - headEnd - tailLength;
		byte[] mark = ("\n[... " + NumberFormat.getIntegerInstance(Locale.ROOT).format(omitted)
				+ " bytes left out ...]\n")
			.getBytes(StandardCharsets.US_ASCII);
		byte[] bytes = Arrays.copyOf(this.kept, headEnd + mark.length + tailLength);
		System.arraycopy(mark, 0, bytes, headEnd, mark.length);
		System.arraycopy(this.kept, tailStart, bytes, headEnd + mark.length, tailLength);
		return new Shortened(bytes, omitted);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	/** Return where the last whole character before an end ends. */
	private static int characterBoundary(byte[] bytes, int end) {
		if (end == 0) {
			return 0;
		}
		int start = end - 1;
		while (start > 0 && end - start < 4 && isContinuation(bytes[start])) {
			start--;
		}
		int length = (bytes[start] >= 0) ? 1 : Integer.numberOfLeadingZeros(~(bytes[start] << 24));
		return (start + Math.max(1, length) > end) ? start : end;
	}

	private static boolean isContinuation(byte value) {
		return (value & CONTINUATION_MASK) == CONTINUATION;
	}

	/**
	 * Bytes with their middle left out.
	 *
	 * @param bytes the head, the line that counts, the tail
	 * @param omitted the bytes left out
	 */
	private record Shortened(byte[] bytes, long omitted) {

	}

}
