package io.psych.sandbox;

import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.spawn.HostUser;
import io.psych.sandbox.spawn.Spawner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the C library starts no process as it is needed, Java does: bubblewrap then
 * becomes the child's user through setpriv and shows the child its channel.
 */
@Timeout(120)
class JavaSpawnerTests {

	private static final String LOOK = """
			import os
			[os.getuid(), os.path.exists("/run/psych/s")]
			""";

	private static Sandbox sandbox;

	private static Sandbox usual;

	@BeforeAll
	static void build() {
		sandbox = builder().spawner(Spawner.ofJava()).build();
		usual = builder().build();
	}

	private static SandboxBuilder builder() {
		return Sandbox.builder().backend("bubblewrap");
	}

	@AfterAll
	static void close() {
		sandbox.close();
		usual.close();
	}

	@Test
	void isolationIsTheSame() {
		RunResult result = sandbox.run(RunRequest.of("print(1)\n1"));
		assertThat(result.succeeded()).as(result.toJson().toJson()).isTrue();
		assertThat(result.isolation().level()).isEqualTo(Level.ISOLATED);
		assertThat(sandbox.isolation().level()).isEqualTo(usual.isolation().level());
		for (Guarantee guarantee : Guarantee.values()) {
			assertThat(sandbox.isolation().grade(guarantee)).as(guarantee.id())
				.isEqualTo(usual.isolation().grade(guarantee));
		}
	}

	@Test
	void channelIsShownToTheProgramsUser() {
		String uid = HostUser.current().isRoot() ? "65534" : Integer.toString(HostUser.current().uid());
		RunResult result = sandbox.run(RunRequest.of(LOOK));
		assertThat(result.value().toJson()).as(result.toJson().toJson()).isEqualTo("[" + uid + ",true]");
	}

	@Test
	void inheritedChannelNeedsNoPlaceInTheView() {
		RunResult result = usual.run(RunRequest.of("import os\n[os.path.exists('/run'), os.fstat(3).st_mode >> 12]"));
		assertThat(result.value().toJson()).isEqualTo("[false,12]");
	}

}
