package io.psych.sandbox.backend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Folders of Python packages beside the standard library that programs can import from,
 * read-only, and what is installed in them.
 *
 * @param folders the folders, in the order in which they are searched
 * @param names what is installed, each as {@code name version}
 * @since 0.1.0
 */
public record Packages(List<Path> folders, List<String> names) {

	/** The standard library only. */
	public static final Packages NONE = new Packages(List.of(), List.of());

	private static final Pattern ENVIRONMENT_VERSION = Pattern.compile("(?m)^version(?:_info)?\\s*=\\s*(\\S+)\\s*$");

	private static final Pattern NAME = Pattern.compile("(?m)^Name:\\s*(\\S{1,100})\\s*$");

	private static final Pattern VERSION = Pattern.compile("(?m)^Version:\\s*(\\S{1,50})\\s*$");

	public Packages {
		folders = List.copyOf(folders);
		names = List.copyOf(names);
	}

	/**
	 * Find the folders of packages in what an operator names.
	 * @param named virtual environments, and folders that hold packages
	 * @param interpreter the interpreter that imports them
	 * @return the folders
	 * @throws BackendException if one can't be used, with what to do
	 */
	public static Packages find(List<Path> named, Interpreter interpreter) throws BackendException {
		Set<Path> folders = new LinkedHashSet<>();
		Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		for (Path path : named) {
			try {
				Path folder = folder(path, interpreter);
				folders.add(folder);
				names.addAll(installed(folder));
			}
			catch (IOException | UncheckedIOException ex) {
				throw new BackendException(path + " can't be read: " + ex.getMessage(),
						"Name a folder that this service can read.", ex);
			}
		}
		return new Packages(List.copyOf(folders), List.copyOf(names));
	}

	private static Path folder(Path path, Interpreter interpreter) throws BackendException, IOException {
		if (!path.isAbsolute() || !Files.isDirectory(path)) {
			throw new BackendException(path + " is no absolute path of a folder",
					"Name a virtual environment or a folder of packages by its absolute path.");
		}
		Path configuration = path.resolve("pyvenv.cfg");
		if (!Files.isRegularFile(configuration)) {
			return path.toRealPath();
		}
		String version = first(ENVIRONMENT_VERSION, Files.readString(configuration));
		String wanted = minor(interpreter.version());
		if (version != null && !minor(version).equals(wanted)) {
			throw new BackendException(
					path + " is a virtual environment of Python " + version + ", and programs run on Python "
							+ interpreter.version(),
					"Make it anew with " + interpreter.executable() + " -m venv, or set psych.sandbox.interpreter to"
							+ " the Python it was made with.");
		}
		Path packages = path.resolve("lib").resolve("python" + wanted).resolve("site-packages");
		if (!Files.isDirectory(packages)) {
			throw new BackendException(path + " is a virtual environment without " + packages,
					"Make it anew with " + interpreter.executable() + " -m venv.");
		}
		return packages.toRealPath();
	}

	private static String minor(String version) {
		String[] parts = version.split("\\.");
		return (parts.length > 1) ? parts[0] + "." + parts[1] : version;
	}

	/**
	 * Read what is installed from the records that installers leave (PEP 376, and the
	 * older ones of setuptools, which Debian has).
	 */
	private static List<String> installed(Path folder) throws IOException {
		List<String> installed = new ArrayList<>();
		try (Stream<Path> entries = Files.list(folder)) {
			for (Path entry : entries.toList()) {
				Path record = record(entry);
				if (record != null && Files.isReadable(record)) {
					String text = text(record);
					String name = first(NAME, text);
					String version = first(VERSION, text);
					if (name != null && version != null) {
						installed.add(name + " " + version);
					}
				}
			}
		}
		return installed;
	}

	private static String text(Path record) throws IOException {
		try {
			return Files.readString(record);
		}
		catch (MalformedInputException ex) {
			// A name and a version are ASCII; nothing else is read.
			return "";
		}
	}

	private static @Nullable Path record(Path entry) {
		String name = entry.getFileName().toString();
		if (name.endsWith(".dist-info")) {
			return entry.resolve("METADATA");
		}
		if (name.endsWith(".egg-info")) {
			return Files.isDirectory(entry) ? entry.resolve("PKG-INFO") : entry;
		}
		return null;
	}

	private static @Nullable String first(Pattern pattern, String text) {
		return pattern.matcher(text).results().findFirst().map((result) -> result.group(1)).orElse(null);
	}

}
