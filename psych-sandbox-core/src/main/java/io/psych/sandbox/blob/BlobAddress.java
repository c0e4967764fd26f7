package io.psych.sandbox.blob;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Where a blob is stored. Made from whose it is, so that no tenant can name what is
 * another's, whatever handle it presents.
 *
 * @param key 64 lower-case hexadecimal digits
 * @since 0.1.0
 */
public record BlobAddress(String key) {

	private static final Pattern KEY = Pattern.compile("[0-9a-f]{64}");

	public BlobAddress {
		if (!KEY.matcher(key).matches()) {
			throw new IllegalArgumentException("key must match " + KEY + " but was '" + key + "'");
		}
	}

	/**
	 * Return the address of an attachment.
	 * @param tenant the tenant, empty for a caller that names none
	 * @param run the run
	 * @param handle the handle of the attachment
	 * @return the address
	 */
	public static BlobAddress of(String tenant, String run, String handle) {
		MessageDigest digest = sha256();
		for (String part : new String[] { tenant, run, handle }) {
			byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
			// With its length, or the end of one part could be the beginning of the next.
			digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
			digest.update(bytes);
		}
		return new BlobAddress(HexFormat.of().formatHex(digest.digest()));
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

}
