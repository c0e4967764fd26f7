package io.psych.sandbox.attachment;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import io.psych.sandbox.blob.BlobAddress;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.runlog.RunEvent;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.runlog.RunLogException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what one execution leaves behind. Used by one thread at a time.
 *
 * @since 0.1.0
 */
public final class Keeper {

	private static final Logger logger = LoggerFactory.getLogger(Keeper.class);

	/** A log is read as a whole, so that only what is small belongs into it. */
	public static final ByteSize INLINE = ByteSize.ofKibibytes(8);

	private final RunLog log;

	private final @Nullable BlobStore blobs;

	private final RunKey run;

	private final String execution;

	private final List<Attachment> kept = new ArrayList<>();

	private final List<String> lost = new ArrayList<>();

	private int number;

	Keeper(RunLog log, @Nullable BlobStore blobs, RunKey run, String execution) {
		this.log = log;
		this.blobs = blobs;
		this.run = run;
		this.execution = execution;
	}

	/**
	 * Keep a text: all of it where that can be, otherwise what the preview shows.
	 * @param slot what kind of thing it is, which also names it
	 * @param mediaType its media type
	 * @param content what there is of it
	 * @param whole whether that is all of it
	 * @param preview its head and tail, small enough for the log
	 */
	public void keepText(Slot slot, String mediaType, byte[] content, boolean whole, byte[] preview) {
		String name = slot.prefix();
		if (!whole) {
			this.lost.add(name + " is larger than is kept, its middle is lost");
		}
		try {
			keep(slot, name, mediaType, new ByteArrayInputStream(content), content.length, whole);
		}
		catch (NotKeptException ex) {
			if (whole) {
				this.lost.add(name + " was not kept whole: " + ex.getMessage());
			}
			keepPreview(slot, name, mediaType, preview);
		}
	}

	private void keepPreview(Slot slot, String name, String mediaType, byte[] preview) {
		try {
			record(new Attachment(name, nextHandle(slot), mediaType, preview.length, false), preview);
		}
		catch (NotKeptException ex) {
			logger.debug("Not even the preview of {} is kept: {}", name, ex.getMessage());
		}
	}

	/**
	 * Keep a file, whole or not at all.
	 * @param name its path within the workspace
	 * @param mediaType its media type
	 * @param content its content, read to its end and not closed
	 * @param bytes its size
	 * @throws NotKeptException if it is not kept, with the reason
	 */
	public void keepFile(String name, String mediaType, InputStream content, long bytes) throws NotKeptException {
		keep(Slot.ARTIFACT, name, mediaType, content, bytes, true);
	}

	/**
	 * Take note of something that is not kept.
	 * @param what what it is, and why it is lost
	 */
	public void lose(String what) {
		this.lost.add(what);
	}

	private void keep(Slot slot, String name, String mediaType, InputStream content, long bytes, boolean whole)
			throws NotKeptException {
		Attachment attachment = new Attachment(name, nextHandle(slot), mediaType, bytes, whole);
		try {
			if (bytes <= INLINE.bytes()) {
				record(attachment, exactly(content, (int) bytes));
				return;
			}
			BlobStore store = this.blobs;
			if (store == null) {
				throw new NotKeptException("it is more than " + INLINE + ", and this deployment has no blob store");
			}
			BlobAddress address = Attachments.address(this.run, attachment.handle());
			store.put(address, content, bytes);
			recordStored(store, address, attachment);
		}
		catch (IOException ex) {
			logger.warn("Attachment {} can't be stored: {}", attachment.handle(), ex.toString());
			throw new NotKeptException("it could not be stored");
		}
	}

	private static byte[] exactly(InputStream content, int bytes) throws IOException {
		byte[] read = content.readNBytes(bytes + 1);
		if (read.length != bytes) {
			throw new IOException("it was to have " + bytes + " bytes and has " + read.length);
		}
		return read;
	}

	private void recordStored(BlobStore store, BlobAddress address, Attachment attachment) throws NotKeptException {
		try {
			record(attachment, null);
		}
		catch (NotKeptException ex) {
			try {
				store.delete(address);
			}
			catch (IOException deletion) {
				logger.warn("A blob that nobody can find is left until its retention ends: {}", deletion.toString());
			}
			throw ex;
		}
	}

	private void record(Attachment attachment, byte @Nullable [] inline) throws NotKeptException {
		try {
			this.log.append(this.run, new RunEvent.AttachmentKept(this.execution, attachment,
					(inline != null) ? Base64.getEncoder().encodeToString(inline) : null));
			this.kept.add(attachment);
		}
		catch (RunLogException ex) {
			logger.warn("Attachment {} can't be recorded: {}", attachment.handle(), ex.toString());
			throw new NotKeptException("it could not be recorded");
		}
	}

	private String nextHandle(Slot slot) {
		return new Handle(slot, this.execution, this.number++).toString();
	}

	/**
	 * Return what was kept.
	 * @return the attachments, in the order they were kept
	 */
	public List<Attachment> kept() {
		return List.copyOf(this.kept);
	}

	/**
	 * Return what was not kept whole.
	 * @return one sentence without a full stop for each
	 */
	public List<String> lost() {
		return List.copyOf(this.lost);
	}

}
