package io.psych.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds processes of this host by a marker in their command line or environment.
 */
final class Leftovers {

	private Leftovers() {
	}

	/**
	 * Return the processes below this JVM, and all others that carry a marker.
	 * @param marker the marker
	 * @return their ids and command lines
	 */
	static List<String> processesWith(String marker) {
		List<String> found = new ArrayList<>();
		try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
			for (Path process : processes) {
				String command = read(process.resolve("cmdline"));
				if (command.contains(marker) || read(process.resolve("environ")).contains(marker)) {
					found.add(process.getFileName() + " " + command.replace('\0', ' '));
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		found.removeIf((entry) -> entry.startsWith(ProcessHandle.current().pid() + " "));
		return found;
	}

	private static String read(Path file) {
		try {
			return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			// The process has gone meanwhile.
			return "";
		}
	}

}
