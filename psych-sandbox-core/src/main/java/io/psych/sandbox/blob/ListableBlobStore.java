package io.psych.sandbox.blob;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * A {@link BlobStore} that can tell what it holds, which a {@link RetainedBlobStore}
 * needs to remove what is old.
 *
 * @since 0.1.0
 */
public interface ListableBlobStore extends BlobStore {

	/**
	 * List all blobs, in no particular order, and clear away what writers that died have
	 * left. A blob that is stored or removed meanwhile is listed or not.
	 * @param consumer takes them one by one
	 * @throws IOException if they can't be listed
	 */
	void list(Consumer<StoredBlob> consumer) throws IOException;

}
