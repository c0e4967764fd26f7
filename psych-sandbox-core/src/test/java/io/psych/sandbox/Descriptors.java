package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What this JVM has open.
 */
public final class Descriptors {

	private Descriptors() {
	}

	/**
	 * Return the mount namespaces that are held.
	 * @return their names, in order, one as often as it is held
	 */
	public static List<String> mountNamespaces() throws IOException {
		List<String> held = new ArrayList<>();
		try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
			for (Path descriptor : descriptors.toList()) {
				try {
					held.add(Files.readSymbolicLink(descriptor).toString());
				}
				catch (NoSuchFileException ex) {
					// Closed since it was listed, as that of the list is.
				}
			}
		}
		return held.stream().filter((target) -> target.startsWith("mnt:")).sorted().toList();
	}

}
