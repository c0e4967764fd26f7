package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spawn.HostUser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Programs find the same in {@code /dev} whether it is shown as a whole or device by
 * device.
 */
@Timeout(120)
class BubblewrapDevicesTests {

	private static final String LOOK = """
			import errno, os
			def opened(path, mode):
			    try:
			        with open(path, mode, buffering=0) as file:
			            return len(file.read(4)) if mode == "rb" else file.write(b"x")
			    except OSError as problem:
			        return os.strerror(problem.errno)
			def made(path):
			    try:
			        open(path, "w").close()
			    except OSError as problem:
			        return problem.errno in (errno.EACCES, errno.EROFS)
			try:
			    terminal = os.openpty()
			except OSError:
			    terminal = None
			read, write = os.pipe()
			os.write(write, b"four")
			[sorted(os.listdir("/dev")), [opened("/dev/" + name, "rb") for name in ("null", "zero", "full", "random", "urandom")],
			 opened("/dev/null", "wb"), opened("/dev/full", "wb"), opened("/dev/fd/%d" % read, "rb"), made("/dev/shm/x"),
			 made("/dev/x"), terminal]
			""";

	private static final JsonValue FOUND = JsonValue.parse("""
			[["fd", "full", "null", "random", "shm", "stderr", "stdin", "stdout", "urandom", "zero"], [0, 4, 4, 4, 4],
			 1, "No space left on device", 4, null, true, null]""");

	@Test
	void devicesWorkAndThereIsNoTerminal() {
		assertThat(look(Sandbox.builder().backend("bubblewrap"))).isEqualTo(FOUND);
	}

	@Test
	void devicesAreShownOneByOneWhereNoneCanBeMade(@TempDir Path folder) throws Exception {
		assumeTrue(HostUser.current().isRoot(), "only root can mount a file system without devices");
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		assertThat(run("mount", "-t", "tmpfs", "-o", "nodev,mode=755", "tmpfs", folder.toString())).isZero();
		try {
			assertThat(look(Sandbox.builder().backend("bubblewrap").folder(folder))).isEqualTo(FOUND);
		}
		finally {
			assertThat(run("umount", folder.toString())).isZero();
		}
	}

	private static JsonValue look(SandboxBuilder builder) {
		try (Sandbox sandbox = builder.build()) {
			RunResult result = sandbox.run(RunRequest.of(LOOK));
			assertThat(result.succeeded()).as(result.toJson().toJson()).isTrue();
			return result.value();
		}
	}

	private static int run(String... command) throws IOException, InterruptedException {
		return new ProcessBuilder(List.of(command)).inheritIO().start().waitFor();
	}

}
