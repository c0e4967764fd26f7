package io.psych.sandbox.artifact;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.psych.sandbox.contract.InputFile;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.FileHandle;
import io.psych.sandbox.spawn.HostUser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

@Timeout(120)
class InputFilesTests {

	@TempDir
	private Path folder;

	@ParameterizedTest
	@ValueSource(strings = { "data.csv", "a b.txt", "ü", "日本.json", "no-extension", "a..b" })
	void nameOfAPlainFileIsTaken(String name) {
		assertThatNoException().isThrownBy(() -> check(input(name, 1)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "..", ".hidden", "a/b", "/etc/passwd", "../x", "a\\b", "new\nline", "nul\0",
			"-rf", "txt.\u202egpj", "zero\u200bwidth", "dot.", "blank ", " blank", "CON", "lpt1.txt", "a:b", "\ud800" })
	void nameOfAnythingElseIsRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> check(input(name, 1)))
			.withMessageStartingWith("inputs: a name must be one of a file that is not hidden, such as data.csv")
			.withMessageMatching("[^\\p{Cntrl}\u202e\u200b]*");
	}

	@Test
	void longestNameIsTakenAndALongerOneRefused() {
		assertThatNoException().isThrownBy(() -> check(input("n".repeat(120), 1)));
		assertThatIllegalArgumentException().isThrownBy(() -> check(input("n".repeat(121), 1)));
		assertThatNoException().isThrownBy(() -> check(input("日".repeat(85), 1)));
		assertThatIllegalArgumentException().isThrownBy(() -> check(input("日".repeat(86), 1)));
	}

	@Test
	void nameThatIsThereTwiceIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> check(input("a", 1), new InputFile.Attached("a", "handle")))
			.withMessage("inputs: there are two files named 'a'");
	}

	@Test
	void filesThatFillTheWorkspaceAreTakenAndOneByteMoreIsRefused() {
		int all = (int) Limits.defaults().workspace().bytes();
		InputFile.Bytes half = input("half", all / 2);
		assertThatNoException().isThrownBy(() -> check(half, input("rest", all / 2)));
		assertThatIllegalArgumentException().isThrownBy(() -> check(half, input("rest", all / 2 + 1)))
			.withMessage("inputs: all files together are 67108865 bytes, but the workspace holds 64 MiB");
	}

	@Test
	void placedFileIsThereForReadingOnly() throws IOException {
		try (FileHandle workspace = FileHandle.ofFolder(this.folder)) {
			assertThat(InputFiles.place(workspace, List.of(input("a.csv", 3), input("b.csv", 0)))).hasSize(2);
			assertThat(InputFiles.place(workspace, List.of())).isEmpty();
		}
		assertThat(this.folder.resolve("a.csv")).hasBinaryContent(new byte[3]);
		assertThat(this.folder.resolve("b.csv")).isEmptyFile();
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.folder.resolve("a.csv"))))
			.isEqualTo("r--r--r--");
	}

	@Test
	void whatIsThereAlreadyIsNeitherReplacedNorFollowed() throws IOException {
		Path outside = Files.writeString(this.folder.resolve("outside"), "kept");
		Path inner = Files.createDirectory(this.folder.resolve("inner"));
		Files.createSymbolicLink(inner.resolve("link"), outside);
		Files.createSymbolicLink(inner.resolve("dangling"), this.folder.resolve("new"));
		Files.writeString(inner.resolve("file"), "kept");
		try (FileHandle workspace = FileHandle.ofFolder(inner)) {
			for (String name : List.of("link", "dangling", "file")) {
				assertThatExceptionOfType(FileAlreadyExistsException.class)
					.isThrownBy(() -> InputFiles.place(workspace, List.of(input(name, 1))));
			}
		}
		assertThat(outside).hasContent("kept");
		assertThat(this.folder.resolve("new")).doesNotExist();
		assertThat(inner.resolve("file")).hasContent("kept");
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "mount", "plain" })
	@EnabledIf("isRoot")
	void whereTheServiceIsRootAProgramReadsItsInputsAndOpensNoneToItself(String kind) throws Exception {
		open(this.folder);
		Path work = Files.createDirectory(this.folder.resolve("work"));
		Files.setAttribute(work, "unix:uid", 65534);
		assertThat(WorkspaceMain.run(kind, this.folder)).containsExactly("a,b c,d", "write EACCES", "chmod EPERM",
				"other.csv: made anew", "result.txt: a result");
	}

	/** A file's owner may open it, so what counts is that it was touched. */
	@ParameterizedTest
	@CsvSource({ "bubblewrap,C.UTF-8", "mount,C.UTF-8", "plain,C.UTF-8", "plain,POSIX" })
	@EnabledIf("isRoot")
	void whereItIsNotRootAProgramReadsItsInputsAndWhatItTouchedIsCollected(String kind, String locale)
			throws Exception {
		open(this.folder);
		Path classes = Files.createDirectory(this.folder.resolve("classes"));
		String classPath = copyClassPath(classes);
		List<String> command = new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
				"--", "env", "LC_ALL=" + locale, Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dpsych.python=" + WorkspaceMain.PYTHON, "-cp",
				classPath, WorkspaceMain.class.getName(), kind, this.folder.toString()));
		Process host = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		String output = new String(host.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(host.waitFor(20, TimeUnit.SECONDS)).isTrue();
		assertThat(output.lines()).containsExactly("a,b c,d", "write EACCES", "chmod None", "data.csv: a,b",
				"other.csv: made anew", "result.txt: a result");
	}

	static boolean isRoot() {
		return HostUser.current().isRoot();
	}

	private static void check(InputFile... files) {
		InputFiles.check(List.of(files), Limits.defaults());
	}

	private static InputFile.Bytes input(String name, int size) {
		return new InputFile.Bytes(name, new byte[size]);
	}

	private static void open(Path path) throws IOException {
		Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
	}

	/** Where a JVM that is not root can read it. */
	private static String copyClassPath(Path target) throws IOException {
		open(target);
		List<String> entries = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			Path source = Path.of(entry);
			if (Files.exists(source)) {
				Path copy = target.resolve(entries.size() + "-" + source.getFileName());
				try (Stream<Path> paths = Files.walk(source)) {
					for (Path path : paths.toList()) {
						Path file = copy.resolve(source.relativize(path).toString());
						Files.copy(path, file);
						Files.setPosixFilePermissions(file,
								PosixFilePermissions.fromString(Files.isDirectory(file) ? "rwxr-xr-x" : "rw-r--r--"));
					}
				}
				entries.add(copy.toString());
			}
		}
		return String.join(File.pathSeparator, entries);
	}

}
