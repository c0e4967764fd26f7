package io.psych.sandbox.backend;

import java.nio.file.Path;
import java.util.List;

/**
 * A CPython of this host that was run once.
 *
 * @param executable its absolute path, links resolved
 * @param version its version, such as {@code 3.11.2}
 * @param prefixes the folders its standard library lies in
 * @param packages what can be imported beside the standard library
 * @since 0.1.0
 */
public record Interpreter(Path executable, String version, List<Path> prefixes, Packages packages) {

	/**
	 * What every child's interpreter is started with: isolated from the environment and
	 * the user's folders, without site-packages, writing no bytecode, unbuffered, in
	 * UTF-8.
	 */
	public static final List<String> FLAGS = List.of("-I", "-S", "-B", "-u", "-X", "utf8");

	public Interpreter {
		prefixes = List.copyOf(prefixes);
	}

	/**
	 * Return this interpreter with packages.
	 * @param packages what can be imported beside the standard library
	 * @return the interpreter
	 */
	public Interpreter withPackages(Packages packages) {
		return new Interpreter(this.executable, this.version, this.prefixes, packages);
	}

}
