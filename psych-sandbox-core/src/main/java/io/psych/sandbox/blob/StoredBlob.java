package io.psych.sandbox.blob;

import java.time.Instant;

/**
 * A blob as its store lists it.
 *
 * @param address where it is
 * @param bytes its size
 * @param modified when it was stored, by the clock of the storage
 * @since 0.1.0
 */
public record StoredBlob(BlobAddress address, long bytes, Instant modified) {

}
