package io.psych.sandbox.catalogue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Some hundred executions of a JVM that is PID 1, as the entry point of a container is:
 * whatever loses its parent is its to reap. Row 73 of the catalogue has a thousand in a
 * JVM that is not.
 */
@Tag("once")
class SoakTests {

	private static final int FIRST_UID = 700_000;

	@TempDir
	private Path folder;

	@ParameterizedTest
	@CsvSource({ "bubblewrap, 200, 50", "process, 100, 30" })
	@EnabledIf("io.psych.sandbox.AbstractSandboxTests#isRoot")
	void aJvmThatIsPidOneIsBackToItsBaselineWithoutAZombie(String backend, int inSequence, int atOnce)
			throws Exception {
		Files.setPosixFilePermissions(this.folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		JsonValue facts = run(backend, inSequence, atOnce);
		assertThat(facts.members()).as(facts.toJson())
			.containsEntry("pid", 1L)
			.containsEntry("failures", 0L)
			.containsEntry("problems", List.of())
			.containsEntry("zombies", 0L)
			.containsEntry("left", List.of());
	}

	private JsonValue run(String backend, int inSequence, int atOnce) throws IOException, InterruptedException {
		Process host = new ProcessBuilder("unshare", "--pid", "--fork", "--kill-child", "--mount-proc",
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-cp",
				System.getProperty("java.class.path"), SoakMain.class.getName(), backend, this.folder.toString(),
				FIRST_UID + "-" + (FIRST_UID + atOnce), Integer.toString(inSequence), Integer.toString(atOnce))
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try {
			String output = new String(host.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return JsonValue.parse(output.lines().filter((line) -> line.startsWith("{")).findFirst().orElseThrow());
		}
		finally {
			host.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
		}
	}

}
