package io.psych.sandbox;

import java.nio.file.Path;
import java.time.Duration;

import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.HostUser;
import io.psych.sandbox.terms.Spec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is refused when a sandbox is built, and how it is told.
 */
class SandboxBuilderTests {

	@Test
	void anUnknownBackendIsRefusedByName() {
		refused(Sandbox.builder().backend("docker"), "backend", "docker", "auto, bubblewrap, container or process");
	}

	@Test
	void aGraceOfNothingIsRefused() {
		refused(Sandbox.builder().teardownGrace(Duration.ZERO), "teardown-grace", "PT0S", "1s or more");
	}

	@Test
	void noCallAtOnceIsRefused() {
		refused(Sandbox.builder().concurrentCalls(0), "concurrent-calls", "0", "1 or more");
	}

	@Test
	void aSpecWhoseProfileIsNotThereIsRefused() {
		SandboxBuilder builder = Sandbox.builder().spec(Spec.of("orders").withProfile("batch"));
		refused(builder, "specs.orders.profile", "batch", "psych.sandbox.profiles");
		refused(builder.profile("small", Limits.defaults()), "specs.orders.profile", "batch", "psych.sandbox.profiles");
	}

	@Test
	void aUserNobodyKnowsIsRefused() {
		refused(Sandbox.builder().runAs("no-such-user"), "run-as", "no-such-user", "range of numbers");
	}

	@Test
	void rootIsRefused() {
		refused(Sandbox.builder().runAs("root"), "run-as", "root", "unprivileged");
	}

	@ParameterizedTest
	@ValueSource(strings = { "60010-60000", "10-20", "60000-69999" })
	void aRangeThatIsNoneIsRefused(String range) {
		String fix = HostUser.current().isRoot() ? "60000-60063" : "as root";
		refused(Sandbox.builder().runAs(range), "run-as", range, fix);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/no/such/python", "bin/python3", "no-such-python", "/bin/true" })
	void anInterpreterThatIsNoneIsRefused(String interpreter) {
		refused(Sandbox.builder().interpreter(Path.of(interpreter)), "interpreter", interpreter, "python3");
	}

	@Test
	void aFolderThatIsNotThereIsRefused() {
		refused(Sandbox.builder().folder(Path.of("/no/such/folder")), "folder", "/no/such/folder", "/tmp");
	}

	@Test
	void aBackendThatIsAskedForAndNotThereIsNotReplacedByAWeakerOne() {
		assertThatExceptionOfType(NoUsableBackendException.class)
			.isThrownBy(() -> Sandbox.builder().backend("bubblewrap").bubblewrap(Path.of("/no/such/bwrap")).build())
			.withMessageContaining("/no/such/bwrap")
			.withMessageContaining("apt-get install bubblewrap")
			.satisfies((ex) -> assertThat(ex.selection().candidates()).hasSize(1));
	}

	@Test
	void autoSaysWhyTheStrongerOneWasNotTaken() {
		try (Sandbox sandbox = Sandbox.builder().bubblewrap(Path.of("/no/such/bwrap")).allowSameUser(true).build()) {
			assertThat(sandbox.selection().chosen()).isEqualTo("process");
			assertThat(sandbox.selection().whyNot()).contains("bubblewrap: /no/such/bwrap", "apt-get");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "Mac OS X", "Windows 11" })
	void aSystemWithoutABackendIsToldAsOne(String system) {
		assertThatExceptionOfType(NoUsableBackendException.class)
			.isThrownBy(() -> Sandbox.builder().operatingSystem(system).build())
			.withMessageContaining(system)
			.withMessageContaining("Linux")
			.satisfies((ex) -> assertThat(ex.selection().candidates()).extracting("name")
				.containsExactly("bubblewrap", "process"));
	}

	private static void refused(SandboxBuilder builder, String property, String value, String fix) {
		assertThatExceptionOfType(SandboxConfigurationException.class).isThrownBy(builder::build).satisfies((ex) -> {
			assertThat(ex.property()).isEqualTo(property);
			assertThat(ex.value()).isEqualTo(value);
			assertThat(ex.fix()).contains(fix);
			assertThat(ex).hasMessageStartingWith("psych.sandbox." + property + " is '" + value + "': ");
		});
	}

}
