package io.psych.sandbox.backend;

import java.nio.file.Path;
import java.util.List;

/**
 * A CPython of this host that was run once.
 *
 * @param executable its absolute path, links resolved
 * @param version its version, such as {@code 3.11.2}
 * @param prefixes the folders its standard library lies in
 * @since 0.1.0
 */
public record Interpreter(Path executable, String version, List<Path> prefixes) {

	/**
	 * What every child's interpreter is started with: isolated from the environment and
	 * the user's folders, without site-packages, writing no bytecode, unbuffered, in
	 * UTF-8.
	 */
	public static final List<String> FLAGS = List.of("-I", "-S", "-B", "-u", "-X", "utf8");

	public Interpreter {
		prefixes = List.copyOf(prefixes);
	}

}
