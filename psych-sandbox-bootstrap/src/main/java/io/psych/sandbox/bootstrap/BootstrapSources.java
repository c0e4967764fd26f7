package io.psych.sandbox.bootstrap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The Python sources of the child. They are compiled once per interpreter by
 * {@link #BUNDLER}, which also tells what interpreter it ran on.
 *
 * @since 0.1.0
 */
public final class BootstrapSources {

	/** The script that makes one compiled file of the others. */
	public static final String BUNDLER = "psych_bundle.py";

	private static final List<String> NAMES = List.of(BUNDLER, "psych_bindings.py", "psych_bootstrap.py",
			"psych_confine.py", "psych_endings.py", "psych_figures.py", "psych_forms.py", "psych_prints.py",
			"psych_probe.py", "psych_program.py", "psych_restrict.py", "psych_tree.py", "psych_values.py");

	private BootstrapSources() {
	}

	/**
	 * Write all sources into a folder.
	 * @param folder an existing folder
	 * @throws IOException if one can't be written
	 */
	public static void copyTo(Path folder) throws IOException {
		for (String name : NAMES) {
			try (InputStream source = BootstrapSources.class.getResourceAsStream(name)) {
				if (source == null) {
					throw new IOException("the resource " + name + " is missing from psych-sandbox-bootstrap");
				}
				Files.copy(source, folder.resolve(name));
			}
		}
	}

}
