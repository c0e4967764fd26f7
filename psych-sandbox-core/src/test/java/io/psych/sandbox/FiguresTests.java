package io.psych.sandbox;

import java.nio.file.Path;
import java.util.List;

import io.psych.sandbox.attachment.Content;
import io.psych.sandbox.blob.FileBlobStore;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A figure that a program draws and only shows, with Debian's matplotlib.
 */
@Tag("once")
class FiguresTests {

	private static final Path DEBIAN = Path.of("/usr/lib/python3/dist-packages");

	private static final String BUILDING = "Matplotlib is building the font cache; this may take a moment.\n";

	private static final byte[] PNG = { (byte) 0x89, 'P', 'N', 'G' };

	@TempDir
	private Path folder;

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void figureThatIsShownIsAnAttachment(String backend) throws Exception {
		Scope scope = new Scope("acme", "run-1", null);
		try (Sandbox sandbox = Sandbox.builder()
			.backend(backend)
			.interpreter(Path.of("/usr/bin/python3"))
			.packages(List.of(DEBIAN))
			.blobStore(new FileBlobStore(this.folder))
			.build()) {
			RunResult result = sandbox.run(RunRequest.of("""
					import os
					import matplotlib.pyplot as plt
					plt.plot([1, 4, 9])
					plt.show()
					[name for name in os.listdir() if name[0] != "."]
					""").withScope(scope));
			assertThat(result.failure()).as(result.toJson().toJson()).isNull();
			// On a busy host it takes more than the five seconds after which it is told.
			assertThat(result.stderr().text().replace(BUILDING, "")).isEmpty();
			assertThat(result.notes()).isEmpty();
			assertThat(result.value()).isEqualTo(JsonValue.of(List.of()));
			assertThat(result.uncollected()).isEmpty();
			assertThat(result.attachments()).filteredOn((attachment) -> attachment.name().equals("figure-1.png"))
				.singleElement()
				.satisfies((attachment) -> {
					assertThat(attachment.mediaType()).isEqualTo("image/png");
					Content content = sandbox.attachments().find(scope, attachment.handle());
					assertThat(content).isNotNull();
					assertThat(content.read(0, PNG.length)).isEqualTo(PNG);
				});
		}
	}

}
