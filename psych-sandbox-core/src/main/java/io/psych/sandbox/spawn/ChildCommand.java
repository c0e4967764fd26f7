package io.psych.sandbox.spawn;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How to start a child. Its stdin is empty, its stdout and stderr are pipes, and nothing
 * of this process is inherited beside them.
 *
 * @param arguments the executable, an absolute path, and its arguments
 * @param environment the whole environment, nothing is added to it
 * @param directory the folder to start in
 * @since 0.1.0
 */
public record ChildCommand(List<String> arguments, Map<String, String> environment, Path directory) {

	public ChildCommand {
		arguments = List.copyOf(arguments);
		environment = Map.copyOf(environment);
	}

}
