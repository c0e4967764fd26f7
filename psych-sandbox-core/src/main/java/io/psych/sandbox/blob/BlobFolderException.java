package io.psych.sandbox.blob;

import java.io.IOException;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a folder can't be used to store blobs.
 *
 * @since 0.1.0
 */
public final class BlobFolderException extends IOException {

	private final String problem;

	private final String fix;

	BlobFolderException(Path folder, String problem, String fix, @Nullable IOException cause) {
		super("the folder for blobs is " + folder + ", " + problem + ". " + fix, cause);
		this.problem = problem;
		this.fix = fix;
	}

	/**
	 * Return why it can't be used.
	 * @return the rest of a sentence that begins with the folder
	 */
	public String problem() {
		return this.problem;
	}

	/**
	 * Return what to do about it.
	 * @return an imperative sentence
	 */
	public String fix() {
		return this.fix;
	}

}
