package io.psych.sandbox.blob;

import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a store within its {@link Retention}. It is swept after a blob was stored, when
 * the last sweep is {@link #INTERVAL} ago or an eighth of the total was stored since: so
 * all blobs have at most the total, and for each host an eighth of it and what is stored
 * during a sweep. Any number of hosts may sweep one storage at the same time.
 *
 * @since 0.1.0
 */
public final class RetainedBlobStore implements BlobStore {

	/** The time between two sweeps of one host where little is stored. */
	public static final Duration INTERVAL = Duration.ofMinutes(10);

	private static final Logger logger = LoggerFactory.getLogger(RetainedBlobStore.class);

	private final ListableBlobStore store;

	private final Retention retention;

	private final Clock clock;

	private final Executor executor;

	private final AtomicBoolean sweeping = new AtomicBoolean();

	private final AtomicLong storedSince = new AtomicLong();

	/** Whether the executor has a sweep that has not begun. */
	private final AtomicBoolean asked = new AtomicBoolean();

	private volatile Instant next = Instant.MIN;

	/**
	 * Create a store that is swept by the threads that store.
	 * @param store where the blobs are
	 * @param retention what is kept
	 */
	public RetainedBlobStore(ListableBlobStore store, Retention retention) {
		this(store, retention, Clock.systemUTC(), Runnable::run);
	}

	/**
	 * Create a new store.
	 * @param store where the blobs are
	 * @param retention what is kept
	 * @param clock tells how old a blob is
	 * @param executor runs the sweeps
	 */
	public RetainedBlobStore(ListableBlobStore store, Retention retention, Clock clock, Executor executor) {
		this.store = store;
		this.retention = retention;
		this.clock = clock;
		this.executor = executor;
	}

	@Override
	public void put(BlobAddress address, InputStream content, long bytes) throws IOException {
		long most = this.retention.maxTotal().bytes();
		if (bytes > most) {
			throw new IOException(
					"a blob of " + bytes + " bytes is more than all of them may have, " + this.retention.maxTotal());
		}
		this.store.put(address, content, bytes);
		boolean isFull = this.storedSince.addAndGet(bytes) >= most / 8;
		if (isFull || !this.clock.instant().isBefore(this.next)) {
			askForSweep();
		}
	}

	private void askForSweep() {
		if (!this.asked.compareAndSet(false, true)) {
			return;
		}
		try {
			this.executor.execute(this::sweepOrLog);
		}
		catch (RejectedExecutionException ex) {
			this.asked.set(false);
			logger.debug("Blobs are not swept, the executor takes no more: {}", ex.toString());
		}
	}

	/**
	 * Remove what is not to be kept, and only log what prevents it.
	 */
	public void sweepOrLog() {
		this.asked.set(false);
		try {
			sweep();
		}
		catch (IOException | RuntimeException ex) {
			logger.warn("Blobs that are old could not be removed ({}): {}", description(), ex.toString());
		}
	}

	/**
	 * Remove what is not to be kept. Does nothing while another thread does.
	 * @return how many blobs were removed
	 * @throws IOException if the store can't be read, or some can't be removed
	 */
	public int sweep() throws IOException {
		if (!this.sweeping.compareAndSet(false, true)) {
			return 0;
		}
		try {
			this.storedSince.set(0);
			this.next = this.clock.instant().plus(INTERVAL);
			return remove(tooMuch());
		}
		finally {
			this.sweeping.set(false);
		}
	}

	private List<StoredBlob> tooMuch() throws IOException {
		Instant oldest = this.clock.instant().minus(this.retention.maxAge());
		List<StoredBlob> tooMuch = new ArrayList<>();
		List<StoredBlob> young = new ArrayList<>();
		this.store.list((blob) -> (blob.modified().isBefore(oldest) ? tooMuch : young).add(blob));
		long total = young.stream().mapToLong(StoredBlob::bytes).sum();
		young.sort(Comparator.comparing(StoredBlob::modified));
		for (StoredBlob blob : young) {
			if (total <= this.retention.maxTotal().bytes()) {
				break;
			}
			tooMuch.add(blob);
			total -= blob.bytes();
		}
		return tooMuch;
	}

	private int remove(List<StoredBlob> blobs) throws IOException {
		int removed = 0;
		List<IOException> failures = new ArrayList<>();
		for (StoredBlob blob : blobs) {
			try {
				this.store.delete(blob.address());
				removed++;
			}
			catch (IOException ex) {
				failures.add(ex);
			}
		}
		if (removed > 0) {
			logger.debug("Removed {} blobs of {} ({})", removed, blobs.size(), this.retention);
		}
		if (!failures.isEmpty()) {
			throw new IOException(
					failures.size() + " of " + blobs.size() + " blobs can't be removed, the first: " + failures.get(0),
					failures.get(0));
		}
		return removed;
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
		this.store.delete(address);
	}

	@Override
	public String description() {
		return this.store.description();
	}

}
