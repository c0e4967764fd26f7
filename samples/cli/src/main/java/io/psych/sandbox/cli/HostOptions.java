package io.psych.sandbox.cli;

import java.nio.file.Path;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.SandboxBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options about the host, shared by the commands.
 */
final class HostOptions {

	@Option(names = "--interpreter", paramLabel = "FILE", description = "The CPython to use (default: detected).")
	private @Nullable Path interpreter;

	@Option(names = "--bubblewrap", paramLabel = "FILE", description = "The bwrap to use (default: detected).")
	private @Nullable Path bubblewrap;

	@Option(names = "--run-as", paramLabel = "USER",
			description = "The user the program runs as (default: nobody for root, else you).")
	private @Nullable String runAs;

	@Option(names = "--allow-same-user",
			description = "Let the program run as the user of this tool, on backends that can't give it another.")
	private boolean allowSameUser;

	SandboxBuilder builder() {
		SandboxBuilder builder = Sandbox.builder().allowSameUser(this.allowSameUser);
		if (this.interpreter != null) {
			builder.interpreter(this.interpreter);
		}
		if (this.bubblewrap != null) {
			builder.bubblewrap(this.bubblewrap);
		}
		if (this.runAs != null) {
			builder.runAs(this.runAs);
		}
		return builder;
	}

}
