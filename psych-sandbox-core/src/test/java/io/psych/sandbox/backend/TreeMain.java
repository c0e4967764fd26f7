package io.psych.sandbox.backend;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

import io.psych.sandbox.artifact.ArtifactCollector;
import io.psych.sandbox.artifact.Collected;
import io.psych.sandbox.limits.ArtifactLimits;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.FileHandle;

/**
 * Collects from a folder, removes it, and tells what came of it; to be run in a small
 * heap.
 */
public final class TreeMain {

	/** As by default, but with as long as a busy host takes. */
	private static final Limits LIMITS = limits(Limits.defaults());

	private TreeMain() {
	}

	public static void main(String[] arguments) throws IOException {
		Path folder = Path.of(arguments[0]);
		Collected collected;
		long began = System.nanoTime();
		try (FileHandle workspace = FileHandle.ofFolder(folder)) {
			collected = new ArtifactCollector().collect(workspace, LIMITS, Set.of(),
					(artifact, content) -> content.transferTo(FileOutputStream.nullOutputStream()));
		}
		long millis = (System.nanoTime() - began) / 1_000_000;
		Folders.delete(folder);
		StringBuilder text = new StringBuilder("files %d bytes %d listed %d unlisted %d removed %s\nmillis %d\n"
			.formatted(collected.files(), collected.bytes(), collected.uncollected().size(), collected.unlisted(),
					Files.notExists(folder), millis));
		collected.uncollected().stream().map((file) -> file.reason() + "\n").distinct().forEach(text::append);
		try (FileOutputStream output = new FileOutputStream(FileDescriptor.out)) {
			output.write(text.toString().getBytes(StandardCharsets.UTF_8));
		}
	}

	private static Limits limits(Limits defaults) {
		ArtifactLimits artifacts = defaults.artifacts();
		return defaults.withArtifacts(
				new ArtifactLimits(artifacts.files(), artifacts.depth(), artifacts.total(), Duration.ofMinutes(1)));
	}

}
