package io.psych.sandbox.blob;

import java.io.IOException;
import java.io.InputStream;

/**
 * Stores blobs for as long as its retention says. A blob is there as a whole or not at
 * all, also while it is being written and after a host has died. Used by many threads,
 * and by many hosts where its storage is shared.
 *
 * @since 0.1.0
 */
public interface BlobStore {

	/**
	 * Store a blob. One that is there already under the address is replaced.
	 * @param address the address
	 * @param content the content, read to its end and not closed
	 * @param bytes the size of the content
	 * @throws IOException if it can't be stored, or the content has another size; then
	 * what was there before is still there
	 */
	void put(BlobAddress address, InputStream content, long bytes) throws IOException;

	/**
	 * Read a part of a blob.
	 * @param address the address
	 * @param offset where to begin
	 * @param most the most bytes to return
	 * @return the bytes; fewer than asked for only at the end of the blob, none beyond it
	 * @throws java.nio.file.NoSuchFileException if there is no such blob, any more
	 * @throws IOException if it can't be read
	 */
	byte[] read(BlobAddress address, long offset, int most) throws IOException;

	/**
	 * Open a blob for being read from its beginning to its end.
	 * @param address the address
	 * @return the content
	 * @throws java.nio.file.NoSuchFileException if there is no such blob, any more
	 * @throws IOException if it can't be read
	 */
	InputStream open(BlobAddress address) throws IOException;

	/**
	 * Remove a blob. Does nothing when there is none.
	 * @param address the address
	 * @throws IOException if it can't be removed
	 */
	void delete(BlobAddress address) throws IOException;

	/**
	 * Return where the blobs are, for operators.
	 * @return a few words without credentials
	 */
	default String description() {
		return getClass().getName();
	}

}
