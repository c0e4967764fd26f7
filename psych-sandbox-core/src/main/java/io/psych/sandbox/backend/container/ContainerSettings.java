package io.psych.sandbox.backend.container;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Which containers children run in.
 *
 * @param engine the client of podman or docker, an absolute path or a name on the PATH of
 * this JVM, or {@code null} for the first of the two that is there
 * @param image the image, by its name or digest; it is never pulled
 * @param interpreter the interpreter in the image, a path or a name that is looked up
 * there
 * @param runtime the runtime the engine must use, such as {@code runsc}, or {@code null}
 * for its own choice
 * @param extraArguments further arguments of the engine's {@code run}, each as
 * {@code --name=value}
 * @since 0.1.0
 */
public record ContainerSettings(@Nullable String engine, String image, String interpreter, @Nullable String runtime,
		List<String> extraArguments) {

	/** What an image of Python calls its interpreter. */
	public static final String INTERPRETER = "python3";

	public ContainerSettings {
		if (!image.matches("[A-Za-z0-9][A-Za-z0-9._/:@-]{0,254}")) {
			throw new IllegalArgumentException(
					"image must be a name or digest of at most 255 characters but was '" + image + "'");
		}
		if (interpreter.isBlank() || interpreter.startsWith("-")) {
			throw new IllegalArgumentException(
					"interpreter must be a path or name in the image but was '" + interpreter + "'");
		}
		if (runtime != null && !runtime.matches("[A-Za-z0-9/._-]{1,255}")) {
			throw new IllegalArgumentException("runtime must be a name or path but was '" + runtime + "'");
		}
		extraArguments = List.copyOf(extraArguments);
		extraArguments.forEach(ExtraArguments::check);
	}

	/**
	 * Return settings for an image, all else at its default.
	 * @param image the image
	 * @return the settings
	 */
	public static ContainerSettings of(String image) {
		return new ContainerSettings(null, image, INTERPRETER, null, List.of());
	}

	/**
	 * Return these settings with another engine.
	 * @param engine the client
	 * @return the new settings
	 */
	public ContainerSettings withEngine(@Nullable String engine) {
		return new ContainerSettings(engine, this.image, this.interpreter, this.runtime, this.extraArguments);
	}

	/**
	 * Return these settings with another interpreter.
	 * @param interpreter the interpreter in the image
	 * @return the new settings
	 */
	public ContainerSettings withInterpreter(String interpreter) {
		return new ContainerSettings(this.engine, this.image, interpreter, this.runtime, this.extraArguments);
	}

	/**
	 * Return these settings with a runtime.
	 * @param runtime the runtime
	 * @return the new settings
	 */
	public ContainerSettings withRuntime(@Nullable String runtime) {
		return new ContainerSettings(this.engine, this.image, this.interpreter, runtime, this.extraArguments);
	}

	/**
	 * Return these settings with further arguments.
	 * @param arguments the arguments
	 * @return the new settings
	 */
	public ContainerSettings withExtraArguments(List<String> arguments) {
		return new ContainerSettings(this.engine, this.image, this.interpreter, this.runtime, arguments);
	}

}
