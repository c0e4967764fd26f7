package io.psych.sandbox.artifact;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.psych.sandbox.contract.InputFile;
import io.psych.sandbox.contract.Uncollected;
import io.psych.sandbox.limits.ArtifactLimits;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.FileFacts;
import io.psych.sandbox.spawn.FileHandle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

@Timeout(120)
class ArtifactCollectorTests {

	@TempDir
	private Path outer;

	private Path folder;

	private final Sink sink = new Sink();

	@BeforeEach
	void makeFolder() throws IOException {
		this.folder = Files.createDirectory(this.outer.resolve("work"));
		Files.writeString(this.outer.resolve("secret"), "SECRET");
	}

	@Test
	void filesAreCollectedBreadthFirstByName() throws IOException {
		write("b.txt", "two");
		write("a/z.txt", "three");
		write("a/b/c.txt", "five");
		write("a/c.txt", "four");
		write("B.txt", "one");
		Collected collected = collect();
		assertThat(this.sink.contents).containsExactly(entry("B.txt", "one"), entry("b.txt", "two"),
				entry("a/c.txt", "four"), entry("a/z.txt", "three"), entry("a/b/c.txt", "five"));
		assertThat(collected).isEqualTo(new Collected(5, 19, List.of(), 0));
	}

	@Test
	void emptyWorkspaceHasNothing() throws IOException {
		assertThat(collect()).isEqualTo(Collected.NOTHING);
	}

	@Test
	void removedWorkspaceHasNothing() throws IOException {
		write("file", "x");
		try (FileHandle workspace = FileHandle.ofFolder(this.folder)) {
			Files.delete(this.folder.resolve("file"));
			Files.delete(this.folder);
			assertThat(collect(workspace, Limits.defaults(), Set.of())).isEqualTo(Collected.NOTHING);
		}
	}

	@Test
	void hiddenFilesAndCachesAreNoResults() throws IOException {
		write(".hidden", "x");
		write(".config/matplotlib/rc", "x");
		write("__pycache__/module.pyc", "x");
		write("a/.hidden", "x");
		write("a/__pycache__/x", "x");
		assertThat(collect()).isEqualTo(Collected.NOTHING);
	}

	@Test
	void linksAreNotFollowed() throws IOException {
		Files.createSymbolicLink(this.folder.resolve("file"), this.outer.resolve("secret"));
		Files.createSymbolicLink(this.folder.resolve("folder"), this.outer);
		Files.createSymbolicLink(this.folder.resolve("zero"), Path.of("/dev/zero"));
		Files.createSymbolicLink(this.folder.resolve("itself"), Path.of("itself"));
		Collected collected = collect();
		assertThat(this.sink.contents).isEmpty();
		assertThat(collected.uncollected()).extracting(Uncollected::name)
			.containsExactly("file", "folder", "itself", "zero");
		assertThat(collected.uncollected()).extracting(Uncollected::reason)
			.containsOnly("it is a symbolic link, not a regular file");
	}

	@Test
	void specialFilesAreToldByTheirKind() throws Exception {
		python("""
				import os, socket
				os.mkfifo("pipe")
				os.chdir("/proc/self/cwd")
				socket.socket(socket.AF_UNIX).bind("socket")
				if os.getuid() == 0:
					os.mknod("device", 0o020666, os.makedev(1, 5))
				else:
					os.mkfifo("device")
				""");
		Collected collected = collect();
		assertThat(this.sink.contents).isEmpty();
		assertThat(collected.uncollected()).extracting(Uncollected::name).containsExactly("device", "pipe", "socket");
		assertThat(collected.uncollected()).extracting(Uncollected::reason)
			.contains("it is a named pipe, not a regular file", "it is a socket, not a regular file");
	}

	@Test
	void hardLinksAreRefused() throws IOException {
		Files.createLink(this.folder.resolve("secret"), this.outer.resolve("secret"));
		byte[] large = new byte[1 << 20];
		Files.write(this.folder.resolve("own"), large);
		for (int i = 0; i < 99; i++) {
			Files.createLink(this.folder.resolve("own" + i), this.folder.resolve("own"));
		}
		Collected collected = collect();
		assertThat(this.sink.contents).isEmpty();
		assertThat(collected.uncollected()).hasSize(100)
			.contains(new Uncollected("own", "it has 100 names (hard links), and a file must have one"),
					new Uncollected("own98", "it has 100 names (hard links), and a file must have one"));
		assertThat(collected.unlisted()).isOne();
	}

	@Test
	void whatIsMoreThanAHundredIsCounted() throws IOException {
		for (int i = 0; i < 101; i++) {
			Files.createSymbolicLink(this.folder.resolve("link" + i), Path.of("x"));
		}
		assertThat(collect()).satisfies((collected) -> {
			assertThat(collected.uncollected()).hasSize(100);
			assertThat(collected.unlisted()).isOne();
		});
		Files.delete(this.folder.resolve("link0"));
		assertThat(collect()).satisfies((collected) -> {
			assertThat(collected.uncollected()).hasSize(100);
			assertThat(collected.unlisted()).isZero();
		});
	}

	@Test
	void asManyFilesAsMayAreCollectedAndOneMoreIsNot() throws IOException {
		write("a", "1");
		write("b", "2");
		assertThat(collect(artifacts(2, 8, 100, 60)).files()).isEqualTo(2);
		write("c", "3");
		Collected collected = collect(artifacts(2, 8, 100, 60));
		assertThat(collected.files()).isEqualTo(2);
		assertThat(collected.uncollected()).containsExactly(new Uncollected("c", "at most 2 files are collected"));
	}

	@Test
	void noFilesMeansThatNothingIsLookedAt() throws IOException {
		write("a", "1");
		assertThat(collect(artifacts(0, 8, 100, 60))).isEqualTo(Collected.NOTHING);
	}

	@Test
	void filesAreCollectedDownToTheDepthAndNotBelow() throws IOException {
		write("a/b/file", "kept");
		write("a/b/c/file", "not");
		Collected collected = collect(artifacts(9, 2, 100, 60));
		assertThat(this.sink.contents).containsExactly(entry("a/b/file", "kept"));
		assertThat(collected.uncollected())
			.containsExactly(new Uncollected("a/b/c", "files are collected down to 2 folders deep"));
	}

	@Test
	void fileOfTheLargestSizeIsCollectedAndOneByteMoreIsNot() throws IOException {
		Limits limits = limits(8, 1000, artifacts(9, 8, 1000, 60));
		write("a", "12345678");
		write("b", "123456789");
		Collected collected = collect(limits);
		assertThat(this.sink.contents).containsExactly(entry("a", "12345678"));
		assertThat(collected.uncollected())
			.containsExactly(new Uncollected("b", "it is larger than one file may be, which is 8 bytes"));
	}

	@Test
	void allFilesTogetherFillTheTotalAndOneByteMoreIsLeftOut() throws IOException {
		write("a", "12345");
		write("b", "123456");
		write("c", "12345");
		write("d", "");
		Collected collected = collect(artifacts(9, 8, 10, 60));
		assertThat(this.sink.contents.keySet()).containsExactly("a", "c", "d");
		assertThat(collected.bytes()).isEqualTo(10);
		assertThat(collected.uncollected()).containsExactly(
				new Uncollected("b", "with it all files would be larger than they may be together, which is 10 bytes"));
	}

	@Test
	void sparseFileCountsByItsSize() throws Exception {
		python("open('sparse', 'w').truncate(1 << 30)");
		Collected collected = collect(limits(1L << 40, 1L << 40, artifacts(9, 8, 1 << 20, 60)));
		assertThat(this.sink.contents).isEmpty();
		assertThat(collected.uncollected()).containsExactly(new Uncollected("sparse",
				"with it all files would be larger than they may be together, which is 1 MiB"));
	}

	@Test
	void namesAreMadeHarmlessAndStayDifferent() throws Exception {
		python("""
				names = [b"new\\nline", b"bad\\xff", b"bad\\xfe", b"-rf", b"\\x1b[2J", b"n" * 255, b"CON.txt", b"dot.", b"a b",
						"txt.\\u202egpj".encode(), "\\u00fc.csv".encode()]
				for name in names:
					open(name, "w").close()
				""");
		collect();
		assertThat(this.sink.contents.keySet()).containsExactlyInAnyOrder("new_line", "bad_", "bad_~2", "_-rf", "_[2J",
				"n".repeat(119) + "…", "_CON.txt", "dot._", "a b", "txt._gpj", "ü.csv");
	}

	@Test
	void pathThatIsTooLongIsLeftOut() throws IOException {
		String deep = String.join("/", List.of("a".repeat(100), "b".repeat(100), "c".repeat(100)));
		write(deep + "/" + "d".repeat(97), "kept");
		write(deep + "/" + "d".repeat(98), "not");
		Collected collected = collect();
		assertThat(this.sink.contents.values()).containsExactly("kept");
		assertThat(collected.uncollected()).extracting(Uncollected::reason)
			.containsExactly("its path is longer than 400 characters");
	}

	@Test
	void inputsThatNobodyTouchedAreNoResults() throws Exception {
		try (FileHandle workspace = FileHandle.ofFolder(this.folder)) {
			Set<FileFacts> inputs = InputFiles.place(workspace,
					List.of(input("kept.csv"), input("replaced.csv"), input("renamed.csv"), input("opened.csv")));
			Files.readString(this.folder.resolve("kept.csv"));
			Files.delete(this.folder.resolve("replaced.csv"));
			write("replaced.csv", "a,b");
			Files.move(this.folder.resolve("renamed.csv"), this.folder.resolve("moved.csv"));
			python("import os; os.chmod('opened.csv', 0o600)");
			Collected collected = collect(workspace, Limits.defaults(), inputs);
			assertThat(this.sink.contents.keySet()).containsExactly("moved.csv", "opened.csv", "replaced.csv");
			assertThat(collected.uncollected()).isEmpty();
		}
	}

	@Test
	void timeThatIsOverEndsTheWalkAndIsTold() throws IOException {
		write("a", "1");
		write("b", "2");
		write("c/d", "3");
		AtomicLong time = new AtomicLong();
		ArtifactCollector collector = new ArtifactCollector(time::get);
		try (FileHandle workspace = FileHandle.ofFolder(this.folder)) {
			Collected collected = collector.collect(workspace, limits(artifacts(9, 8, 100, 1)), Set.of(),
					(artifact, content) -> {
						this.sink.accept(artifact, content);
						time.addAndGet(Duration.ofSeconds(1).plusNanos(1).toNanos());
					});
			assertThat(this.sink.contents.keySet()).containsExactly("a");
			assertThat(collected.uncollected())
				.containsExactly(new Uncollected("b", "collecting took longer than PT1S and was ended here"));
		}
	}

	@Test
	void timeThatIsOverWhileAFileIsReadLeavesItOut() throws IOException {
		write("a", "1");
		AtomicLong time = new AtomicLong();
		ArtifactCollector collector = new ArtifactCollector(time::get);
		try (FileHandle workspace = FileHandle.ofFolder(this.folder)) {
			Collected collected = collector.collect(workspace, limits(artifacts(9, 8, 100, 1)), Set.of(),
					(artifact, content) -> {
						time.addAndGet(Duration.ofSeconds(2).toNanos());
						this.sink.accept(artifact, content);
					});
			assertThat(this.sink.contents).isEmpty();
			assertThat(collected.uncollected())
				.containsExactly(new Uncollected("a", "the time for collecting was over before it was read"));
		}
	}

	@Test
	void interruptEndsTheWalkAndIsKept() throws IOException {
		write("a", "1");
		Thread.currentThread().interrupt();
		try {
			assertThat(collect().uncollected())
				.containsExactly(new Uncollected(".", "collecting was interrupted here"));
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	@Test
	void fileThatGrowsOrShrinksWhileItIsReadIsLeftOut() throws IOException {
		write("grows", "1234");
		write("shrinks", "1234");
		write("stays", "1234");
		try (FileHandle workspace = FileHandle.ofFolder(this.folder)) {
			Collected collected = new ArtifactCollector().collect(workspace, Limits.defaults(), Set.of(),
					(artifact, content) -> {
						if (artifact.name().equals("grows")) {
							write("grows", "12345678".repeat(1000));
						}
						if (artifact.name().equals("shrinks")) {
							write("shrinks", "");
						}
						this.sink.accept(artifact, content);
					});
			assertThat(this.sink.contents.keySet()).contains("stays").doesNotContain("grows");
			assertThat(collected.uncollected()).contains(new Uncollected("grows", "it grew while it was read"));
		}
	}

	@Test
	void whatTheSinkDoesNotTakeIsToldAndTheRestIsCollected() throws IOException {
		write("a", "1");
		write("b", "2");
		write("c", "3");
		try (FileHandle workspace = FileHandle.ofFolder(this.folder)) {
			Collected collected = new ArtifactCollector().collect(workspace, limits(artifacts(1, 8, 1, 60)), Set.of(),
					(artifact, content) -> {
						if (artifact.name().equals("a")) {
							throw new IOException("disk full");
						}
						if (artifact.name().equals("b")) {
							throw new IllegalStateException("bug");
						}
						this.sink.accept(artifact, content);
					});
			assertThat(this.sink.contents.keySet()).containsExactly("c");
			assertThat(collected.uncollected()).containsExactly(new Uncollected("a", "it could not be stored"),
					new Uncollected("b", "it could not be stored"));
		}
	}

	@Test
	void archivesAreBytes() throws Exception {
		python("""
				import zipfile
				with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
					archive.writestr("../../slip", bytes(5 << 20))
				""");
		collect();
		assertThat(this.sink.artifacts).singleElement().satisfies((artifact) -> {
			assertThat(artifact.mediaType()).isEqualTo("application/zip");
			assertThat(artifact.bytes()).isEqualTo(Files.size(this.folder.resolve("bomb.zip"))).isLessThan(10_000);
		});
		assertThat(this.outer.resolve("slip")).doesNotExist();
	}

	@Test
	void modesDoNotMatter() throws Exception {
		write("a/setuid", "x");
		write("b/none", "y");
		python("import os; os.chmod('a/setuid', 0o6755); os.chmod('b/none', 0); os.chmod('b', 0)");
		Collected collected = collect();
		assertThat(this.sink.contents).containsEntry("a/setuid", "x");
		assertThat(this.sink.contents.size() + collected.uncollected().size()).isEqualTo(2);
	}

	private Collected collect() throws IOException {
		return collect(Limits.defaults());
	}

	private Collected collect(ArtifactLimits artifacts) throws IOException {
		return collect(limits(artifacts));
	}

	private Collected collect(Limits limits) throws IOException {
		try (FileHandle workspace = FileHandle.ofFolder(this.folder)) {
			return collect(workspace, limits, Set.of());
		}
	}

	private Collected collect(FileHandle workspace, Limits limits, Set<FileFacts> inputs) {
		return new ArtifactCollector().collect(workspace, limits, inputs, this.sink);
	}

	private static Limits limits(ArtifactLimits artifacts) {
		return Limits.defaults().withArtifacts(artifacts);
	}

	private static Limits limits(long fileSize, long workspace, ArtifactLimits artifacts) {
		Limits defaults = Limits.defaults();
		return new Limits(defaults.cpu(), defaults.wallTime(), defaults.toolTimeout(), defaults.addressSpace(),
				ByteSize.ofBytes(fileSize), ByteSize.ofBytes(workspace), defaults.processes(), defaults.stream(),
				defaults.value(), defaults.program())
			.withArtifacts(artifacts);
	}

	private static ArtifactLimits artifacts(int files, int depth, long total, int seconds) {
		return new ArtifactLimits(files, depth, ByteSize.ofBytes(total), Duration.ofSeconds(seconds));
	}

	private static InputFile.Bytes input(String name) {
		return new InputFile.Bytes(name, "a,b".getBytes(StandardCharsets.UTF_8));
	}

	private void write(String name, String content) throws IOException {
		Path file = this.folder.resolve(name);
		Files.createDirectories(file.getParent());
		Files.writeString(file, content);
	}

	private void python(String script) throws Exception {
		Process process = new ProcessBuilder(System.getProperty("psych.python", "/usr/bin/python3"), "-I", "-c", script)
			.directory(this.folder.toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).as(output).isZero();
	}

}
