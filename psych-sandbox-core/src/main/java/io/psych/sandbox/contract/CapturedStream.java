package io.psych.sandbox.contract;

/**
 * What a program wrote to stdout or stderr: all of it, or its head and tail with the
 * omitted middle counted.
 *
 * @param text the text; bytes that are not UTF-8 are replaced by U+FFFD
 * @param truncated whether bytes are missing from the text
 * @param bytes the bytes the program wrote
 * @param omittedBytes the bytes that are missing from the text
 * @since 0.1.0
 */
public record CapturedStream(String text, boolean truncated, long bytes, long omittedBytes) {

	/** A stream nothing was written to. */
	public static final CapturedStream EMPTY = new CapturedStream("", false, 0, 0);

}
