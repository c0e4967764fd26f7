package io.psych.sandbox.catalogue;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where this repository lies: tests are started from a module's folder or from the root.
 */
public final class Repository {

	private Repository() {
	}

	/**
	 * Return its root.
	 * @return the folder
	 */
	public static Path root() {
		Path folder = Path.of("").toAbsolutePath();
		while (!Files.exists(folder.resolve("verify")) || !Files.isDirectory(folder.resolve("psych-sandbox-core"))) {
			folder = folder.getParent();
			if (folder == null) {
				throw new IllegalStateException("the tests are not run from within the repository");
			}
		}
		return folder;
	}

}
