package io.psych.sandbox.backend;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
class FoldersTests {

	private static final String FILLED = """
			os.makedirs("a/b")
			for path in ("a/file", "a/b/file"):
				open(path, "w").close()
			""";

	@TempDir
	private Path outer;

	private Path folder;

	private Path outside;

	private Path outsideFile;

	@BeforeEach
	void makeFolders() throws IOException {
		this.folder = Files.createDirectory(this.outer.resolve("folder"));
		this.outside = Files.createDirectory(this.outer.resolve("outside"));
		this.outsideFile = Files.writeString(this.outside.resolve("file"), "kept");
	}

	@Test
	void deleteRemovesAFolderWithAllThatIsInIt() throws IOException {
		Files.createDirectories(this.folder.resolve("a/b/c"));
		Files.writeString(this.folder.resolve("a/b/file"), "x");
		Files.writeString(this.folder.resolve(".hidden"), "x");
		Folders.delete(this.folder);
		assertOnlyOutsideIsLeft();
	}

	@Test
	void deleteOfWhatIsNotThereDoesNothing() throws IOException {
		Folders.delete(this.folder);
		Folders.delete(this.folder);
		assertOnlyOutsideIsLeft();
	}

	@Test
	void deleteRemovesLinksAndNeverWhatTheyLeadTo() throws IOException {
		Files.createSymbolicLink(this.folder.resolve("to-file"), this.outsideFile);
		Files.createSymbolicLink(this.folder.resolve("to-folder"), this.outside);
		Files.createSymbolicLink(this.folder.resolve("to-folder-relatively"), Path.of("../outside"));
		Files.createSymbolicLink(this.folder.resolve("to-root"), Path.of("/"));
		Files.createSymbolicLink(this.folder.resolve("to-itself"), Path.of("to-itself"));
		Files.createSymbolicLink(this.folder.resolve("to-parent"), Path.of(".."));
		Files.createSymbolicLink(this.folder.resolve("to-nothing"), Path.of("nothing"));
		Folders.delete(this.folder);
		assertOnlyOutsideIsLeft();
	}

	@Test
	void deleteRemovesAHardLinkAndKeepsTheFile() throws IOException {
		Files.createLink(this.folder.resolve("hard"), this.outsideFile);
		Folders.delete(this.folder);
		assertOnlyOutsideIsLeft();
	}

	@Test
	void deleteOfALinkInPlaceOfTheFolderFollowsItNot() throws IOException {
		Files.delete(this.folder);
		Files.createSymbolicLink(this.folder, this.outside);
		Folders.delete(this.folder);
		assertOnlyOutsideIsLeft();
	}

	@Test
	void deleteRemovesATreeDeeperThanAPathIsLongAndAStackIsHigh() throws Exception {
		python("""
				for i in range(3000):
					os.mkdir("a" * 20)
					os.chdir("a" * 20)
				open("file", "w").close()
				os.symlink("/", "link")
				""");
		FutureTask<Void> deletion = new FutureTask<>(() -> {
			Folders.delete(this.folder);
			return null;
		});
		new Thread(null, deletion, "small-stack", 160 * 1024).start();
		deletion.get();
		assertOnlyOutsideIsLeft();
	}

	@Test
	void deleteRemovesFoldersWithoutAnyPermission() throws Exception {
		python(FILLED + "for path in (\"a/b/file\", \"a/b\", \"a\"): os.chmod(path, 0)");
		Folders.delete(this.folder);
		assertOnlyOutsideIsLeft();
	}

	@Test
	void deleteRemovesFoldersThatMustNotBeWrittenTo() throws Exception {
		python(FILLED + "for path in (\"a/b/file\", \"a/b\", \"a\"): os.chmod(path, 0o500)");
		Folders.delete(this.folder);
		assertOnlyOutsideIsLeft();
	}

	@Test
	void deleteRemovesNamesNobodyWouldChoose() throws Exception {
		python("""
				names = [b"new\\nline", b"bad\\xffutf8\\x80", b"\\xc3", b"-rf", b"*", b" ", b"\\\\", b"'\\"", b"\\x1b[2J", b"n" * 254,
						b"...", b".. ", b"\\r"]
				for name in names:
					open(name, "w").close()
					os.mkdir(b"d" + name)
					open(b"d" + name + b"/" + name, "w").close()
				""");
		Folders.delete(this.folder);
		assertOnlyOutsideIsLeft();
	}

	@Test
	void deleteRemovesNamedPipes() throws Exception {
		python("os.mkfifo(\"fifo\"); os.mkdir(\"d\"); os.mkfifo(\"d/fifo\")");
		Folders.delete(this.folder);
		assertOnlyOutsideIsLeft();
	}

	@Test
	void deleteRemovesThousandsOfFiles() throws Exception {
		python("""
				for i in range(20):
					os.mkdir(str(i))
					for j in range(100):
						open("%d/%d" % (i, j), "w").close()
				""");
		Folders.delete(this.folder);
		assertOnlyOutsideIsLeft();
	}

	@Test
	void deleteNeverRemovesARoot() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> Folders.delete(Path.of("/")))
			.withMessage("a root is not removed: /");
	}

	private void assertOnlyOutsideIsLeft() throws IOException {
		assertThat(Files.exists(this.folder, LinkOption.NOFOLLOW_LINKS)).isFalse();
		assertThat(this.outsideFile).hasContent("kept");
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.outside))).startsWith("rwx");
	}

	private void python(String script) throws Exception {
		Process process = new ProcessBuilder(System.getProperty("psych.python", "/usr/bin/python3"), "-I", "-c",
				"import os\n" + script)
			.directory(this.folder.toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).as(output).isZero();
	}

}
