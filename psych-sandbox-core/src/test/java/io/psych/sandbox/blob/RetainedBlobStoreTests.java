package io.psych.sandbox.blob;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.LimitException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link RetainedBlobStore}.
 */
class RetainedBlobStoreTests {

	private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

	private static final Retention RETENTION = new Retention(Duration.ofDays(7), ByteSize.ofBytes(800));

	@TempDir
	private Path folder;

	private FileBlobStore files;

	private Instant now = NOW;

	private final Clock clock = new Clock() {

		@Override
		public Instant instant() {
			return RetainedBlobStoreTests.this.now;
		}

		@Override
		public ZoneOffset getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	};

	private final List<Runnable> handedOn = new ArrayList<>();

	private RetainedBlobStore store;

	@BeforeEach
	void createStore() throws IOException {
		this.files = new FileBlobStore(this.folder);
		this.store = new RetainedBlobStore(this.files, RETENTION, this.clock, this.handedOn::add);
	}

	@Test
	void whatIsOlderThanTheAgeGoes() throws IOException {
		stored("too old", 10, NOW.minus(Duration.ofDays(7)).minusMillis(1));
		stored("just not", 10, NOW.minus(Duration.ofDays(7)));
		stored("young", 10, NOW);
		assertThat(this.store.sweep()).isEqualTo(1);
		assertThat(left()).containsExactlyInAnyOrder(address("just not"), address("young"));
		assertThat(this.store.sweep()).isZero();
	}

	@Test
	void whatIsOverTheTotalGoesOldestFirst() throws IOException {
		stored("b", 300, NOW.minusSeconds(20));
		stored("a", 300, NOW.minusSeconds(30));
		stored("d", 200, NOW);
		stored("c", 300, NOW.minusSeconds(10));
		assertThat(this.store.sweep()).isEqualTo(1);
		assertThat(left()).containsExactlyInAnyOrder(address("b"), address("c"), address("d"));
		stored("e", 1, NOW.plusSeconds(1));
		assertThat(this.store.sweep()).isEqualTo(1);
		assertThat(left()).containsExactlyInAnyOrder(address("c"), address("d"), address("e"));
	}

	@Test
	void ageIsLookedAtBeforeTheTotal() throws IOException {
		stored("too old", 500, NOW.minus(Duration.ofDays(8)));
		stored("a", 400, NOW.minusSeconds(30));
		stored("b", 400, NOW);
		assertThat(this.store.sweep()).isEqualTo(1);
		assertThat(left()).containsExactlyInAnyOrder(address("a"), address("b"));
	}

	@Test
	void blobAsLargeAsTheTotalIsStoredAndALargerOneIsNot() throws IOException {
		put("all", 800);
		assertThat(this.store.sweep()).isZero();
		assertThatIOException().isThrownBy(() -> put("more", 801))
			.withMessageContaining("801 bytes")
			.withMessageContaining("800 bytes");
		assertThat(left()).containsExactly(address("all"));
	}

	@Test
	void firstPutSweepsAndThenOneAfterTheInterval() throws IOException {
		put("a", 1);
		put("a", 1);
		assertThat(this.handedOn).as("one that has not begun is enough").hasSize(1);
		sweepAsHandedOn();
		put("b", 1);
		this.now = NOW.plus(RetainedBlobStore.INTERVAL).minusMillis(1);
		put("c", 1);
		assertThat(this.handedOn).isEmpty();
		this.now = NOW.plus(RetainedBlobStore.INTERVAL);
		put("d", 1);
		assertThat(this.handedOn).hasSize(1);
	}

	@Test
	void anEighthOfTheTotalStoredSweepsBeforeTheInterval() throws IOException {
		put("a", 1);
		sweepAsHandedOn();
		put("b", 99);
		assertThat(this.handedOn).isEmpty();
		put("c", 1);
		assertThat(this.handedOn).hasSize(1);
		sweepAsHandedOn();
		put("d", 99);
		assertThat(this.handedOn).isEmpty();
	}

	@Test
	void whatAStoreWithoutAnExecutorHoldsIsBounded() throws IOException {
		RetainedBlobStore store = new RetainedBlobStore(this.files, RETENTION);
		for (int i = 0; i < 60; i++) {
			store.put(address("blob " + i), new ByteArrayInputStream(new byte[90]), 90);
			assertThat(listed().stream().mapToLong(StoredBlob::bytes).sum()).isLessThanOrEqualTo(900);
		}
	}

	@Test
	void putDoesNotFailWithTheSweep() throws IOException {
		RetainedBlobStore ended = new RetainedBlobStore(this.files, RETENTION, this.clock, (task) -> {
			throw new RejectedExecutionException("ended");
		});
		ended.put(address("a"), new ByteArrayInputStream(new byte[1]), 1);
		RetainedBlobStore broken = new RetainedBlobStore(new Unlistable(this.files), RETENTION);
		broken.put(address("b"), new ByteArrayInputStream(new byte[1]), 1);
		assertThat(left()).containsExactlyInAnyOrder(address("a"), address("b"));
		assertThatIOException().isThrownBy(broken::sweep).withMessage("no list today");
		assertThatIOException().as("not taken for one that runs").isThrownBy(broken::sweep);
	}

	@Test
	void oneThatCanNotBeRemovedKeepsNoOtherFromIt() throws IOException {
		stored("a", 10, NOW.minus(Duration.ofDays(9)));
		stored("b", 10, NOW.minus(Duration.ofDays(8)));
		Unlistable store = new Unlistable(this.files);
		store.undeletable = address("a");
		assertThatIOException()
			.isThrownBy(() -> new RetainedBlobStore(store, RETENTION, this.clock, Runnable::run).sweep())
			.withMessageContaining("1 of 2 blobs");
		assertThat(left()).containsExactly(address("a"));
	}

	@Test
	void manyHostsSweepOneStorageAtTheSameTime() throws Exception {
		for (int i = 0; i < 200; i++) {
			stored("blob " + i, 10, NOW.minusSeconds(200 - i));
		}
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<Callable<Integer>> hosts = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				hosts.add(new RetainedBlobStore(new FileBlobStore(this.folder), RETENTION, this.clock,
						Runnable::run)::sweep);
			}
			for (Future<Integer> host : threads.invokeAll(hosts)) {
				host.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		List<BlobAddress> newest = new ArrayList<>();
		for (int i = 120; i < 200; i++) {
			newest.add(address("blob " + i));
		}
		assertThat(left()).containsExactlyInAnyOrderElementsOf(newest);
	}

	@Test
	void retentionThatKeepsNothingIsRefused() {
		ByteSize some = ByteSize.ofBytes(1);
		for (Duration age : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(36_500).plusNanos(1))) {
			assertThatExceptionOfType(LimitException.class).isThrownBy(() -> new Retention(age, some))
				.withMessageStartingWith("maxAge is " + age);
		}
		assertThatExceptionOfType(LimitException.class)
			.isThrownBy(() -> new Retention(Duration.ofNanos(1), ByteSize.ofBytes(0)))
			.withMessageStartingWith("maxTotal is 0 bytes");
		assertThat(new Retention(Duration.ofDays(36_500), some).maxTotal()).isEqualTo(some);
	}

	private void put(String handle, int bytes) throws IOException {
		this.store.put(address(handle), new ByteArrayInputStream(new byte[bytes]), bytes);
	}

	private void stored(String handle, int bytes, Instant when) throws IOException {
		BlobAddress address = address(handle);
		this.files.put(address, new ByteArrayInputStream(new byte[bytes]), bytes);
		Files.setLastModifiedTime(this.folder.resolve(address.key().substring(0, 2)).resolve(address.key()),
				FileTime.from(when));
	}

	private void sweepAsHandedOn() {
		List<Runnable> tasks = List.copyOf(this.handedOn);
		this.handedOn.clear();
		tasks.forEach(Runnable::run);
	}

	private List<BlobAddress> left() throws IOException {
		return listed().stream().map(StoredBlob::address).toList();
	}

	private List<StoredBlob> listed() throws IOException {
		List<StoredBlob> blobs = new ArrayList<>();
		this.files.list(blobs::add);
		return blobs;
	}

	private static BlobAddress address(String handle) {
		return BlobAddress.of("acme", "run:1", handle);
	}

	/** A store in which some things fail. */
	private static final class Unlistable implements ListableBlobStore {

		private final ListableBlobStore store;

		private BlobAddress undeletable;

		Unlistable(ListableBlobStore store) {
			this.store = store;
		}

		@Override
		public void list(Consumer<StoredBlob> consumer) throws IOException {
			if (this.undeletable == null) {
				throw new IOException("no list today");
			}
			this.store.list(consumer);
		}

		@Override
		public void put(BlobAddress address, InputStream content, long bytes) throws IOException {
			this.store.put(address, content, bytes);
		}

		@Override
		public byte[] read(BlobAddress address, long offset, int most) throws IOException {
			return this.store.read(address, offset, most);
		}

		@Override
		public InputStream open(BlobAddress address) throws IOException {
			return this.store.open(address);
		}

		@Override
		public void delete(BlobAddress address) throws IOException {
			if (address.equals(this.undeletable)) {
				throw new IOException("not this one");
			}
			this.store.delete(address);
		}

	}

}
