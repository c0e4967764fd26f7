package io.psych.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.backend.container.ContainerSettings;

/**
 * The engine and the image that tests of containers use. Both are prepared by
 * {@code .ci/prerequisites.sh}; where they are not, these tests are skipped and say so.
 */
public final class Containers {

	/** An image made of this machine's own interpreter, by .ci/container-image. */
	public static final String IMAGE = "localhost/psych-sandbox-python:test";

	private Containers() {
	}

	/**
	 * Return whether podman is here and has the image.
	 * @return whether it is
	 */
	public static boolean areThere() {
		return Answer.TEXT.isEmpty();
	}

	/**
	 * Return why not.
	 * @return the reason, empty when there is none
	 */
	public static String whyNot() {
		return Answer.TEXT;
	}

	/**
	 * Return settings for the image.
	 * @return the settings
	 */
	public static ContainerSettings settings() {
		return ContainerSettings.of(IMAGE).withEngine("podman");
	}

	/**
	 * Return what podman answers.
	 * @param arguments its arguments
	 * @return what it printed, without the last line's end
	 */
	public static String podman(String... arguments) {
		String[] command = new String[arguments.length + 1];
		command[0] = "podman";
		System.arraycopy(arguments, 0, command, 1, arguments.length);
		try {
			Path output = Files.createTempFile("podman-", ".txt");
			try {
				Process process = new ProcessBuilder(command).redirectErrorStream(true)
					.redirectOutput(output.toFile())
					.start();
				if (process.onExit().orTimeout(30, TimeUnit.SECONDS).join().exitValue() != 0) {
					throw new IOException(Files.readString(output));
				}
				return Files.readString(output, StandardCharsets.UTF_8).strip();
			}
			finally {
				Files.delete(output);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the containers of sandboxes whose folder is in another one.
	 * @param folder that folder, which their command line names
	 * @param options of podman's ps, such as {@code --all}
	 * @return their ids
	 */
	public static List<String> in(Path folder, String... options) {
		List<String> arguments = new ArrayList<>(List.of("ps", "--no-trunc", "--filter",
				"label=io.psych.sandbox=container", "--format", "{{.ID}} {{.Command}}"));
		arguments.addAll(List.of(options));
		return podman(arguments.toArray(String[]::new)).lines()
			.filter((line) -> line.contains(folder.toString()))
			.map((line) -> line.split(" ")[0])
			.toList();
	}

	/**
	 * Asked for only by who wants to know: what podman leaves of a container falls to a
	 * JVM that is PID 1.
	 */
	private static final class Answer {

		private static final String TEXT = find();

		private static String find() {
			try {
				podman("image", "inspect", IMAGE);
				// An engine that can't start anything here is as good as none.
				podman("run", "--rm", "--network", "none", "--pull", "never", IMAGE, "/usr/bin/python3", "-I", "-S",
						"-c", "pass");
				return "";
			}
			catch (UncheckedIOException ex) {
				return "containers are not tested here, .ci/prerequisites.sh prepares them: "
						+ ex.getCause().getMessage();
			}
			catch (CompletionException ex) {
				return "containers are not tested here, podman does not answer: " + ex.getCause();
			}
		}

	}

}
