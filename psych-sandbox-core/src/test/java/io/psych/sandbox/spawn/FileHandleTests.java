package io.psych.sandbox.spawn;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(60)
class FileHandleTests {

	private final Children children = new Children();

	@TempDir
	private Path folder;

	@Test
	void folderIsReadThroughItsHandleWhenNobodyIsLeftInItsMountNamespace() throws Exception {
		ChildProcess process = this.children.start("/usr/bin/bwrap", "--unshare-user", "--unshare-pid",
				"--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc", "--tmpfs", "/tmp", "--dir", "/tmp/work",
				"--chdir", "/tmp/work", "/bin/sh", "-c", "echo kept > file; echo ready; while :; do sleep 60; done");
		assertThat(Children.firstLine(process.stdout())).isEqualTo("ready");
		process.tree().adoptInit(true);
		List<Long> pids = process.tree().pids();
		Path inside = Path.of("/proc", Long.toString(pids.get(pids.size() - 1)), "root/tmp/work");
		try (FileHandle workspace = FileHandle.ofFolder(inside)) {
			process.tree().killForcibly();
			assertThat(process.tree().awaitEmpty(Duration.ofSeconds(20))).isTrue();
			assertThat(this.children.awaitAlive(0)).isEmpty();
			assertThat(inside).doesNotExist();
			assertThat(names(workspace)).containsExactly("file");
			assertThat(content(workspace, "file")).isEqualTo("kept\n");
		}
	}

	@Test
	void whatItPointsAtStaysTheSameWhateverBecomesOfItsName() throws IOException {
		Path inner = Files.createDirectory(this.folder.resolve("inner"));
		Files.writeString(inner.resolve("file"), "first");
		try (FileHandle handle = FileHandle.ofFolder(inner); FileHandle file = handle.child(Path.of("file"))) {
			Files.move(inner, this.folder.resolve("moved"));
			Files.createSymbolicLink(inner, Path.of("/"));
			Files.delete(this.folder.resolve("moved/file"));
			Files.writeString(this.folder.resolve("moved/file"), "second");
			assertThat(names(handle)).containsExactly("file");
			assertThat(content(handle, "file")).isEqualTo("second");
			assertThat(new String(file.read().readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("first");
			assertThat(file.facts().links()).isZero();
		}
	}

	@Test
	void linkIsPointedAtItself() throws IOException {
		Files.createSymbolicLink(this.folder.resolve("link"), Path.of("/etc/passwd"));
		try (FileHandle handle = FileHandle.ofFolder(this.folder); FileHandle link = handle.child(Path.of("link"))) {
			assertThat(link.facts().kind()).isEqualTo("symbolic link");
			assertThatExceptionOfType(FileSystemException.class).isThrownBy(link::read)
				.withMessageContaining("symbolic link");
		}
	}

	@Test
	void ofFolderRefusesALinkAndAFile() throws IOException {
		Files.createSymbolicLink(this.folder.resolve("link"), Path.of("/etc"));
		Files.createFile(this.folder.resolve("file"));
		assertThatExceptionOfType(FileSystemException.class)
			.isThrownBy(() -> FileHandle.ofFolder(this.folder.resolve("link")))
			.withMessageContaining("it is a symbolic link, not a folder");
		assertThatExceptionOfType(FileSystemException.class)
			.isThrownBy(() -> FileHandle.ofFolder(this.folder.resolve("file")))
			.withMessageContaining("it is a regular file, not a folder");
	}

	@Test
	void namedPipeIsLookedAtAndRefusedWithoutWaiting() throws Exception {
		Path pipe = this.folder.resolve("pipe");
		assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor(20, TimeUnit.SECONDS)).isTrue();
		try (FileHandle handle = FileHandle.ofFolder(this.folder); FileHandle child = handle.child(Path.of("pipe"))) {
			assertThat(child.facts().kind()).isEqualTo("named pipe");
			assertThatExceptionOfType(IOException.class).isThrownBy(child::read).withMessageContaining("named pipe");
		}
	}

	@Test
	void childIsOneNameOnly() throws IOException {
		try (FileHandle handle = FileHandle.ofFolder(this.folder)) {
			for (String name : List.of("a/b", "/etc", "../x")) {
				assertThatIllegalArgumentException().isThrownBy(() -> handle.child(Path.of(name)))
					.withMessageContaining("name must be one name");
			}
			assertThatExceptionOfType(FileSystemException.class).isThrownBy(() -> handle.child(Path.of("nothing")))
				.withMessageContaining("nothing");
		}
	}

	@Test
	void factsAreEqualUntilAnythingOfAFileChanges() throws IOException {
		Path file = Files.writeString(this.folder.resolve("file"), "content");
		try (FileHandle handle = FileHandle.ofFolder(this.folder); FileHandle child = handle.child(Path.of("file"))) {
			FileFacts facts = child.facts();
			child.read().readAllBytes();
			assertThat(child.facts()).isEqualTo(facts);
			assertThat(facts.size()).isEqualTo(7);
			assertThat(facts.isRegular()).isTrue();
			Files.setLastModifiedTime(file, FileTime.fromMillis(0));
			assertThat(child.facts()).isNotEqualTo(facts);
		}
	}

	@Test
	void namesOfAnyBytesArePointedAt() throws Exception {
		Process python = new ProcessBuilder(Children.PYTHON, "-I", "-c",
				"for name in (b'\\xff\\xfe', b'\\xc3\\xbc', b'new\\nline', b'100%', b'a b'): open(name, 'w').close()")
			.directory(this.folder.toFile())
			.start();
		assertThat(python.waitFor(20, TimeUnit.SECONDS)).isTrue();
		List<byte[]> names = new ArrayList<>();
		try (FileHandle handle = FileHandle.ofFolder(this.folder); DirectoryStream<Path> entries = handle.list()) {
			for (Path entry : entries) {
				names.add(RawName.bytes(entry.getFileName()));
				try (FileHandle child = handle.child(entry.getFileName())) {
					assertThat(child.facts().isRegular()).isTrue();
				}
			}
		}
		assertThat(names).containsExactlyInAnyOrder(new byte[] { (byte) 0xFF, (byte) 0xFE },
				new byte[] { (byte) 0xC3, (byte) 0xBC }, "new\nline".getBytes(StandardCharsets.US_ASCII),
				"100%".getBytes(StandardCharsets.US_ASCII), "a b".getBytes(StandardCharsets.US_ASCII));
	}

	@Test
	void rawNameOfATextHasItsBytesInUtf8() {
		for (String text : List.of("data.csv", "ü", "100% %41", "日本.txt", "a b+c")) {
			assertThat(RawName.bytes(RawName.path(text))).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
		}
	}

	@Test
	void closedHandlesLeaveNoDescriptor() throws IOException {
		FileHandle handle = FileHandle.ofFolder(this.folder);
		assertThat(Files.isSameFile(handle.path(), this.folder)).isTrue();
		Path descriptor = handle.path();
		handle.close();
		handle.close();
		assertThat(Files.exists(descriptor) && Files.isSameFile(descriptor, this.folder)).isFalse();
	}

	private static List<String> names(FileHandle folder) throws IOException {
		List<String> names = new ArrayList<>();
		try (DirectoryStream<Path> entries = folder.list()) {
			entries.forEach((entry) -> names.add(entry.getFileName().toString()));
		}
		return names;
	}

	private static String content(FileHandle folder, String name) throws IOException {
		try (FileHandle file = folder.child(Path.of(name))) {
			return new String(file.read().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
