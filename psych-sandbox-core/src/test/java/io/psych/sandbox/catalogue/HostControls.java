package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spawn.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to the host and a program must neither see nor reach: a canary file, a
 * folder anybody may write to, listeners of every kind, a process of each user that
 * programs run as.
 */
final class HostControls implements AutoCloseable {

	/** Where any user may leave something. */
	private static final List<Path> COMMON_FOLDERS = List.of(Path.of("/tmp"), Path.of("/var/tmp"), Path.of("/dev/shm"),
			Path.of("/dev/mqueue"), Path.of("/run"), Path.of("/run/lock"));

	private static final String CANARY = "the canary of the catalogue\n";

	private final Path folder;

	private final Listeners listeners;

	/** A process of each user that programs run as, by the user's number. */
	private final Map<String, Process> sentinels = new LinkedHashMap<>();

	HostControls(Path folder, Unconfined unconfined) throws IOException {
		this.folder = folder;
		Files.createDirectory(folder);
		open(folder);
		Files.writeString(canary(), CANARY);
		open(Files.createDirectory(outside()));
		Files.writeString(victim(), CANARY);
		Files.setPosixFilePermissions(victim(), PosixFilePermissions.fromString("rw-rw-rw-"));
		this.listeners = new Listeners(folder);
		for (HostUser user : unconfined.users()) {
			Process sentinel = unconfined.start(List.of(Unconfined.PYTHON, "-I", "-S", "-c",
					"import signal\nprint('ready', flush=True)\nsignal.pause()"), folder, user);
			sentinel.inputReader().readLine();
			this.sentinels.put(Integer.toString(user.uid()), sentinel);
		}
	}

	private static void open(Path path) throws IOException {
		Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
	}

	private Path canary() {
		return this.folder.resolve("canary");
	}

	/**
	 * Return a folder outside of every sandbox that any user may write to.
	 */
	private Path outside() {
		return this.folder.resolve("outside");
	}

	private Path victim() {
		return outside().resolve("victim");
	}

	/**
	 * Return what a program is told of the host, so that it need not search.
	 * @param token marks what belongs to this row
	 * @param unconfined whether the program is the control
	 * @return an object without true, false and null
	 */
	JsonValue tell(String token, boolean unconfined) {
		Map<String, @Nullable Object> host = new LinkedHashMap<>();
		host.put("token", token);
		host.put("control", unconfined ? 1 : 0);
		host.put("jvm", ProcessHandle.current().pid());
		Map<String, Object> pids = new LinkedHashMap<>();
		this.sentinels.forEach((uid, sentinel) -> pids.put(uid, sentinel.pid()));
		host.put("sentinels", pids);
		host.put("canary", canary().toString());
		host.put("outside", outside().toString());
		host.put("victim", victim().toString());
		host.putAll(this.listeners.addresses());
		return JsonValue.of(host);
	}

	/**
	 * What can be told of the host at one moment.
	 *
	 * @param reached how often each listener was reached
	 * @param files the files that a program must leave alone, with what they hold
	 */
	record State(Map<String, @Nullable Object> reached, Map<String, String> files) {

	}

	State state() throws IOException {
		return new State(this.listeners.reached(), files());
	}

	private Map<String, String> files() throws IOException {
		Map<String, String> files = new TreeMap<>();
		Files.walkFileTree(this.folder, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
				files.put(file.toString(), attributes.isRegularFile() ? Files.readString(file) : "special");
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException problem) {
				files.put(folder.toString(), "folder");
				return FileVisitResult.CONTINUE;
			}

		});
		return files;
	}

	/**
	 * Return what a program changed of the host.
	 * @param before the state before it ran
	 * @param token marks what belongs to its row
	 * @return one sentence each
	 */
	List<String> changes(State before, String token) throws IOException {
		List<String> changes = new ArrayList<>();
		State now = state();
		now.reached().forEach((name, count) -> {
			if (!JsonValue.of(count).equals(JsonValue.of(before.reached().get(name)))) {
				changes.add("the host's listener " + name + " was reached");
			}
		});
		if (!now.files().equals(before.files())) {
			changes.add("files of the host were changed, they are now " + now.files().keySet());
		}
		if (!this.sentinels.values().stream().allMatch(Process::isAlive)) {
			changes.add("a process of the host was ended");
		}
		List<Long> processes = Processes.with(token);
		if (!processes.isEmpty()) {
			changes.add("processes of the program are left: " + processes);
		}
		List<Path> left = filesWith(token);
		if (!left.isEmpty()) {
			changes.add("files of the program are left: " + left);
		}
		return changes;
	}

	/**
	 * Remove what the control of a row has left, which is what the row is about.
	 * @param token marks what belongs to the row
	 */
	void cleanUp(String token) throws IOException {
		Processes.end(token);
		for (Path file : filesWith(token)) {
			Unconfined.delete(file);
		}
		try (DirectoryStream<Path> left = Files.newDirectoryStream(outside())) {
			for (Path file : left) {
				Unconfined.delete(file);
			}
		}
		Files.writeString(victim(), CANARY);
		Files.setPosixFilePermissions(victim(), PosixFilePermissions.fromString("rw-rw-rw-"));
	}

	private static List<Path> filesWith(String token) throws IOException {
		List<Path> found = new ArrayList<>();
		for (Path folder : COMMON_FOLDERS) {
			if (Files.isDirectory(folder)) {
				try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + token + "*")) {
					files.forEach(found::add);
				}
			}
		}
		return found;
	}

	@Override
	public void close() throws IOException {
		this.listeners.close();
		this.sentinels.values().forEach((sentinel) -> sentinel.destroyForcibly().onExit().join());
	}

}
