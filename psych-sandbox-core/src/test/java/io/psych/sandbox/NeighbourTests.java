package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a program can do to another one that runs at the same time as the same user. The
 * catalogue's programs have a user each where the service is root.
 */
@Tag("once")
class NeighbourTests {

	private static final List<String> NOBODY = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
			"--");

	@TempDir
	static Path folder;

	/** Where a JVM that is not root can read it. */
	private static String classPath;

	@BeforeAll
	static void prepare() throws IOException {
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
		classPath = Neighbours.copyClassPath(folder);
	}

	private static SandboxBuilder builder(String backend) {
		return Sandbox.builder().backend(backend).folder(folder).allowSameUser(true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void aProgramFindsNothingOfAnother(String backend) {
		assertNothingFound(JsonValue.of(Neighbours.look(builder(backend))));
	}

	@Test
	void aProgramFindsNothingOfAnotherWithoutNamespaces() {
		JsonValue facts = JsonValue
			.of(Neighbours.look(builder("process").backendDecorator(FaultInjectionTests::withoutNamespaces)));
		assertThat(facts.string("process-tree")).isEqualTo("unverified");
		assertNothingFound(facts);
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	@EnabledIf("io.psych.sandbox.AbstractSandboxTests#isRoot")
	void aProgramFindsNothingOfAnotherWhereTheServiceIsNotRoot(String backend) throws Exception {
		assertNothingFound(Neighbours.inAnotherJvm(NOBODY, classPath, "look", backend, folder.toString()));
	}

	private static void assertNothingFound(JsonValue facts) {
		JsonValue attacker = facts.member("attacker");
		assertThat(attacker).as(facts.toJson()).isNotNull();
		assertThat(attacker.members()).containsEntry("found", List.of()).containsEntry("signalled", List.of());
		assertThat((Long) attacker.members().get("looked")).isGreaterThan(20);
		assertThat(facts.string("victim")).isEqualTo("unharmed");
		assertThat((Long) facts.members().get("holders")).as("processes of the host that hold it").isPositive();
	}

	@Test
	void aForkBombStarvesNoProgramOfTheSameUserInAnotherUserNamespace() {
		assertNotStarved(Neighbours.bomb(builder("bubblewrap")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	@EnabledIf("io.psych.sandbox.AbstractSandboxTests#isRoot")
	void aForkBombStarvesNoProgramWhereTheServiceIsNotRoot(String backend) throws Exception {
		assertNotStarved(Neighbours.inAnotherJvm(NOBODY, classPath, "bomb", backend, folder.toString()).members());
	}

	private static void assertNotStarved(Map<String, Object> facts) {
		assertThat(facts).containsEntry("bomb", "EAGAIN").containsEntry("user-namespace", true);
		assertThat(((Number) facts.get("beside")).longValue()).isEqualTo(8);
	}

}
