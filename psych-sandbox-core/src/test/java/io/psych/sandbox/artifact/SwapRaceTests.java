package io.psych.sandbox.artifact;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.contract.Uncollected;
import io.psych.sandbox.limits.ArtifactLimits;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.FileHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Collecting while somebody exchanges everything for everything else, which an execution
 * leaves nobody to do.
 */
@Tag("once")
@Timeout(120)
class SwapRaceTests {

	/** Enough for thousands of collections, each of which meets several exchanges. */
	private static final Duration RACE = Duration.ofSeconds(4);

	private static final ArtifactLimits ARTIFACTS = new ArtifactLimits(1000, 8, ByteSize.ofMebibytes(32),
			Duration.ofSeconds(5));

	/** What must have been refused for the race to have been one. */
	private static final Set<String> MET = Set.of("it is a symbolic link, not a regular file",
			"it is a named pipe, not a regular file");

	/**
	 * Two processes that put things of every kind under the same few names, in one step
	 * each, so that a name is never gone for long.
	 */
	private static final String ADVERSARY = """
			import itertools, os, shutil, sys

			secret, outside = sys.argv[1:]
			os.fork()
			me = str(os.getpid())

			def make(kind, name):
			    if kind == "file":
			        with open(name, "w") as file:
			            file.write("INSIDE")
			    elif kind == "growing":
			        with open(name, "w") as file:
			            file.write("INSIDE" * 20)
			    elif kind == "link":
			        os.symlink(secret, name)
			    elif kind == "zero":
			        os.symlink("/dev/zero", name)
			    elif kind == "parent link":
			        os.symlink(outside, name)
			    elif kind == "pipe":
			        os.mkfifo(name)
			    elif kind == "hard link":
			        os.link(secret, name)
			    elif kind == "folder":
			        os.mkdir(name)
			        with open(name + "/secret", "w") as file:
			            file.write("INSIDE")
			        os.mkdir(name + "/inner")
			        os.symlink(secret, name + "/inner/secret")

			def replace(made, name):
			    try:
			        os.rename(made, name)
			    except OSError:
			        # A folder and what is none do not replace each other.
			        old = ".old" + me
			        try:
			            os.rename(name, old)
			        except OSError:
			            return
			        try:
			            os.rename(made, name)
			        except OSError:
			            return
			        finally:
			            remove(old)

			def remove(name):
			    if os.path.isdir(name) and not os.path.islink(name):
			        shutil.rmtree(name, ignore_errors=True)
			    else:
			        try:
			            os.unlink(name)
			        except OSError:
			            pass

			kinds = ["file", "link", "folder", "parent link", "pipe", "hard link", "zero", "growing"]
			for i in itertools.count():
			    made = ".made" + me
			    remove(made)
			    make(kinds[i % len(kinds)], made)
			    replace(made, "abc"[i // 3 % 3])
			""";

	@TempDir
	private Path outer;

	private Path folder;

	private Process adversary;

	@BeforeEach
	void start() throws IOException {
		this.folder = Files.createDirectory(this.outer.resolve("work"));
		Path outside = Files.createDirectory(this.outer.resolve("outside"));
		Path secret = Files.writeString(outside.resolve("secret"), "SECRET");
		this.adversary = new ProcessBuilder("setsid", "--wait", WorkspaceMain.PYTHON, "-I", "-c", ADVERSARY,
				secret.toString(), outside.toString())
			.directory(this.folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(this.outer.resolve("log").toFile())
			.start();
	}

	@AfterEach
	void stop() throws InterruptedException {
		List<ProcessHandle> all = new ArrayList<>(this.adversary.descendants().toList());
		all.add(this.adversary.toHandle());
		all.forEach(ProcessHandle::destroyForcibly);
		for (ProcessHandle process : all) {
			process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
		}
	}

	@Test
	void nothingFromOutsideIsCollectedAndNothingHangsOrFails() throws Exception {
		Set<String> contents = new HashSet<>();
		Set<String> reasons = new HashSet<>();
		int rounds = 0;
		long longest = 0;
		long began = System.nanoTime();
		try (FileHandle workspace = FileHandle.ofFolder(this.folder)) {
			// Also past the time, until each kind was met often enough.
			while (System.nanoTime() - began < RACE.toNanos() || rounds <= 50 || !reasons.containsAll(MET)
					|| contents.isEmpty()) {
				long start = System.nanoTime();
				Collected collected = new ArtifactCollector().collect(workspace,
						Limits.defaults().withArtifacts(ARTIFACTS), Set.of(), (artifact, content) -> contents
							.add(new String(content.readAllBytes(), StandardCharsets.UTF_8)));
				longest = Math.max(longest, System.nanoTime() - start);
				collected.uncollected().stream().map(Uncollected::reason).forEach(reasons::add);
				rounds++;
			}
		}
		assertThat(this.adversary.isAlive()).as(Files.readString(this.outer.resolve("log"))).isTrue();
		assertThat(contents).allMatch((content) -> content.matches("(INSIDE)+"));
		assertThat(Duration.ofNanos(longest)).isLessThan(ARTIFACTS.time());
	}

}
