package io.psych.sandbox.cli;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

import io.psych.sandbox.json.JsonValue;
import picocli.CommandLine;

/**
 * The tool as a person at a terminal sees it: arguments and input in, two streams and a
 * status out.
 */
final class Tool {

	/** Where the process backend has no user to change to, it needs to be told so. */
	private static final List<String> ON_THIS_HOST = List.of("--allow-same-user", "--interpreter",
			System.getProperty("psych.python", "/usr/bin/python3"));

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	private final int exitCode;

	private Tool(byte[] in, List<String> arguments) {
		CommandLine commandLine = Main.commandLine(new ByteArrayInputStream(in), new PrintWriter(this.out, true),
				new PrintWriter(this.err, true));
		this.exitCode = commandLine.execute(arguments.toArray(String[]::new));
	}

	/** Run a command exactly as given. */
	static Tool exactly(String... arguments) {
		return new Tool(new byte[0], List.of(arguments));
	}

	/** Run a command with the options this host needs for any backend to work. */
	static Tool here(String... arguments) {
		return hereWithInput(new byte[0], arguments);
	}

	static Tool hereWithInput(byte[] in, String... arguments) {
		List<String> all = new ArrayList<>(List.of(arguments));
		all.addAll(ON_THIS_HOST);
		return new Tool(in, all);
	}

	int exitCode() {
		return this.exitCode;
	}

	String out() {
		return this.out.toString();
	}

	String err() {
		return this.err.toString();
	}

	JsonValue json() {
		return JsonValue.parse(out());
	}

}
