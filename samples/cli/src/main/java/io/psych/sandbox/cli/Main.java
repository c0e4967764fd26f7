package io.psych.sandbox.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.psych.sandbox.NoUsableBackendException;
import io.psych.sandbox.SandboxConfigurationException;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.LimitException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/**
 * The tool. Standard output carries what was asked for, in UTF-8 whatever the locale;
 * everything else goes to standard error.
 */
@Command(name = "psych-sandbox", description = "Runs one Python program in a fresh isolated process.",
		synopsisSubcommandLabel = "COMMAND", mixinStandardHelpOptions = true, versionProvider = Version.class)
public final class Main {

	private Main() {
	}

	/**
	 * Run one command and end the JVM with its status.
	 * @param arguments the command and its options
	 */
	public static void main(String[] arguments) {
		CommandLine commandLine = commandLine(System.in, writer(FileDescriptor.out), writer(FileDescriptor.err));
		System.exit(commandLine.execute(arguments));
	}

	static CommandLine commandLine(InputStream in, PrintWriter out, PrintWriter err) {
		CommandLine commandLine = new CommandLine(new Main());
		commandLine.addSubcommand(new RunCommand(in));
		commandLine.addSubcommand(new DoctorCommand());
		commandLine.registerConverter(Duration.class, Units::duration);
		commandLine.registerConverter(ByteSize.class, Units::byteSize);
		commandLine.registerConverter(Level.class, Units::level);
		commandLine.setOut(out);
		commandLine.setErr(err);
		commandLine.setExecutionExceptionHandler(Main::explain);
		commandLine.getSubcommands()
			.values()
			.forEach((command) -> command.getCommandSpec().exitCodeOnExecutionException(ExitCode.INTERNAL));
		return commandLine;
	}

	private static int explain(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
		int exitCode;
		if (failure instanceof LimitException) {
			exitCode = ExitCode.USAGE;
		}
		else if (failure instanceof SandboxConfigurationException || failure instanceof NoUsableBackendException) {
			exitCode = ExitCode.NO_BACKEND;
		}
		else {
			throw failure;
		}
		command.getErr().println(failure.getMessage());
		command.getErr().flush();
		return exitCode;
	}

	private static PrintWriter writer(FileDescriptor descriptor) {
		return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), true);
	}

}
