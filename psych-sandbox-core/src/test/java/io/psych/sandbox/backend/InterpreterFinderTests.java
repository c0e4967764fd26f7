package io.psych.sandbox.backend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.psych.sandbox.spawn.HostUser;
import io.psych.sandbox.spawn.Spawner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class InterpreterFinderTests {

	private static final Path PYTHON = Path.of(System.getProperty("psych.python", "/usr/bin/python3"));

	private static final String REMEDY = "Set psych.sandbox.interpreter to the absolute path of a python3.";

	@TempDir
	private Path parent;

	private InstanceFolder instance;

	private InterpreterFinder finder;

	@BeforeEach
	void makeFolder() throws IOException {
		Files.setPosixFilePermissions(this.parent, PosixFilePermissions.fromString("rwx--x--x"));
		this.instance = InstanceFolder.create(this.parent, ChildUsers.shared(HostUser.current()));
		this.finder = new InterpreterFinder(this.instance, new Spawner());
	}

	@AfterEach
	void removeFolder() throws IOException {
		this.instance.close();
	}

	@Test
	void findOfAPathRunsItAndCompilesTheChild() throws Exception {
		Interpreter interpreter = this.finder.find(PYTHON);
		assertThat(interpreter.executable()).isEqualTo(PYTHON.toRealPath());
		assertThat(interpreter.version()).matches("3\\.\\d+\\.\\d+");
		assertThat(interpreter.prefixes()).isNotEmpty().allSatisfy((prefix) -> assertThat(prefix).isDirectory());
		assertThat(this.instance.bootstrap()).isNotEmptyFile();
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.instance.bootstrap())))
			.isEqualTo("rw-r--r--");
	}

	@Test
	void findOfNothingTakesAUsualOne() throws Exception {
		Interpreter interpreter = this.finder.find(null);
		assertThat(interpreter.executable()).isAbsolute().isExecutable();
		assertThat(interpreter.version()).startsWith("3.");
	}

	@Test
	void findOfALinkResolvesIt() throws Exception {
		Path link = Files.createSymbolicLink(this.parent.resolve("my python"), PYTHON);
		assertThat(this.finder.find(link).executable()).isEqualTo(PYTHON.toRealPath());
		Files.delete(link);
	}

	@Test
	void findOfAMissingPathNamesItAndTheProperty() {
		assertRefused(Path.of("/no/such/python3"), "/no/such/python3 is not an executable file", REMEDY);
	}

	@Test
	void findOfAFileThatIsNotExecutableNamesItAndTheProperty() throws IOException {
		Path file = Files.writeString(this.parent.resolve("python3"), "#!/bin/sh\n");
		assertRefused(file, file + " is not an executable file", REMEDY);
		Files.delete(file);
	}

	@Test
	void findOfARelativePathNamesItAndTheProperty() {
		assertRefused(Path.of("bin/python3"), "bin/python3 is a relative path", REMEDY);
		assertRefused(Path.of("./python3"), "./python3 is a relative path", REMEDY);
	}

	@Test
	void findOfABareNameLooksOnThePath() {
		assertRefused(Path.of("no-such-python-here"), "no-such-python-here is not on the PATH of this JVM", REMEDY);
		// Something every PATH has, and no Python: it was found, run and refused.
		assertThatExceptionOfType(BackendException.class).isThrownBy(() -> this.finder.find(Path.of("true")))
			.withMessageMatching("/\\S*/true .*");
	}

	@Test
	void findOfWhatIsNoPythonNamesIt() {
		assertRefused(Path.of("/bin/true"), "/bin/true is not a Python: it ended without running the child's script",
				null);
		assertRefused(Path.of("/bin/false"), "/bin/false can't run the child's script, it ended with status 1", null);
	}

	@Test
	void findOfAnInterpreterThatFailsRepeatsWhatItSaid() throws IOException {
		assertRefused(script("echo 'no module named posix' >&2; exit 3"), " ended with status 3: no module named posix",
				null);
	}

	@Test
	void findOfAnInterpreterThatAnswersOtherwiseIsRefused() throws IOException {
		assertRefused(script(": > \"${10}\"; echo Python 3.11"), " is not a Python: it did not answer as one does",
				null);
	}

	@Test
	void findOfAnotherImplementationIsRefused() throws IOException {
		assertRefused(answering("pypy", "3.11.2"), " is not a CPython", null);
	}

	@Test
	void findOfAVersionThatIsTooOldSaysWhichIsTheOldest() throws IOException {
		assertRefused(answering("cpython", "3.8.20"), " is Python 3.8.20, but 3.9 is the oldest that can be used",
				null);
		assertRefused(answering("cpython", "2.7.18"), " is Python 2.7.18, but 3.9 is the oldest that can be used",
				null);
	}

	@Test
	void findOfTheOldestVersionIsAccepted() throws Exception {
		assertThat(this.finder.find(answering("cpython", "3.9.0")).version()).isEqualTo("3.9.0");
	}

	@Test
	void findOfAnInterpreterWithoutItsPrefixIsRefused() throws IOException {
		Path script = script(
				": > \"${10}\"; echo '{\"implementation\":\"cpython\",\"version\":\"3.11.2\",\"executable\":\"/bin/sh\","
						+ "\"prefix\":\"/no/such/prefix\",\"execPrefix\":\"/usr\"}'");
		assertRefused(script, " can't be resolved to one absolute path: /no/such/prefix", null);
	}

	private void assertRefused(Path configured, String message, String remedy) {
		try (InstanceFolder fresh = InstanceFolder.create(this.parent, ChildUsers.shared(HostUser.current()))) {
			assertThatExceptionOfType(BackendException.class)
				.isThrownBy(() -> new InterpreterFinder(fresh, new Spawner()).find(configured))
				.withMessageEndingWith(message)
				.satisfies((refused) -> assertThat(refused.remedy()).isEqualTo(remedy));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Path answering(String implementation, String version) throws IOException {
		return script((": > \"${10}\"; echo '{\"implementation\":\"%s\",\"version\":\"%s\",\"executable\":\"/bin/sh\","
				+ "\"prefix\":\"/usr\",\"execPrefix\":\"/usr\"}'")
			.formatted(implementation, version));
	}

	/**
	 * Make an interpreter of a shell script; its eighth argument is the file to write.
	 */
	private Path script(String commands) throws IOException {
		Path script = Files.createTempFile(this.parent, "python", "");
		Files.writeString(script, "#!/bin/sh\n" + commands + "\n");
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
		return script;
	}

}
