package io.psych.sandbox.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.psych.sandbox.NoUsableBackendException;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.backend.BackendSelection.Candidate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Tells what this host can offer, by trying.
 */
@Command(name = "doctor", mixinStandardHelpOptions = true, sortOptions = false,
		description = "Tries every isolation backend on this host and prints what each enforces, on what evidence.",
		exitCodeListHeading = "%nExit codes:%n",
		exitCodeList = { "0:At least one backend is usable.", "2:The command line can't be right.",
				"4:No backend is usable, or the host can't be set up as asked.", "70:A fault of this tool." })
final class DoctorCommand implements Callable<Integer> {

	/** From strongest to weakest. */
	private static final List<String> BACKENDS = List.of("bubblewrap", "container", "process");

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Option(names = "--json", description = "Print the findings as JSON.")
	private boolean json;

	@Mixin
	private final HostOptions hostOptions = new HostOptions();

	@Override
	public Integer call() {
		List<Diagnosis> diagnoses = new ArrayList<>();
		BACKENDS.stream()
			.filter((backend) -> this.hostOptions.hasImage() || !"container".equals(backend))
			.forEach((backend) -> diagnoses.add(diagnose(backend)));
		DoctorReport report = new DoctorReport(diagnoses, automatic());
		PrintWriter out = this.spec.commandLine().getOut();
		out.println(this.json ? report.toJson().toPrettyJson() : report.toText());
		out.flush();
		return report.usable() ? ExitCode.SUCCESS : ExitCode.NO_BACKEND;
	}

	/** Ask for what auto takes instead of working it out again. */
	private @Nullable String automatic() {
		try (Sandbox sandbox = this.hostOptions.builder().build(); InterruptHook hook = new InterruptHook(sandbox)) {
			return sandbox.selection().chosen();
		}
		catch (NoUsableBackendException ex) {
			return null;
		}
	}

	private Diagnosis diagnose(String backend) {
		try (Sandbox sandbox = this.hostOptions.builder().backend(backend).build();
				InterruptHook hook = new InterruptHook(sandbox)) {
			return Diagnosis.usable(backend, sandbox.pythonVersion(), sandbox.isolation());
		}
		catch (NoUsableBackendException ex) {
			Candidate candidate = ex.selection()
				.candidates()
				.stream()
				.filter((tried) -> tried.name().equals(backend))
				.findFirst()
				.orElseThrow();
			return Diagnosis.unusable(backend, candidate.reason(), candidate.remedy());
		}
	}

}
