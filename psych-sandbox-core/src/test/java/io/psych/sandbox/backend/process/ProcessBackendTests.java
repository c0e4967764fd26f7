package io.psych.sandbox.backend.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.backend.BackendException;
import io.psych.sandbox.backend.ChildConfiguration;
import io.psych.sandbox.backend.ChildUsers;
import io.psych.sandbox.backend.ExecutionFolder;
import io.psych.sandbox.backend.HostListeners;
import io.psych.sandbox.backend.InstanceFolder;
import io.psych.sandbox.backend.Interpreter;
import io.psych.sandbox.backend.Packages;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.HostUser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ProcessBackendTests {

	private final HostListeners listeners = HostListeners.open();

	private final HostUser current = HostUser.current();

	private InstanceFolder instance;

	private ChildConfiguration children;

	@BeforeEach
	void configure(@TempDir Path parent) throws IOException {
		Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwx--x--x"));
		this.instance = InstanceFolder.create(parent, ChildUsers.shared(this.current));
		this.children = new ChildConfiguration(
				new Interpreter(Path.of("/usr/bin/python3"), "3.11.2", List.of(Path.of("/usr")), Packages.NONE),
				this.instance, this.listeners, Map.of());
	}

	@AfterEach
	void close() throws IOException {
		this.listeners.close();
		this.instance.close();
	}

	@Test
	void sameUserIsRefusedUnlessAllowedAndTheRemedyNamesEachWayOut() {
		assertThatExceptionOfType(BackendException.class)
			.isThrownBy(() -> ProcessBackend.create(this.children, this.current, false))
			.withMessageContaining("programs would run as " + this.current.name())
			.satisfies((refused) -> assertThat(refused.remedy()).contains("Install bubblewrap", "psych.sandbox.run-as",
					"psych.sandbox.allow-same-user=true"));
	}

	@Test
	void sameUserThatIsAllowedStaysWhoItIs() throws Exception {
		ProcessBackend backend = ProcessBackend.create(this.children, this.current, true);
		assertThat(backend.name()).isEqualTo("process");
		assertThat(backend.hasOwnView()).isFalse();
		assertThat(confine(backend, false).integer("uid")).isEqualTo(-1);
	}

	@Test
	void anotherUserIsTheOneToBecome() throws Exception {
		HostUser other = new HostUser("other", this.current.uid() + 1, this.current.gid());
		JsonValue confine = confine(ProcessBackend.create(this.children, other, false), true);
		assertThat(confine.integer("uid")).isEqualTo(this.current.uid());
		assertThat(confine.integer("gid")).isEqualTo(this.current.gid());
		assertThat(confine.members()).containsEntry("namespaces", true).containsEntry("network", true);
	}

	private JsonValue confine(ProcessBackend backend, boolean network) throws IOException {
		try (ExecutionFolder folder = this.instance.newExecution()) {
			ChildCommand command = backend.command(folder, Limits.defaults(), network);
			assertThat(command.directory()).isEqualTo(folder.workspace());
			assertThat(command.environment()).isEqualTo(this.children.environment(folder.temp()));
			String configuration = command.arguments().get(command.arguments().size() - 1);
			assertThat(JsonValue.parse(configuration).string("channel")).isEqualTo("unix:" + folder.socket());
			return JsonValue.parse(configuration).member("confine");
		}
	}

}
