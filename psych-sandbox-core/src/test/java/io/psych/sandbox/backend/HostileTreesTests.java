package io.psych.sandbox.backend;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a program may leave to exhaust whoever collects and cleans up: both get a heap of
 * a few megabytes, and the time that collecting has by default.
 */
@Tag("once")
@Timeout(300)
class HostileTreesTests {

	/** What JVMs of this version need to start, and little more. */
	private static final String HEAP = "-Xmx32m";

	private Path outer;

	private Path folder;

	/** In memory, as the workspace of an execution is, where there is such a folder. */
	@BeforeEach
	void makeFolder() throws IOException {
		Path memory = Path.of("/dev/shm");
		this.outer = Files.isWritable(memory) ? Files.createTempDirectory(memory, "psych-tests-")
				: Files.createTempDirectory("psych-tests-");
		this.folder = Files.createDirectory(this.outer.resolve("work"));
	}

	@AfterEach
	void removeFolder() throws IOException {
		Folders.delete(this.outer);
	}

	@Test
	void aMillionFilesAreLeftAfterAsManyAsAreLookedAt() throws Exception {
		int count = (inodes() > 1_100_000) ? 1_000_000 : 200_000;
		python("for i in range(%d): os.mknod(str(i))".formatted(count));
		List<String> lines = collectAndRemove();
		assertThat(lines.get(0)).isEqualTo("files 32 bytes 0 listed 100 unlisted 99869 removed true");
		assertThat(lines.subList(2, lines.size())).containsExactlyInAnyOrder("at most 32 files are collected",
				"there are more than 100,000 files and folders, and the rest of them was not looked at");
	}

	@Test
	void manyHiddenFilesAreNoResultsAndBoundedAllTheSame() throws Exception {
		python("for i in range(100001): os.mknod('.' + str(i))");
		List<String> lines = collectAndRemove();
		assertThat(lines.get(0)).isEqualTo("files 0 bytes 0 listed 1 unlisted 0 removed true");
		assertThat(lines.get(2)).startsWith("there are more than 100,000 files and folders");
	}

	@Test
	void aWideTreeOfFoldersIsBounded() throws Exception {
		python("""
				for i in range(260):
					os.mkdir(str(i))
					for j in range(400): os.mkdir("%d/%d" % (i, j))
				""");
		List<String> lines = collectAndRemove();
		assertThat(lines.get(0)).isEqualTo("files 0 bytes 0 listed 1 unlisted 0 removed true");
		assertThat(lines.get(2)).startsWith("there are more than 100,000 files and folders");
	}

	@Test
	void aSparseFileOfAGigabyteIsLeftWhereItIs() throws Exception {
		python("open('sparse', 'w').truncate(1 << 30)");
		List<String> lines = collectAndRemove();
		assertThat(lines.get(0)).isEqualTo("files 0 bytes 0 listed 1 unlisted 0 removed true");
		assertThat(lines.get(2)).isEqualTo("it is larger than one file may be, which is 10 MiB");
	}

	@Test
	void aHundredHardLinksToOneLargeFileAreRefused() throws Exception {
		python("""
				with open("0", "wb") as file: file.write(bytes(32 << 20))
				for i in range(1, 100): os.link("0", str(i))
				""");
		List<String> lines = collectAndRemove();
		assertThat(lines.get(0)).isEqualTo("files 0 bytes 0 listed 100 unlisted 0 removed true");
		assertThat(lines.get(2)).isEqualTo("it has 100 names (hard links), and a file must have one");
	}

	@Test
	void aThousandDeepTreeIsCutOff() throws Exception {
		python("""
				for i in range(1000):
					open("file", "w").close()
					os.mkdir("n" * 255)
					os.chdir("n" * 255)
				""");
		List<String> lines = collectAndRemove();
		assertThat(lines.get(0)).isEqualTo("files 4 bytes 0 listed 6 unlisted 0 removed true");
		assertThat(lines.subList(2, lines.size())).containsExactly("its path is longer than 400 characters",
				"files are collected down to 8 folders deep");
	}

	@Test
	void manyMegabytesAreCollectedUpToTheTotal() throws Exception {
		python("""
				for i in range(10):
					with open(str(i), "wb") as file: file.write(bytes(5 << 20))
				""");
		List<String> lines = collectAndRemove();
		assertThat(lines.get(0)).isEqualTo("files 6 bytes 31457280 listed 4 unlisted 0 removed true");
		assertThat(lines.get(2))
			.isEqualTo("with it all files would be larger than they may be together, which is 32 MiB");
	}

	private List<String> collectAndRemove() throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), HEAP, "-XX:+UseSerialGC",
						"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
						TreeMain.class.getName(), this.folder.toString()));
		return run(new ProcessBuilder(command)).lines().toList();
	}

	private void python(String script) throws Exception {
		run(new ProcessBuilder(System.getProperty("psych.python", "/usr/bin/python3"), "-I", "-c",
				"import os\n" + script)
			.directory(this.folder.toFile()));
	}

	private static String run(ProcessBuilder builder) throws Exception {
		Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
		assertThat(process.exitValue()).as(output).isZero();
		return output;
	}

	/** Files that the file system still has room for. */
	private long inodes() throws Exception {
		String free = run(new ProcessBuilder("df", "--output=iavail", this.folder.toString()));
		return Long.parseLong(free.lines().skip(1).findFirst().orElseThrow().strip());
	}

}
