package io.psych.sandbox.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Set;
import java.util.concurrent.Callable;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.SandboxBuilder;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Requirement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Executes one program and prints what came of it.
 */
@Command(name = "run", mixinStandardHelpOptions = true, sortOptions = false,
		description = "Executes one Python program: prints what it prints, then its value as JSON.",
		exitCodeListHeading = "%nExit codes:%n",
		exitCodeList = { "0:The program ran to its end.",
				"1:The program failed: it raised, ran out of time, exited, or its value is no data or too large.",
				"2:The command line can't be right: an unknown option, an unreadable file, an impossible limit.",
				"3:The sandbox did not execute it, or failed: isolation below --require, a refusal, not ready.",
				"4:No isolation backend is usable, or the host can't be set up as asked.", "70:A fault of this tool." })
final class RunCommand implements Callable<Integer> {

	private final InputStream in;

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Parameters(paramLabel = "FILE", description = "The program, UTF-8; - reads standard input.")
	@SuppressWarnings("NullAway.Init")
	private String file;

	@Option(names = "--json", description = "Print the whole record as JSON instead.")
	private boolean json;

	@Option(names = "--backend", paramLabel = "NAME", defaultValue = "auto",
			description = "bubblewrap, process or auto, the strongest that proves itself (default: auto).")
	@SuppressWarnings("NullAway.Init")
	private String backend;

	@Option(names = "--require", paramLabel = "LEVEL", defaultValue = "process",
			description = "Execute at this level or above: process or isolated (default: process).")
	@SuppressWarnings("NullAway.Init")
	private Level require;

	@Option(names = "--network", description = "Let the program keep the host's network.")
	private boolean network;

	@Mixin
	private final LimitOptions limitOptions = new LimitOptions();

	@Mixin
	private final HostOptions hostOptions = new HostOptions();

	RunCommand(InputStream in) {
		this.in = in;
	}

	@Override
	public Integer call() {
		RunRequest request = RunRequest.of(program()).withNetwork(this.network);
		SandboxBuilder builder = this.hostOptions.builder()
			.backend(this.backend)
			.require(new Requirement(this.require, Set.of()))
			.networkAllowed(this.network)
			.limits(this.limitOptions.limits());
		try (Sandbox sandbox = builder.build(); InterruptHook hook = new InterruptHook(sandbox)) {
			RunResult result = sandbox.run(request);
			print(result);
			return ExitCode.of(result.failure());
		}
	}

	private String program() {
		try {
			return ProgramFile.read(this.file, this.in);
		}
		catch (IOException ex) {
			throw new ParameterException(this.spec.commandLine(), ex.getMessage(), ex);
		}
	}

	private void print(RunResult result) {
		PrintWriter out = this.spec.commandLine().getOut();
		if (this.json) {
			out.println(result.toJson().toPrettyJson());
			out.flush();
		}
		else {
			new ResultPrinter(out, this.spec.commandLine().getErr()).print(result);
		}
	}

}
