package io.psych.sandbox.attachment;

import java.util.Base64;

import io.psych.sandbox.blob.BlobAddress;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.runlog.RunEvent;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what executions leave behind and finds it again. What is small is kept in the log
 * of the run, what is not in the blob store, and where there is none the head and the
 * tail of a text are all there is.
 *
 * @since 0.1.0
 */
public final class Attachments {

	private final RunLog log;

	private final @Nullable BlobStore blobs;

	/**
	 * Create a new instance.
	 * @param log the log in which runs record what they keep
	 * @param blobs where it is kept when it is not small, or {@code null}
	 */
	public Attachments(RunLog log, @Nullable BlobStore blobs) {
		this.log = log;
		this.blobs = blobs;
	}

	/**
	 * Return whether there is a blob store.
	 * @return whether more than what is small can be kept
	 */
	public boolean hasBlobStore() {
		return this.blobs != null;
	}

	/**
	 * Return what keeps the things that one execution leaves behind.
	 * @param scope whose execution it is
	 * @param execution its name, 32 lower-case hexadecimal digits
	 * @return the keeper
	 */
	public Keeper keeper(Scope scope, String execution) {
		return new Keeper(this.log, this.blobs, RunKey.of(scope, execution), execution);
	}

	/**
	 * Find an attachment of a run.
	 * @param scope whose run it is; without a run, the handle itself names the execution,
	 * and can't be guessed
	 * @param handle what may be a handle
	 * @return the content, or {@code null} when this run recorded no such handle,
	 * whatever another run or tenant did
	 * @throws io.psych.sandbox.runlog.RunLogException if the log can't be read
	 */
	public @Nullable Content find(Scope scope, String handle) {
		Handle parts = Handle.parse(handle);
		if (parts == null) {
			return null;
		}
		RunKey run = RunKey.of(scope, parts.execution());
		RunEvent.AttachmentKept kept = this.log.attachment(run, handle);
		if (kept == null || !kept.execution().equals(parts.execution())) {
			return null;
		}
		String inline = kept.inline();
		if (inline != null) {
			return Content.of(kept.attachment(), Base64.getDecoder().decode(inline));
		}
		return (this.blobs != null) ? Content.of(kept.attachment(), this.blobs, address(run, handle)) : null;
	}

	static BlobAddress address(RunKey run, String handle) {
		return BlobAddress.of(run.tenant(), run.run(), handle);
	}

}
