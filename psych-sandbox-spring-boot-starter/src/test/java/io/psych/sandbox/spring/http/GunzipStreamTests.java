package io.psych.sandbox.spring.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GunzipStream}.
 */
class GunzipStreamTests {

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 100, 8191, 8192, 8193, 1_000_000 })
	void readReturnsWhatWasCompressed(int size) throws IOException {
		byte[] bytes = new byte[size];
		new Random(7).nextBytes(bytes);
		assertThat(gunzip(gzip(bytes))).isEqualTo(bytes);
		assertThat(gunzip(gzip(new byte[size]))).isEqualTo(new byte[size]);
	}

	@Test
	void readGoesOnWithTheNextMember() throws IOException {
		byte[] members = concat(gzip(new byte[] { 1 }), gzip(new byte[0]), gzip(new byte[] { 2, 3 }));
		assertThat(gunzip(members)).containsExactly(1, 2, 3);
	}

	@Test
	void readOfManyEmptyMembersTakesNoStack() throws IOException {
		byte[] empty = gzip(new byte[0]);
		byte[] many = new byte[empty.length * 100_000];
		for (int i = 0; i < 100_000; i++) {
			System.arraycopy(empty, 0, many, i * empty.length, empty.length);
		}
		assertThat(gunzip(many)).isEmpty();
	}

	@Test
	void readWhenBytesComeOneByOneReturnsAll() throws IOException {
		byte[] compressed = concat(gzip(new byte[1000]), gzip(new byte[1000]));
		InputStream slow = new ByteArrayInputStream(compressed) {

			@Override
			public synchronized int read(byte[] target, int offset, int length) {
				return super.read(target, offset, Math.min(length, 1));
			}

			@Override
			public synchronized int available() {
				return 0;
			}

		};
		assertThat(new GunzipStream(slow).readAllBytes()).hasSize(2000);
	}

	@Test
	void readSkipsTheOptionalPartsOfAHeader() throws IOException {
		byte[] plain = gzip(new byte[] { 9 });
		byte[] header = Arrays.copyOf(plain, 10);
		header[3] = 0x1e;
		byte[] optional = { 2, 0, 'x', 'x', 'n', 0, 'c', 0, 0, 0 };
		assertThat(gunzip(concat(header, optional, Arrays.copyOfRange(plain, 10, plain.length)))).containsExactly(9);
	}

	@Test
	void readWhenCutOffAnywhereFails() throws IOException {
		byte[] compressed = gzip("some text to compress".getBytes());
		for (int length = 0; length < compressed.length; length++) {
			byte[] cut = Arrays.copyOf(compressed, length);
			assertThatExceptionOfType(EOFException.class).isThrownBy(() -> gunzip(cut));
		}
	}

	@Test
	void readWhenAByteIsWrongFailsOrReturnsTheSame() throws IOException {
		byte[] text = "some text to compress".getBytes();
		byte[] compressed = gzip(text);
		for (int at = 0; at < compressed.length; at++) {
			byte[] wrong = compressed.clone();
			wrong[at] ^= (byte) 0xff;
			try {
				assertThat(gunzip(wrong)).isEqualTo(text);
			}
			catch (ZipException | EOFException ex) {
				assertThat(ex).isNotNull();
			}
		}
	}

	@Test
	void readWhenSomethingElseFollowsFails() throws IOException {
		byte[] trailed = concat(gzip(new byte[10]), "garbage".getBytes());
		assertThatExceptionOfType(ZipException.class).isThrownBy(() -> gunzip(trailed));
	}

	private static byte[] gunzip(byte[] compressed) throws IOException {
		try (GunzipStream stream = new GunzipStream(new ByteArrayInputStream(compressed))) {
			return stream.readAllBytes();
		}
	}

	private static byte[] gzip(byte[] bytes) throws IOException {
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
			gzip.write(bytes);
		}
		return compressed.toByteArray();
	}

	private static byte[] concat(byte[]... parts) {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		for (byte[] part : parts) {
			all.writeBytes(part);
		}
		return all.toByteArray();
	}

}
