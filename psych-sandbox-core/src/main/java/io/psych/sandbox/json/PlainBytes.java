package io.psych.sandbox.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds in UTF-8 what a JSON string can't hold as it is, eight bytes at a time: texts are
 * long, and what has to be escaped is rare.
 */
final class PlainBytes {

	private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

	/** A one in each byte of eight. */
	private static final long ONES = 0x0101010101010101L;

	private static final long HIGH_BITS = 0x8080808080808080L;

	private PlainBytes() {
	}

	/**
	 * Return where the first byte is that has to be escaped: a quote, a backslash, a
	 * control character.
	 * @param utf8 the bytes
	 * @param from where to begin
	 * @return the index, or how many bytes there are when none has to be
	 */
	static int firstToEscape(byte[] utf8, int from) {
		int index = from;
		for (; index + Long.BYTES <= utf8.length; index += Long.BYTES) {
			long eight = (long) EIGHT.get(utf8, index);
			if (((less(eight, ' ') | less(eight ^ ('"' * ONES), 1) | less(eight ^ ('\\' * ONES), 1))
					& HIGH_BITS) != 0) {
				break;
			}
		}
		for (; index < utf8.length; index++) {
			byte octet = utf8[index];
			if ((octet >= 0 && octet < ' ') || octet == '"' || octet == '\\') {
				break;
			}
		}
		return index;
	}

	/**
	 * Return whether all bytes are ASCII.
	 * @param bytes the bytes
	 * @param offset where to begin
	 * @param length how many to look at
	 * @return whether none has its highest bit set
	 */
	static boolean isAscii(byte[] bytes, int offset, int length) {
		int end = offset + length;
		int index = offset;
		long all = 0;
		for (; index + Long.BYTES <= end; index += Long.BYTES) {
			all |= (long) EIGHT.get(bytes, index);
		}
		for (; index < end; index++) {
			all |= bytes[index];
		}
		return (all & HIGH_BITS) == 0;
	}

	/** Return high bits that are not all zero when a byte of ASCII is less than that. */
	private static long less(long eight, int bound) {
		return (eight - bound * ONES) & ~eight;
	}

}
