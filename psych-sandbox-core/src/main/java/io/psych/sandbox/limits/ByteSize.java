package io.psych.sandbox.limits;

/**
 * An amount of bytes.
 *
 * @param bytes the amount, zero or more
 * @since 0.1.0
 */
public record ByteSize(long bytes) implements Comparable<ByteSize> {

	private static final long KIBI = 1024;

	private static final String[] UNITS = { "bytes", "KiB", "MiB", "GiB", "TiB" };

	public ByteSize {
		if (bytes < 0) {
			throw new IllegalArgumentException("bytes must not be negative but was " + bytes);
		}
	}

	/**
	 * Return an amount of bytes.
	 * @param bytes the amount
	 * @return the size
	 */
	public static ByteSize ofBytes(long bytes) {
		return new ByteSize(bytes);
	}

	/**
	 * Return an amount of kibibytes (1,024 bytes each).
	 * @param kibibytes the amount
	 * @return the size
	 */
	public static ByteSize ofKibibytes(long kibibytes) {
		return new ByteSize(Math.multiplyExact(kibibytes, KIBI));
	}

	/**
	 * Return an amount of mebibytes (1,048,576 bytes each).
	 * @param mebibytes the amount
	 * @return the size
	 */
	public static ByteSize ofMebibytes(long mebibytes) {
		return new ByteSize(Math.multiplyExact(mebibytes, KIBI * KIBI));
	}

	@Override
	public int compareTo(ByteSize other) {
		return Long.compare(this.bytes, other.bytes);
	}

	/**
	 * Return the size in the largest unit that divides it exactly, such as
	 * {@code 64 KiB}.
	 */
	@Override
	public String toString() {
		long amount = this.bytes;
		int unit = 0;
		while (amount >= KIBI && amount % KIBI == 0 && unit < UNITS.length - 1) {
			amount /= KIBI;
			unit++;
		}
		return amount + " " + UNITS[unit];
	}

}
