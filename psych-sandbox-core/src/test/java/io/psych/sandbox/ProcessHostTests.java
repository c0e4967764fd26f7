package io.psych.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the backend {@code process} makes of hosts that give it more or less: each host is
 * a JVM that is started with other rights than those of this one, which must be root to
 * do so.
 */
@Tag("once")
@EnabledIf("io.psych.sandbox.AbstractSandboxTests#isRoot")
class ProcessHostTests {

	private static final List<String> NOBODY = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
			"--");

	/** Four MiB are allowed, and 1024 files. */
	private static final String PROGRAM = """
			import errno, multiprocessing, os, subprocess

			def outcome(action, *arguments):
			    try:
			        return action(*arguments) or "done"
			    except OSError as problem:
			        return errno.errorcode[problem.errno]

			def fill(count, size):
			    written = []
			    try:
			        for i in range(count):
			            with open("f%d" % i, "wb", buffering=0) as file:
			                written.append(file.write(bytes(size)))
			        return [sum(written), len(written), "none"]
			    except OSError as problem:
			        return [sum(written), len(written), errno.errorcode[problem.errno]]
			    finally:
			        for name in os.listdir("."):
			            os.unlink(name)

			def look():
			    return subprocess.run(["cat", "/proc/self/comm"], capture_output=True).stdout.decode().strip()

			{
			    "large": fill(8, 1 << 20),
			    "empty": fill(2000, 0),
			    "lock": outcome(lambda: multiprocessing.Lock() and None),
			    "look": look(),
			    "jvm": outcome(os.stat, "/proc/%d" % HOST) != "ENOENT",
			}
			""";

	@TempDir
	static Path folder;

	/** Where a JVM that is not root can read it. */
	private static String classPath;

	@BeforeAll
	static void prepare() throws IOException {
		open(folder);
		// Apart from what a host may leave: the jars of our own modules have names like
		// it
		Path classes = Files.createDirectory(folder.resolve("classes"));
		open(classes);
		classPath = Neighbours.copyClassPath(classes);
	}

	private static void open(Path path) throws IOException {
		Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
	}

	@Test
	void rootMountsForItsChildren() {
		assertBounded(run(List.of()));
	}

	@Test
	void anybodyMountsForItsChildrenInAUserNamespace() {
		assertBounded(run(NOBODY));
	}

	@Test
	void whereProcIsCoveredInPartTheHostsStaysAndIsClosed() {
		List<String> launcher = new ArrayList<>(
				List.of("unshare", "--mount", "--", "sh", "-c", "mount -t tmpfs tmpfs /proc/irq && exec \"$@\"", "sh"));
		launcher.addAll(NOBODY);
		JsonValue result = run(launcher);
		JsonValue value = result.member("value");
		assertThat(grade(result, "file-size")).isEqualTo("enforced");
		assertThat(grade(result, "environment")).isEqualTo("enforced");
		assertThat(value.string("lock")).isEqualTo("done");
		assertThat(value.string("look")).isEmpty();
		assertThat(value.members()).containsEntry("jvm", true);
	}

	@Test
	void rootThatMayNotMountSaysThatNothingBoundsAllFiles() {
		assertUnbounded(run(List.of("setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin", "--")));
	}

	@Test
	void whoMayHaveNoNamespacesSaysThatNothingBoundsAllFiles() {
		List<String> launcher = new ArrayList<>(NOBODY);
		launcher.addAll(List.of("unshare", "--user", "--map-user=65534", "--map-group=65534", "--keep-caps", "--", "sh",
				"-c", "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"", "sh", "setpriv",
				"--ambient-caps=-all", "--inh-caps=-all", "--"));
		assertUnbounded(run(launcher));
	}

	private static void assertBounded(JsonValue result) {
		assertThat(grade(result, "file-size")).isEqualTo("enforced");
		assertThat(evidence(result)).contains("of 4 MiB and 1024 inodes");
		JsonValue value = result.member("value");
		List<Object> large = list(value, "large");
		assertThat((Long) large.get(0)).isBetween(3L << 20, 4L << 20);
		assertThat(large.get(2)).isEqualTo("ENOSPC");
		List<Object> empty = list(value, "empty");
		assertThat((Long) empty.get(1)).isBetween(900L, 1024L);
		assertThat(empty.get(2)).isEqualTo("ENOSPC");
		assertThat(value.string("lock")).isEqualTo("done");
		assertThat(value.string("look")).isEqualTo("cat");
		assertThat(value.members()).containsEntry("jvm", false);
	}

	private static void assertUnbounded(JsonValue result) {
		assertThat(grade(result, "file-size")).isEqualTo("unverified");
		assertThat(evidence(result)).contains("all files together are not bounded", "on a file system of the host");
		JsonValue value = result.member("value");
		assertThat(list(value, "large")).containsExactly(8L << 20, 8L, "none");
		assertThat(list(value, "empty")).containsExactly(0L, 2000L, "none");
		assertThat(value.string("lock")).isEqualTo("EACCES");
		assertThat(value.members()).containsEntry("jvm", true);
	}

	private static String grade(JsonValue result, String guarantee) {
		return result.member("isolation").member("guarantees").member(guarantee).string("grade");
	}

	private static String evidence(JsonValue result) {
		return result.member("isolation").member("guarantees").member("file-size").string("evidence");
	}

	@SuppressWarnings("unchecked")
	private static List<Object> list(JsonValue value, String name) {
		return (List<Object>) value.members().get(name);
	}

	private static JsonValue run(List<String> launcher) {
		try {
			Path own = Files.createTempDirectory(folder, "host");
			open(own);
			Path program = own.resolve("program.py");
			List<String> command = new ArrayList<>(launcher);
			// The shell tells the program by which number it knows the JVM it becomes.
			command.addAll(List.of("sh", "-c", "{ echo HOST = $$; cat; } > \"$1\" && shift && exec \"$@\"", "sh",
					program.toString(), Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath, ProcessHostMain.class.getName(),
					folder.toString(), program.toString()));
			Process host = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
			try (BufferedReader output = host.inputReader(StandardCharsets.UTF_8)) {
				host.outputWriter(StandardCharsets.UTF_8).append(PROGRAM).close();
				List<String> lines = output.lines().filter((line) -> line.startsWith("{")).toList();
				assertThat(lines).hasSize(1);
				assertThat(host.waitFor(20, TimeUnit.SECONDS)).isTrue();
				try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, "*psych-sandbox-*")) {
					assertThat(left).isEmpty();
				}
				JsonValue result = JsonValue.parse(lines.get(0));
				assertThat(result.members().get("failure")).isNull();
				return result;
			}
			finally {
				host.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
