package io.psych.sandbox.catalogue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spawn.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program with no mechanism at all, as the user that programs run as: the control
 * that shows whether what was refused in a sandbox would have worked outside of one.
 */
final class Unconfined {

	static final String PYTHON = System.getProperty("psych.python", "/usr/bin/python3");

	private static final int PATIENCE_SECONDS = 20;

	private static final int FIRST_UID = 600_000;

	private static final int USERS = 8;

	/** Runs a text as the sandbox does: with {@code await} at its top level. */
	private static final String RUNNER = """
			import json
			import sys

			with open(sys.argv[1], encoding="utf-8") as file:
			    source = file.read()
			names = {"__name__": "__main__"}
			running = eval(compile(source, "program", "exec", 0x2000), names)
			if running is not None:
			    import asyncio
			    asyncio.run(running)
			print("\\nfindings " + json.dumps(names.get("findings")), flush=True)
			""";

	private final Path folder;

	private final HostUser current;

	/**
	 * One user for each execution at a time where this JVM may choose them, else its own.
	 */
	private final List<HostUser> users = new ArrayList<>();

	Unconfined(Path folder) throws IOException {
		this.folder = Files.createDirectory(folder);
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.current = HostUser.current();
		if (!this.current.isRoot()) {
			this.users.add(this.current);
			return;
		}
		// Of this JVM alone: the kernel counts processes by user.
		int first = FIRST_UID + (int) (ProcessHandle.current().pid() % 10_000) * USERS;
		for (int uid = first; uid < first + USERS; uid++) {
			this.users.add(new HostUser(Integer.toString(uid), uid, uid));
		}
	}

	/**
	 * Return the users that programs run as.
	 */
	List<HostUser> users() {
		return this.users;
	}

	/**
	 * Return what to configure a sandbox with.
	 * @return a range, or {@code null} where this JVM is not root
	 */
	@Nullable String runAs() {
		return this.current.isRoot() ? this.users.get(0).uid() + "-" + this.users.get(USERS - 1).uid() : null;
	}

	/**
	 * Start a command as one of the users that programs run as.
	 */
	Process start(List<String> command, Path directory, HostUser user) throws IOException {
		return builder(as(user, command), directory).start();
	}

	private List<String> as(HostUser user, List<String> command) {
		List<String> arguments = new ArrayList<>();
		if (this.current.isRoot()) {
			arguments
				.addAll(List.of("setpriv", "--reuid=" + user.uid(), "--regid=" + user.gid(), "--clear-groups", "--"));
		}
		arguments.addAll(command);
		return arguments;
	}

	private static ProcessBuilder builder(List<String> command, Path directory) {
		ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
		builder.environment().clear();
		builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
		builder.environment().put("LANG", "C.UTF-8");
		return builder;
	}

	/**
	 * Run a program.
	 * @param text its text, which leaves what it found in {@code findings}
	 * @param asHost whether as the user of this JVM instead, for what only the filter of
	 * system calls keeps from an unprivileged user
	 * @return what it found as {@code value}, its exit status and the end of its stderr
	 */
	JsonValue run(String text, boolean asHost) throws IOException, InterruptedException {
		Path work = Files.createTempDirectory(this.folder, "control-");
		try {
			HostUser user = this.users.get(0);
			if (!asHost && this.current.isRoot()) {
				Files.setAttribute(work, "unix:gid", user.gid());
				Files.setAttribute(work, "unix:uid", user.uid());
			}
			Path program = Files.writeString(this.folder.resolve("program"), text);
			List<String> command = List.of(PYTHON, "-I", "-S", "-B", "-u", "-X", "utf8", "-c", RUNNER,
					program.toString());
			ProcessBuilder builder = asHost ? builder(command, work) : builder(as(user, command), work);
			// Files and not pipes, which what it leaves behind would hold open.
			Path stdout = this.folder.resolve("stdout");
			Path stderr = this.folder.resolve("stderr");
			Process process = builder.redirectInput(new File("/dev/null"))
				.redirectOutput(stdout.toFile())
				.redirectError(stderr.toFile())
				.start();
			if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				process.destroyForcibly().waitFor();
			}
			return facts(process.exitValue(), text(stdout), text(stderr));
		}
		finally {
			delete(work);
		}
	}

	private static JsonValue facts(int status, String stdout, String stderr) {
		Map<String, @Nullable Object> facts = new LinkedHashMap<>();
		facts.put("status", status);
		facts.put("stdout", stdout);
		facts.put("stderr", stderr.substring(Math.max(0, stderr.length() - 1000)));
		int at = stdout.lastIndexOf("\nfindings ");
		if (at >= 0) {
			try {
				facts.put("value", JsonValue.parse(stdout.substring(at + "\nfindings ".length()).strip()));
			}
			catch (JsonFormatException ex) {
				facts.put("stdout", stdout);
			}
		}
		return JsonValue.of(facts);
	}

	private static String text(Path file) throws IOException {
		return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
	}

	/**
	 * Remove a file, or a folder with all that is in it.
	 */
	static void delete(Path path) throws IOException {
		if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
			return;
		}
		Files.walkFileTree(path, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
				Files.deleteIfExists(file);
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException problem) throws IOException {
				Files.deleteIfExists(folder);
				return FileVisitResult.CONTINUE;
			}

		});
	}

}
