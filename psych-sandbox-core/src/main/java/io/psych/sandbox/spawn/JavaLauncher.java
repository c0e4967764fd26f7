package io.psych.sandbox.spawn;

import java.io.File;
import java.io.IOException;

/**
 * Starts processes as Java does, through a helper of its own.
 */
final class JavaLauncher implements Launcher {

	@Override
	public ChildProcess launch(ChildCommand command) throws IOException {
		if (command.user() != null || command.channels() != null || command.surroundings() != null) {
			throw new IllegalArgumentException("Java starts with neither another user nor a descriptor nor a group");
		}
		ProcessBuilder builder = new ProcessBuilder(command.arguments());
		builder.environment().clear();
		builder.environment().putAll(command.environment());
		builder.directory(command.directory().toFile());
		builder.redirectInput(new File("/dev/null"));
		try {
			return new JavaProcess(builder.start());
		}
		catch (IOException ex) {
			throw new IOException(ex.getMessage(), ex);
		}
	}

}
