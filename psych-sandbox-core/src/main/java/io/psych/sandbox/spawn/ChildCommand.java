package io.psych.sandbox.spawn;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * How to start a child. Its stdin is empty, its stdout and stderr are pipes, and nothing
 * of this process is inherited beside them and its channel.
 *
 * @param arguments the executable, an absolute path, and its arguments
 * @param environment the whole environment, nothing is added to it
 * @param directory the folder to start in
 * @param user the user to start it as, or {@code null} for that of this JVM; another one
 * can be had by root only, and where {@link Spawner#isNative()}
 * @param channels makes its channel, which it finds as descriptor {@link #CHANNEL}, or
 * {@code null} for none; can be had where {@link Spawner#isNative()}
 * @param surroundings what it is in from its beginning, or {@code null} for what this JVM
 * is in; can be had where {@link Spawner#isNative()}
 * @since 0.1.0
 */
public record ChildCommand(List<String> arguments, Map<String, String> environment, Path directory,
		@Nullable HostUser user, @Nullable ChannelPairs channels, @Nullable Surroundings surroundings) {

	/** The descriptor of a child's channel. */
	public static final int CHANNEL = 3;

	public ChildCommand {
		arguments = List.copyOf(arguments);
		environment = Map.copyOf(environment);
	}

	/**
	 * Create a command for a child of this JVM's user without a channel.
	 * @param arguments the executable, an absolute path, and its arguments
	 * @param environment the whole environment, nothing is added to it
	 * @param directory the folder to start in
	 */
	public ChildCommand(List<String> arguments, Map<String, String> environment, Path directory) {
		this(arguments, environment, directory, null, null, null);
	}

	/**
	 * Return this command with other surroundings.
	 * @param surroundings what the child is in from its beginning
	 * @return the new command
	 */
	public ChildCommand within(Surroundings surroundings) {
		return new ChildCommand(this.arguments, this.environment, this.directory, this.user, this.channels,
				surroundings);
	}

	/**
	 * Return this command with other arguments and another environment.
	 * @param arguments the executable and its arguments
	 * @param environment the whole environment
	 * @return the new command
	 */
	public ChildCommand with(List<String> arguments, Map<String, String> environment) {
		return new ChildCommand(arguments, environment, this.directory, this.user, this.channels, this.surroundings);
	}

}
