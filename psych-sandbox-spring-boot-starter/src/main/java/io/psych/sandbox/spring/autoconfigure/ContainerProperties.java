package io.psych.sandbox.spring.autoconfigure;

import java.util.List;

import io.psych.sandbox.backend.container.ContainerSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the container backend.
 *
 * @param engine Client of podman or docker, a path or a name on the PATH. The first of
 * the two that is there when not set.
 * @param image Image that programs run in, by name or digest, which the engine must have
 * already. Without one there are no containers.
 * @param interpreter Python interpreter in the image.
 * @param runtime Runtime that the engine must use, such as "runsc". The engine's own
 * choice when not set.
 * @param extraArgs Further arguments of the engine's "run", each written "--name=value".
 * Only those that give a container less are accepted.
 * @since 0.1.0
 */
public record ContainerProperties(@Nullable String engine, @Nullable String image,
		@DefaultValue(ContainerSettings.INTERPRETER) String interpreter, @Nullable String runtime,
		@DefaultValue List<String> extraArgs) {

	public ContainerProperties {
		extraArgs = List.copyOf(extraArgs);
	}

	/**
	 * Return the settings for the builder.
	 * @return the settings, or {@code null} without an image
	 */
	@Nullable ContainerSettings settings() {
		if (this.image == null) {
			return null;
		}
		try {
			return new ContainerSettings(this.engine, this.image, this.interpreter, this.runtime, this.extraArgs);
		}
		catch (IllegalArgumentException ex) {
			// The message names the component, why it can't be, and the value.
			String[] parts = String.valueOf(ex.getMessage()).split(" ", 2);
			String property = SandboxProperties.PREFIX + ".container." + parts[0];
			throw new InvalidPropertyException(property, "refused", "it " + parts[1],
					"Correct " + property + ", or remove it.");
		}
	}

}
