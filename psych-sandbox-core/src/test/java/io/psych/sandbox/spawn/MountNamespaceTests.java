package io.psych.sandbox.spawn;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.psych.sandbox.Descriptors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

@Timeout(60)
class MountNamespaceTests {

	private final Children children = new Children();

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.children.awaitAlive(0)).isEmpty();
	}

	@Test
	void namespaceOfProcessIsHeldUntilItIsClosed() throws Exception {
		List<String> before = Descriptors.mountNamespaces();
		ChildProcess child = this.children.python("import signal\nprint('ready')\nsignal.pause()");
		assertThat(Children.firstLine(child.stdout())).isEqualTo("ready");
		String its = Files.readSymbolicLink(Path.of("/proc", Long.toString(child.pid()), "ns/mnt")).toString();
		try (MountNamespace mounts = MountNamespace.of(child.pid())) {
			child.tree().killForcibly();
			child.exit().join();
			assertThat(Descriptors.mountNamespaces()).hasSize(before.size() + 1).contains(its);
		}
		assertThat(Descriptors.mountNamespaces()).isEqualTo(before);
		assertThatIOException().isThrownBy(() -> MountNamespace.of(child.pid()));
	}

}
