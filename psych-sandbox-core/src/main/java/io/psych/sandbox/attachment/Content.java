package io.psych.sandbox.attachment;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

import io.psych.sandbox.blob.BlobAddress;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.contract.Attachment;

/**
 * What is kept of an attachment.
 *
 * @since 0.1.0
 */
public abstract sealed class Content {

	private final Attachment attachment;

	private Content(Attachment attachment) {
		this.attachment = attachment;
	}

	/**
	 * Return the attachment.
	 * @return the attachment
	 */
	public Attachment attachment() {
		return this.attachment;
	}

	/**
	 * Read a part.
	 * @param offset where to begin
	 * @param most the most bytes to return
	 * @return the bytes; fewer than asked for only at the end
	 * @throws java.nio.file.NoSuchFileException if it has been removed since
	 * @throws IOException if it can't be read
	 */
	public abstract byte[] read(long offset, int most) throws IOException;

	/**
	 * Open it for being read from its beginning to its end.
	 * @return the content
	 * @throws java.nio.file.NoSuchFileException if it has been removed since
	 * @throws IOException if it can't be read
	 */
	public abstract InputStream open() throws IOException;

	static Content of(Attachment attachment, byte[] bytes) {
		return new Inline(attachment, bytes);
	}

	static Content of(Attachment attachment, BlobStore blobs, BlobAddress address) {
		return new Blob(attachment, blobs, address);
	}

	private static final class Inline extends Content {

		private final byte[] bytes;

		Inline(Attachment attachment, byte[] bytes) {
			super(attachment);
			this.bytes = bytes;
		}

		@Override
		public byte[] read(long offset, int most) {
			int from = (int) Math.min(offset, this.bytes.length);
			return Arrays.copyOfRange(this.bytes, from, from + Math.min(most, this.bytes.length - from));
		}

		@Override
		public InputStream open() {
			return new ByteArrayInputStream(this.bytes);
		}

	}

	private static final class Blob extends Content {

		private final BlobStore blobs;

		private final BlobAddress address;

		Blob(Attachment attachment, BlobStore blobs, BlobAddress address) {
			super(attachment);
			this.blobs = blobs;
			this.address = address;
		}

		@Override
		public byte[] read(long offset, int most) throws IOException {
			return this.blobs.read(this.address, Math.min(offset, attachment().bytes()), most);
		}

		@Override
		public InputStream open() throws IOException {
			return this.blobs.open(this.address);
		}

	}

}
