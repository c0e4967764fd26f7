package io.psych.sandbox.spring.autoconfigure;

import java.time.Clock;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.blob.ListableBlobStore;
import io.psych.sandbox.blob.RetainedBlobStore;
import io.psych.sandbox.blob.Retention;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store of blobs and the one thread that removes what is old from it, at the start
 * and then again and again until the application ends.
 */
final class BlobSweeper implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(BlobSweeper.class);

	/** Where there is no store. */
	static final BlobSweeper NONE = new BlobSweeper(null, null);

	private final @Nullable BlobStore store;

	private final @Nullable ScheduledThreadPoolExecutor thread;

	private BlobSweeper(@Nullable BlobStore store, @Nullable ScheduledThreadPoolExecutor thread) {
		this.store = store;
		this.thread = thread;
	}

	/**
	 * Start to keep a store within its retention.
	 * @param store the store
	 * @param retention what is kept
	 * @return the sweeper
	 */
	static BlobSweeper start(ListableBlobStore store, Retention retention) {
		ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread sweeper = new Thread(task, "psych-sandbox-blobs");
			sweeper.setDaemon(true);
			return sweeper;
		});
		RetainedBlobStore retained = new RetainedBlobStore(store, retention, Clock.systemUTC(), thread);
		thread.scheduleWithFixedDelay(retained::sweepOrLog, 0, RetainedBlobStore.INTERVAL.toSeconds(),
				TimeUnit.SECONDS);
		logger.info("Large attachments are stored ({}) for {} and up to {}", retained.description(), retention.maxAge(),
				retention.maxTotal());
		return new BlobSweeper(retained, thread);
	}

	/**
	 * Return the store.
	 * @return the store, or {@code null} where there is none
	 */
	@Nullable BlobStore store() {
		return this.store;
	}

	@Override
	public void close() {
		if (this.thread != null) {
			this.thread.shutdownNow();
		}
	}

}
