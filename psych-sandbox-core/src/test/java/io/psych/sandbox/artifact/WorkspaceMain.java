package io.psych.sandbox.artifact;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.contract.InputFile;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.FileFacts;
import io.psych.sandbox.spawn.FileHandle;
import io.psych.sandbox.spawn.HostUser;
import io.psych.sandbox.spawn.Spawner;

/**
 * Places files in a workspace that only its child sees, lets the child try what it can do
 * to them, and collects when the child is gone; as whoever it is started.
 */
public final class WorkspaceMain {

	static final String PYTHON = System.getProperty("psych.python", "/usr/bin/python3");

	private static final String NOBODY = "65534";

	private static final String PROGRAM = """
			import errno, os, time

			print("ready", flush=True)
			while not (os.path.exists("go") and os.stat("go").st_mode & 0o777 == 0o444):
			    time.sleep(0.001)

			def outcome(action):
			    try:
			        return action()
			    except OSError as problem:
			        return errno.errorcode[problem.errno]

			print(open("data.csv").read(), open("\\u00fc.csv").read())
			print("write", outcome(lambda: open("data.csv", "a").close()))
			print("chmod", outcome(lambda: os.chmod("data.csv", 0o600)))
			os.unlink("other.csv")
			with open("other.csv", "w") as file:
			    file.write("made anew")
			with open("result.txt", "w") as file:
			    file.write("a result")
			print("done", flush=True)
			time.sleep(60)
			""";

	private WorkspaceMain() {
	}

	public static void main(String[] arguments) throws Exception {
		try (FileOutputStream output = new FileOutputStream(FileDescriptor.out)) {
			for (String line : run(arguments[0], Path.of(arguments[1]))) {
				output.write((line + "\n").getBytes(StandardCharsets.UTF_8));
			}
		}
	}

	static List<String> run(String kind, Path folder) throws IOException, InterruptedException {
		boolean root = HostUser.current().isRoot();
		Path place = kind.equals("bubblewrap") ? Path.of("/tmp/work") : Files.createDirectories(folder.resolve("work"));
		List<String> command = switch (kind) {
			case "bubblewrap" -> bubblewrap(root);
			case "mount" -> mount(root, place);
			default -> plain(root);
		};
		ChildProcess child = new Spawner().start(new ChildCommand(command,
				Map.of("PYTHONUTF8", "1", "PATH", "/usr/bin:/bin"), kind.equals("plain") ? place : Path.of("/")));
		List<String> lines = new ArrayList<>();
		try (BufferedReader output = new BufferedReader(
				new InputStreamReader(child.stdout(), StandardCharsets.UTF_8))) {
			String first = output.readLine();
			if (!"ready".equals(first)) {
				throw new IOException(first + new String(child.stderr().readAllBytes(), StandardCharsets.UTF_8));
			}
			List<Long> pids = child.tree().pids();
			Path inside = Path.of("/proc/" + pids.get(pids.size() - 1) + "/root" + place);
			try (FileHandle workspace = FileHandle.ofFolder(inside)) {
				Set<FileFacts> inputs = new HashSet<>(InputFiles.place(workspace,
						List.of(input("data.csv", "a,b"), input("ü.csv", "c,d"), input("other.csv", "e,f"))));
				inputs.addAll(InputFiles.place(workspace, List.of(input("go", ""))));
				for (String line = output.readLine(); line != null && !line.equals("done"); line = output.readLine()) {
					lines.add(line);
				}
				child.tree().killForcibly();
				if (!child.tree().awaitEmpty(Duration.ofSeconds(20))) {
					throw new IOException("a process is left");
				}
				Collected collected = new ArtifactCollector().collect(workspace, Limits.defaults(), inputs,
						(artifact, content) -> lines
							.add(artifact.name() + ": " + new String(content.readAllBytes(), StandardCharsets.UTF_8)));
				collected.uncollected().forEach((file) -> lines.add("not " + file));
			}
		}
		finally {
			child.tree().killForcibly();
		}
		return lines;
	}

	private static InputFile.Bytes input(String name, String content) {
		return new InputFile.Bytes(name, content.getBytes(StandardCharsets.UTF_8));
	}

	private static List<String> bubblewrap(boolean root) {
		List<String> command = new ArrayList<>();
		if (root) {
			command.addAll(asNobody());
		}
		command.addAll(List.of("/usr/bin/bwrap", "--unshare-user", "--unshare-pid", "--disable-userns", "--cap-drop",
				"ALL", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc", "--tmpfs", "/tmp", "--dir",
				"/tmp/work", "--chdir", "/tmp/work"));
		command.addAll(program());
		return command;
	}

	/** As the backend without a launcher mounts it. */
	private static List<String> mount(boolean root, Path place) {
		List<String> command = new ArrayList<>(List.of("/usr/bin/unshare", "--mount"));
		if (!root) {
			command.addAll(List.of("--user", "--map-user=" + NOBODY, "--map-group=" + NOBODY, "--keep-caps"));
		}
		command.addAll(List.of("--", "/bin/sh", "-c", "mount -t tmpfs -o mode=0700,uid=" + NOBODY + ",gid=" + NOBODY
				+ " tmpfs \"$1\" && cd \"$1\" && shift && exec \"$@\"", "sh", place.toString()));
		command.addAll(root ? asNobody() : List.of("/usr/bin/setpriv", "--ambient-caps=-all", "--inh-caps=-all", "--"));
		command.addAll(program());
		return command;
	}

	private static List<String> plain(boolean root) {
		List<String> command = new ArrayList<>(root ? asNobody() : List.of());
		command.addAll(program());
		return command;
	}

	private static List<String> asNobody() {
		return List.of("/usr/bin/setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--");
	}

	private static List<String> program() {
		return List.of(PYTHON, "-I", "-S", "-u", "-c", PROGRAM);
	}

}
