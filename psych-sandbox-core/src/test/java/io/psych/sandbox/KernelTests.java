package io.psych.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What programs ask of the kernel that the catalogue does not: with a granted network,
 * and memory that is nobody's but a pipe's.
 */
@Tag("once")
class KernelTests {

	/** By number: a Python that lacks a constant must not make a family pass. */
	private static final String FAMILIES = """
			import errno, socket
			def attempt(family, kind):
			    try:
			        socket.socket(family, kind).close()
			    except OSError as problem:
			        return errno.errorcode[problem.errno]
			    return "done"
			stream, datagram, raw, packets = 1, 2, 3, 5
			{str(family): attempt(family, kind) for family, kind in (
			    (1, stream), (2, stream), (2, datagram), (10, stream), (16, raw), (17, raw), (29, raw), (30, stream), (31, raw),
			    (38, packets), (40, stream), (44, raw))}
			""";

	/**
	 * Within what one user may have in pipes of full size, and beyond what the tree may
	 * have.
	 */
	private static final String PIPES = """
			import fcntl, os, resource
			held = 0
			pipes = []
			for _ in range(60):
			    pipes.append(os.pipe())
			    size = fcntl.fcntl(pipes[-1][1], 1031, 1 << 20)
			    held += os.write(pipes[-1][1], bytes(size))
			print(held)
			held
			""";

	@TempDir
	private Path folder;

	@BeforeEach
	void open() throws Exception {
		Files.setPosixFilePermissions(this.folder, PosixFilePermissions.fromString("rwxr-xr-x"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void aGrantedNetworkOpensThreeFamiliesAndNoOther(String backend) {
		try (Sandbox sandbox = builder(backend).networkAllowed(true).build()) {
			JsonValue families = sandbox.run(RunRequest.of(FAMILIES).withNetwork(true)).value();
			assertThat(families.members()).hasSize(11)
				.allSatisfy((family, outcome) -> assertThat(outcome).as("family " + family)
					.isEqualTo(List.of("2", "10", "16").contains(family) ? "done" : "EPERM"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	@EnabledIf("io.psych.sandbox.AbstractSandboxTests#hasControlGroups")
	void whatPipesHoldCountsAsMemoryOfTheTree(String backend) {
		Limits defaults = Limits.defaults();
		Limits small = new Limits(defaults.cpu(), Duration.ofSeconds(20), defaults.toolTimeout(),
				ByteSize.ofMebibytes(48), ByteSize.ofMebibytes(1), ByteSize.ofMebibytes(1), defaults.processes(),
				defaults.stream(), defaults.value(), defaults.program());
		try (Sandbox sandbox = builder(backend).build()) {
			assertThat(sandbox.run(RunRequest.of(PIPES)).value()).isEqualTo(JsonValue.of(60 << 20));
			RunResult result = sandbox.run(RunRequest.of(PIPES).withLimits(small));
			assertThat(result.limitHit()).as(result.toJson().toJson()).isEqualTo(LimitHit.MEMORY);
			assertThat(result.stdout().text()).isEmpty();
		}
	}

	private SandboxBuilder builder(String backend) {
		return Sandbox.builder().backend(backend).folder(this.folder).allowSameUser(true);
	}

}
