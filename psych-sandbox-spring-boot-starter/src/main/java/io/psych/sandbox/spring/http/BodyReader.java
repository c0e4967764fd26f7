package io.psych.sandbox.spring.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Reads a body under a cap that is counted as bytes arrive, before and after
 * decompression: what a few bytes decompress to is never held.
 */
final class BodyReader {

	static final String ACCEPTED_ENCODING = "gzip";

	private static final Set<String> GZIP = Set.of("gzip", "x-gzip");

	/** What compression may add to bytes it can't make fewer. */
	private static final long ENCODING_OVERHEAD = 64 * 1024;

	private BodyReader() {
	}

	/**
	 * Read a body.
	 * @param wire the bytes as they arrive
	 * @param encoding how they are encoded, or {@code null} when they are not
	 * @param most the most bytes
	 * @return the body, decompressed
	 * @throws TooLargeException if there are more
	 * @throws UnknownEncodingException if the encoding is one that was not asked for
	 * @throws IOException if they end early, or are not what the encoding says
	 */
	static byte[] read(InputStream wire, @Nullable String encoding, long most) throws IOException {
		String name = (encoding != null) ? encoding.strip().toLowerCase(Locale.ROOT) : "";
		if (name.isEmpty() || name.equals("identity")) {
			return new Capped(wire, most).readAllBytes();
		}
		if (!GZIP.contains(name)) {
			throw new UnknownEncodingException(name);
		}
		InputStream encoded = new Capped(wire, most + ENCODING_OVERHEAD);
		try (GunzipStream decoded = new GunzipStream(encoded)) {
			return new Capped(decoded, most).readAllBytes();
		}
	}

	private static final class Capped extends FilterInputStream {

		private final long most;

		private long seen;

		Capped(InputStream in, long most) {
			super(in);
			this.most = most;
		}

		@Override
		public int read() throws IOException {
			int next = super.read();
			count((next >= 0) ? 1 : 0);
			return next;
		}

		@Override
		public int read(byte[] buffer, int offset, int length) throws IOException {
			int count = super.read(buffer, offset, length);
			count(Math.max(count, 0));
			return count;
		}

		private void count(int more) throws TooLargeException {
			this.seen += more;
			if (this.seen > this.most) {
				throw new TooLargeException();
			}
		}

	}

	/**
	 * Thrown when a body has more bytes than it may.
	 */
	static final class TooLargeException extends IOException {

	}

	/**
	 * Thrown when a body is encoded as was not asked for.
	 */
	static final class UnknownEncodingException extends IOException {

		UnknownEncodingException(String encoding) {
			super(encoding);
		}

	}

}
