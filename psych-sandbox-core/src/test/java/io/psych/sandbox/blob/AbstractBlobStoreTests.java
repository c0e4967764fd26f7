package io.psych.sandbox.blob;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What every blob store keeps to.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
public abstract class AbstractBlobStoreTests {

	/** More than any store handles in one piece. */
	private static final int LARGE = 5 * 1024 * 1024 + 1;

	protected static final BlobAddress ADDRESS = BlobAddress.of("acme", "run:1", "artifact-1");

	/**
	 * Return a store on the storage of this test, which is empty at first. Each one is
	 * another, as another host would have it.
	 * @return the store
	 * @throws Exception if it can't be made
	 */
	protected abstract ListableBlobStore store() throws Exception;

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 8191, 8192, 8193, 1024 * 1024, 1024 * 1024 + 1, LARGE })
	void blobIsReadAsItWasStored(int size) throws Exception {
		byte[] content = bytes(size);
		store().put(ADDRESS, new ByteArrayInputStream(content), size);
		BlobStore store = store();
		assertThat(open(store)).isEqualTo(content);
		assertThat(store.read(ADDRESS, 0, size)).isEqualTo(content);
		assertThat(listed()).singleElement().satisfies((blob) -> {
			assertThat(blob.address()).isEqualTo(ADDRESS);
			assertThat(blob.bytes()).isEqualTo(size);
		});
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "0, 1", "0, 99", "0, 100", "0, 101", "1, 99", "1, 100", "50, 10", "99, 1", "99, 2", "99, 0",
			"100, 0", "100, 1", "101, 1", "9223372036854775807, 2147483647", "0, 2147483647" })
	void windowIsReadUpToTheEnd(long offset, int most) throws Exception {
		byte[] content = bytes(100);
		BlobStore store = store();
		store.put(ADDRESS, new ByteArrayInputStream(content), 100);
		int from = (int) Math.min(offset, 100);
		int to = (int) Math.min(100L, (long) from + most);
		assertThat(store.read(ADDRESS, offset, most)).isEqualTo(Arrays.copyOfRange(content, from, to));
	}

	@Test
	void windowOfAnEmptyBlobIsEmpty() throws Exception {
		BlobStore store = store();
		put(store, bytes(0));
		assertThat(store.read(ADDRESS, 0, 10)).isEmpty();
		assertThat(store.read(ADDRESS, 0, 0)).isEmpty();
		assertThat(store.read(ADDRESS, 1, 10)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "-1, 1", "0, -1" })
	void windowThatCanNotBeIsRefused(long offset, int most) throws Exception {
		BlobStore store = store();
		put(store, bytes(1));
		assertThatIllegalArgumentException().isThrownBy(() -> store.read(ADDRESS, offset, most));
	}

	@Test
	void missingBlobIsTold() throws Exception {
		BlobStore store = store();
		assertMissing(store, ADDRESS);
		put(store, bytes(3));
		assertMissing(store, BlobAddress.of("acme", "run:1", "artifact-2"));
	}

	@Test
	void laterBlobReplacesTheEarlier() throws Exception {
		BlobStore store = store();
		for (int size : new int[] { 100, LARGE, 3, 0, 7 }) {
			byte[] content = bytes(size);
			put(store, content);
			assertThat(open(store)).isEqualTo(content);
			assertThat(store.read(ADDRESS, 0, Integer.MAX_VALUE)).isEqualTo(content);
		}
	}

	@ParameterizedTest
	@CsvSource({ "0, 1", "1, 0", "1, 2", "2, 1", "100, 99", "100, 101", "2000000, 1999999", "2000000, 2000001",
			"5242881, 2000000", "2000000, 5242881" })
	void contentOfAnotherSizeIsNotStored(int size, int said) throws Exception {
		BlobStore store = store();
		assertThatIOException().isThrownBy(() -> store.put(ADDRESS, new ByteArrayInputStream(bytes(size)), said));
		assertMissing(store, ADDRESS);
		put(store, bytes(10));
		assertThatIOException().isThrownBy(() -> store.put(ADDRESS, new ByteArrayInputStream(bytes(size)), said));
		assertThat(open(store)).isEqualTo(bytes(10));
		assertThat(listed()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 1000, 1_500_000 })
	void contentThatFailsInTheMiddleIsNotStored(int before) throws Exception {
		BlobStore store = store();
		assertThatIOException().isThrownBy(() -> store.put(ADDRESS, failingAfter(before), 3_000_000))
			.withStackTraceContaining("the disk is gone");
		assertMissing(store, ADDRESS);
		put(store, bytes(10));
		assertThatIOException().isThrownBy(() -> store.put(ADDRESS, failingAfter(before), 3_000_000));
		assertThat(open(store)).isEqualTo(bytes(10));
		assertThat(listed()).hasSize(1);
	}

	@Test
	void contentIsNotClosed() throws Exception {
		AtomicBoolean closed = new AtomicBoolean();
		InputStream content = new ByteArrayInputStream(bytes(10)) {

			@Override
			public void close() {
				closed.set(true);
			}

		};
		store().put(ADDRESS, content, 10);
		assertThat(closed).isFalse();
	}

	@Test
	void negativeSizeIsRefused() throws Exception {
		BlobStore store = store();
		assertThatIllegalArgumentException().isThrownBy(() -> store.put(ADDRESS, InputStream.nullInputStream(), -1));
	}

	@Test
	void deletedBlobIsGoneAndMayBeDeletedAgain() throws Exception {
		BlobStore store = store();
		store.delete(ADDRESS);
		put(store, bytes(10));
		store.delete(ADDRESS);
		assertMissing(store, ADDRESS);
		store.delete(ADDRESS);
		put(store, bytes(11));
		assertThat(open(store)).isEqualTo(bytes(11));
	}

	@Test
	void addressesNeverMix() throws Exception {
		BlobStore store = store();
		List<BlobAddress> addresses = List.of(BlobAddress.of("a", "b", "c"), BlobAddress.of("", "b", "c"),
				BlobAddress.of("a", "bc", ""), BlobAddress.of("ab", "", "c"), BlobAddress.of("b", "a", "c"));
		for (int i = 0; i < addresses.size(); i++) {
			store.put(addresses.get(i), new ByteArrayInputStream(filled(i, 20)), 20);
		}
		assertThat(listed()).extracting(StoredBlob::address).containsExactlyInAnyOrderElementsOf(addresses);
		store.delete(addresses.get(0));
		assertMissing(store, addresses.get(0));
		for (int i = 1; i < addresses.size(); i++) {
			assertThat(store.read(addresses.get(i), 0, 100)).isEqualTo(filled(i, 20));
		}
	}

	@Test
	void whoeverWritesOneAddressAtTheSameTimeOneWholeVersionIsThere() throws Exception {
		int writers = 8;
		for (int round = 0; round < 3; round++) {
			CyclicBarrier start = new CyclicBarrier(writers);
			List<Callable<Void>> tasks = new ArrayList<>();
			for (int i = 0; i < writers; i++) {
				byte[] content = version(i);
				BlobStore store = store();
				tasks.add(() -> {
					start.await();
					put(store, content);
					return null;
				});
			}
			all(tasks);
			assertWholeVersion(open(store()));
			assertThat(listed()).hasSize(1);
		}
	}

	@Test
	void whoeverReadsDuringReplacementSeesOneWholeVersion() throws Exception {
		BlobStore writer = store();
		put(writer, version(0));
		AtomicBoolean done = new AtomicBoolean();
		List<Callable<Void>> tasks = new ArrayList<>();
		tasks.add(() -> {
			try {
				for (int i = 1; i < 40; i++) {
					put(writer, version(i % 8));
				}
				return null;
			}
			finally {
				done.set(true);
			}
		});
		for (int i = 0; i < 3; i++) {
			BlobStore reader = store();
			tasks.add(() -> {
				do {
					assertWholeVersion(open(reader));
					assertWholeVersion(reader.read(ADDRESS, 0, Integer.MAX_VALUE));
				}
				while (!done.get());
				return null;
			});
		}
		all(tasks);
	}

	private static void all(List<Callable<Void>> tasks) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
		try {
			for (Future<Void> answer : threads.invokeAll(tasks)) {
				answer.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** Content whose bytes all tell how many there are. */
	private static byte[] version(int number) {
		return filled(number, 1 + number * 150_000);
	}

	private static void assertWholeVersion(byte[] content) {
		assertThat(content).isNotEmpty();
		assertThat(Arrays.equals(content, version(content[0]))).as("%s bytes of version %s", content.length, content[0])
			.isTrue();
	}

	private static void assertMissing(BlobStore store, BlobAddress address) {
		assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> store.read(address, 0, 10));
		assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> store.read(address, 0, 0));
		assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> store.read(address, 1, 1));
		assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> {
			try (InputStream content = store.open(address)) {
				content.read();
			}
		}).withMessageContaining(address.key());
	}

	/**
	 * Return what the storage holds.
	 * @return the blobs
	 * @throws Exception if they can't be listed
	 */
	protected final List<StoredBlob> listed() throws Exception {
		List<StoredBlob> blobs = new ArrayList<>();
		store().list(blobs::add);
		return blobs;
	}

	/**
	 * Store a blob under the address most tests use.
	 * @param store the store
	 * @param content the content
	 * @throws IOException if it can't be stored
	 */
	protected static void put(BlobStore store, byte[] content) throws IOException {
		store.put(ADDRESS, new ByteArrayInputStream(content), content.length);
	}

	private static byte[] open(BlobStore store) throws IOException {
		try (InputStream content = store.open(ADDRESS)) {
			return content.readAllBytes();
		}
	}

	/**
	 * Return bytes that are the same every time.
	 * @param size how many
	 * @return the bytes
	 */
	protected static byte[] bytes(int size) {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		return bytes;
	}

	private static byte[] filled(int value, int size) {
		byte[] bytes = new byte[size];
		Arrays.fill(bytes, (byte) value);
		return bytes;
	}

	/**
	 * Return content that can't be read to its end.
	 * @param before how many bytes can
	 * @return the content
	 */
	protected static InputStream failingAfter(int before) {
		return new SequenceInputStream(new ByteArrayInputStream(bytes(before)), new InputStream() {

			@Override
			public int read() throws IOException {
				throw new IOException("the disk is gone");
			}

			@Override
			public int read(byte[] target, int offset, int length) throws IOException {
				return read();
			}

		});
	}

}
