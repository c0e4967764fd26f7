package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Packages beside the standard library: a folder of Debian's and a virtual environment.
 */
@Tag("once")
class PackagesTests {

	private static final Path DEBIAN = Path.of("/usr/lib/python3/dist-packages");

	private static final String PYTHON = System.getProperty("psych.python", "/usr/bin/python3");

	/** Not below the folder for temporary files, which children have anew. */
	private Path home;

	@BeforeEach
	void makeHome() throws IOException {
		this.home = Files.createTempDirectory(Path.of("/var/tmp"), "psych-packages-");
		Files.setPosixFilePermissions(this.home, PosixFilePermissions.fromString("rwxr-xr-x"));
	}

	@AfterEach
	void removeHome() throws IOException {
		try (Stream<Path> all = Files.walk(this.home)) {
			for (Path path : all.sorted((left, right) -> right.compareTo(left)).toList()) {
				Files.delete(path);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void numpyAndPandasOfDebianWork(String backend) {
		try (Sandbox sandbox = builder(backend).packages(List.of(DEBIAN)).build()) {
			RunResult result = sandbox.run(RunRequest.of("""
					import numpy, pandas
					frame = pandas.DataFrame({"a": numpy.arange(4), "b": [1.5, 2.5, None, 4.0]})
					[int(frame.a.sum()), float(frame.b.mean()), frame.to_csv(index=False)]
					"""));
			assertThat(result.failure()).as(result.toJson().toJson()).isNull();
			assertThat(result.value())
				.isEqualTo(JsonValue.parse("[6, 2.6666666666666665, \"a,b\\n0,1.5\\n1,2.5\\n2,\\n3,4.0\\n\"]"));
			assertThat(sandbox.packages()).anyMatch((name) -> name.startsWith("numpy "))
				.anyMatch((name) -> name.startsWith("pandas "));
			assertThat(sandbox.describe()).contains("standard library and these packages: ");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void virtualEnvironmentIsReadOnlyAndNothingElseOfItsParentIsThere(String backend) throws Exception {
		Path environment = environment();
		Files.writeString(this.home.resolve("secret"), "not for programs");
		Path packages;
		try (Stream<Path> folders = Files.list(environment.resolve("lib"))) {
			packages = folders.findFirst().orElseThrow().resolve("site-packages");
		}
		Files.writeString(packages.resolve("greeting.py"), "WORD = 'hello'\n");
		Path record = Files.createDirectory(packages.resolve("greeting-1.2.dist-info"));
		Files.writeString(record.resolve("METADATA"), "Metadata-Version: 2.1\nName: greeting\nVersion: 1.2\n\nText\n");
		try (Sandbox sandbox = builder(backend).packages(List.of(environment)).build()) {
			assertThat(sandbox.packages()).contains("greeting 1.2");
			RunResult result = sandbox.run(RunRequest.of("""
					import greeting, os
					def attempt(action):
					    try:
					        action()
					        return "done"
					    except OSError as problem:
					        return type(problem).__name__
					[greeting.WORD,
					 attempt(lambda: open(greeting.__file__, "a")),
					 attempt(lambda: open(os.path.dirname(greeting.__file__) + "/new.py", "w")),
					 attempt(lambda: open("%s").read())]
					""".formatted(this.home.resolve("secret"))));
			List<?> value = (List<?>) result.value().toJava();
			assertThat(value).as(result.toJson().toJson()).hasSize(4);
			assertThat(value.get(0)).isEqualTo("hello");
			assertThat(value.subList(1, 4)).allMatch((attempt) -> !attempt.equals("done"));
		}
	}

	@Test
	void withoutPackagesThereIsTheStandardLibraryOnly() {
		try (Sandbox sandbox = builder("auto").build()) {
			assertThat(sandbox.packages()).isEmpty();
			assertThat(sandbox.describe()).contains("standard library only");
			assertThat(sandbox.run(RunRequest.of("import numpy")).failure().message()).contains("ModuleNotFoundError");
		}
	}

	@Test
	void environmentOfAnotherPythonIsRefused() throws Exception {
		Path environment = environment();
		Files.writeString(environment.resolve("pyvenv.cfg"), "home = /usr/bin\nversion = 3.8.1\n");
		assertThatExceptionOfType(SandboxConfigurationException.class)
			.isThrownBy(() -> builder("auto").packages(List.of(environment)).build())
			.withMessageContaining("packages")
			.withMessageContaining("3.8.1");
	}

	@Test
	void folderThatIsNotThereIsRefused() {
		for (Path folder : List.of(this.home.resolve("absent"), Path.of("relative"))) {
			assertThatExceptionOfType(SandboxConfigurationException.class)
				.isThrownBy(() -> builder("auto").packages(List.of(folder)).build())
				.withMessageContaining("packages")
				.withMessageContaining(folder.toString());
		}
	}

	private static SandboxBuilder builder(String backend) {
		return Sandbox.builder().backend(backend).interpreter(Path.of(PYTHON));
	}

	private Path environment() throws Exception {
		Path environment = this.home.resolve("venv");
		Process made = new ProcessBuilder(PYTHON, "-m", "venv", "--without-pip", environment.toString()).inheritIO()
			.start();
		assertThat(made.waitFor()).isZero();
		return environment;
	}

}
