package io.psych.sandbox.artifact;

import java.io.IOException;
import java.io.InputStream;

/**
 * Takes the files that are collected, one after the other.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ArtifactSink {

	/**
	 * Take a file.
	 * @param artifact what it is
	 * @param content its content, to be read to its end: only there it is known to be
	 * whole. Fails when it is not
	 * @throws NotTakenException if the file is not taken, with the reason it is told as
	 * uncollected with
	 * @throws IOException if the file could not be taken; it is told as uncollected
	 */
	void accept(Artifact artifact, InputStream content) throws IOException;

}
