package io.psych.sandbox.backend.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.psych.sandbox.backend.BackendException;
import io.psych.sandbox.spawn.Spawner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BubblewrapTests {

	@TempDir
	private Path folder;

	@ParameterizedTest
	@ValueSource(strings = { "0.8.0", "0.11.0", "1.0.0", "0.8.0-rc1" })
	void versionThatIsNewEnoughIsTaken(String version) throws Exception {
		Path executable = script("echo bubblewrap " + version);
		assertThat(Bubblewrap.find(executable, new Spawner())).isEqualTo(new Bubblewrap(executable, version));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0.7.0", "0.4.1", "0.0.0" })
	void versionThatIsTooOldIsRefusedWithTheOneToInstall(String version) throws IOException {
		assertRefused(script("echo bubblewrap " + version), "bubblewrap " + version + " is too old",
				"Install bubblewrap 0.8.0 or newer");
	}

	@ParameterizedTest
	@ValueSource(strings = { "echo hello", "exit 0", "echo bubblewrap", "echo bubblewrap 99999.1",
			"cat /dev/zero | head -c 9999" })
	void executableThatAnswersOtherwiseIsRefused(String commands) throws IOException {
		assertRefused(script(commands), "did not answer as bubblewrap does", "psych.sandbox.bubblewrap.executable");
	}

	@Test
	void setuidCopyIsRefusedBeforeItIsRun() throws IOException {
		Path executable = script("touch " + this.folder.resolve("ran") + "; echo bubblewrap 0.11.0");
		Files.setAttribute(executable, "unix:mode", 04755);
		assertRefused(executable, "is a setuid copy", "Remove the setuid bit");
		assertThat(this.folder.resolve("ran")).doesNotExist();
	}

	@Test
	void pathThatIsMissingRelativeOrNotExecutableIsRefused() throws IOException {
		String message = "is not the absolute path of an executable file";
		assertRefused(Path.of("/no/such/bwrap"), message, "psych.sandbox.bubblewrap.executable");
		assertRefused(Path.of("bwrap"), message, "psych.sandbox.bubblewrap.executable");
		assertRefused(Files.createFile(this.folder.resolve("plain")), message, "psych.sandbox.bubblewrap.executable");
	}

	private static void assertRefused(Path executable, String message, String remedy) {
		assertThatExceptionOfType(BackendException.class).isThrownBy(() -> Bubblewrap.find(executable, new Spawner()))
			.withMessageContaining(message)
			.satisfies((refused) -> assertThat(refused.remedy()).contains(remedy));
	}

	private Path script(String commands) throws IOException {
		Path script = Files.createTempFile(this.folder, "bwrap", "");
		Files.writeString(script, "#!/bin/sh\n" + commands + "\n");
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
		return script;
	}

}
