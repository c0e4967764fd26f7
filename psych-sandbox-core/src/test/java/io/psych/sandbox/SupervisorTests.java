package io.psych.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;

import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The end of an execution where no pid namespace can be had: a supervising parent ends
 * what is below it, and a control group, where there is one, what got away.
 */
@Tag("once")
class SupervisorTests {

	/** Leaves processes in three ways, and ends once all of them run. */
	private static final String LEAVES_PROCESSES = """
			import os, signal, subprocess, sys

			def become():
			    os.execv("/bin/sh", ["sh", "-c", "trap '' TERM HUP INT; echo >&%d; while :; do sleep 60; done" % ready, "MARKER"])

			def detached():
			    if os.fork() == 0:
			        os.setsid()
			        if os.fork() == 0:
			            become()
			        os._exit(0)
			    os.wait()

			def stopped():
			    child = os.fork()
			    if child == 0:
			        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
			        os.write(ready, b"x")
			        os.kill(os.getpid(), signal.SIGSTOP)
			        become()

			def grandchild():
			    if os.fork() == 0:
			        os.setpgid(0, 0)
			        if os.fork() == 0:
			            become()
			        signal.pause()

			wait, ready = os.pipe()
			os.set_inheritable(ready, True)
			for leave in (detached, stopped, grandchild):
			    leave()
			told = 0
			while told < 3:
			    told += len(os.read(wait, 3))
			told
			""";

	@TempDir
	private Path folder;

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void nothingIsLeftWithoutAPidNamespace(boolean groups) throws Exception {
		Files.setPosixFilePermissions(this.folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		String marker = "left-" + UUID.randomUUID();
		SandboxBuilder builder = Sandbox.builder()
			.backend("process")
			.folder(this.folder)
			.backendDecorator(FaultInjectionTests::withoutNamespaces);
		try (Sandbox sandbox = (groups ? builder : builder.withoutControlGroups()).build()) {
			RunResult result = sandbox.run(RunRequest.of(LEAVES_PROCESSES.replace("MARKER", marker)));
			assertThat(Leftovers.processesWith(marker)).isEmpty();
			assertThat(result.value()).as(result.toJson().toJson()).isEqualTo(JsonValue.of(3));
			assertThat(result.isolation().grade(Guarantee.PROCESS_TREE)).isEqualTo(Grade.UNVERIFIED);
		}
		assertThat(Leftovers.processesWith(this.folder.toString())).isEmpty();
	}

}
