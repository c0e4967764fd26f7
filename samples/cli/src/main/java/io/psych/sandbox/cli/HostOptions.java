package io.psych.sandbox.cli;

import java.nio.file.Path;
import java.util.List;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.SandboxBuilder;
import io.psych.sandbox.backend.container.ContainerSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Options about the host, shared by the commands.
 */
final class HostOptions {

	@Spec(Spec.Target.MIXEE)
	@SuppressWarnings("NullAway.Init")
	private CommandSpec command;

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

	@Option(names = "--image", paramLabel = "IMAGE",
			description = "The image of the container backend; without one there are no containers.")
	private @Nullable String image;

	@Option(names = "--engine", paramLabel = "FILE",
			description = "The client of podman or docker to use (default: detected).")
	private @Nullable String engine;

	@Option(names = "--runtime", paramLabel = "NAME",
			description = "The runtime the engine must use, such as runsc (default: its own choice).")
	private @Nullable String runtime;

	@Option(names = "--engine-arg", paramLabel = "ARG",
			description = "A further argument of the engine's run, written --name=value; may be repeated.")
	private List<String> engineArguments = List.of();

	boolean hasImage() {
		return this.image != null;
	}

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
		if (this.image != null) {
			builder.container(container(this.image));
		}
		return builder;
	}

	private ContainerSettings container(String image) {
		try {
			return ContainerSettings.of(image)
				.withEngine(this.engine)
				.withRuntime(this.runtime)
				.withExtraArguments(this.engineArguments);
		}
		catch (IllegalArgumentException ex) {
			throw new ParameterException(this.command.commandLine(), String.valueOf(ex.getMessage()), ex);
		}
	}

}
