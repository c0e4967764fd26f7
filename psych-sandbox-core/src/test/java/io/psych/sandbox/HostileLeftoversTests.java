package io.psych.sandbox;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.psych.sandbox.blob.BlobFolderException;
import io.psych.sandbox.blob.FileBlobStore;
import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Uncollected;
import io.psych.sandbox.limits.ArtifactLimits;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Limits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Programs that leave behind what fills a host, and what the host holds of it afterwards.
 */
@Tag("once")
class HostileLeftoversTests {

	/** What measuring and compiling take meanwhile. */
	private static final long HEAP_TOLERANCE = 24L << 20;

	@TempDir
	private Path folder;

	private long heap;

	@AfterEach
	void hostHoldsNoMoreThanBefore() {
		assertThat(heapInUse() - this.heap).isLessThan(HEAP_TOLERANCE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void fiftyMegabytesOfOutputAreDrainedAndKeptUnderTheCap(String backend) throws Exception {
		RunResult result = run(backend, Limits.defaults(), """
				import sys
				line = "x" * 999 + "\\n"
				for _ in range(50 * 1024):
				    sys.stdout.write(line)
				""");
		assertThat(result.failure()).as(result.toJson().toJson()).isNull();
		assertThat(result.stdout().bytes()).isEqualTo(50L * 1024 * 1000);
		assertThat(result.stdout().text()).hasSizeLessThan(66_000);
		assertThat(result.attachments()).singleElement().satisfies((kept) -> {
			assertThat(kept.whole()).isFalse();
			assertThat(kept.bytes()).isBetween(1L << 20, (1L << 20) + 100);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void sparseFileOfAGigabyteIsTooLargeAndTakesNothing(String backend) throws Exception {
		RunResult result = run(backend, files(ByteSize.ofMebibytes(2048)), """
				import os
				with open("sparse.bin", "wb") as file:
				    file.truncate(1 << 30)
				os.stat("sparse.bin").st_size
				""");
		assertThat(result.value().toJava()).as(result.toJson().toJson()).isEqualTo(1L << 30);
		assertThat(reasons(result)).singleElement().asString().contains("larger than they may be together");
		assertThat(names(result)).containsExactly("value");
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void asManyFilesAsThereCanBeAreNotLookedAtOneByOne(String backend) throws Exception {
		RunResult result = run(backend, Limits.defaults().withWallTime(Duration.ofSeconds(60)), """
				import os
				made = 0
				end = 1_000_000
				try:
				    while made < end:
				        os.close(os.open("f%d" % made, os.O_CREAT | os.O_WRONLY, 0o600))
				        made += 1
				except OSError as problem:
				    print(problem)
				made
				""");
		// Ended by the file system, by the memory of its control group or by its CPU
		// time:
		// which one comes first is the host's
		assertThat(result.uncollected()).as(String.valueOf(result.failure())).hasSize(100);
		assertThat(names(result).stream().filter((name) -> name.startsWith("f"))).hasSize(32);
		assertThat(result.notes()).anyMatch((note) -> note.contains("more files of the working folder"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void hardLinksAreEachLeftOutWithTheReason(String backend) throws Exception {
		RunResult result = run(backend, Limits.defaults(), """
				import os
				open("one", "w").write("x")
				for i in range(100):
				    os.link("one", "link%02d" % i)
				""");
		assertThat(result.failure()).as(result.toJson().toJson()).isNull();
		assertThat(names(result)).isEmpty();
		assertThat(reasons(result)).hasSize(100).allMatch((reason) -> reason.contains("names"));
		assertThat(result.notes()).anyMatch((note) -> note.startsWith("1 more files"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void treeOfAThousandLevelsIsFollowedAsFarAsTheLimitAndRemovedWhole(String backend) throws Exception {
		RunResult result = run(backend, Limits.defaults(), """
				import os
				open("top.txt", "w").write("top")
				for level in range(1000):
				    os.mkdir("d")
				    os.chdir("d")
				    if level < 12:
				        open("level.txt", "w").write(str(level))
				    if level == 999:
				        open("deep.txt", "w").write("deep")
				""");
		assertThat(result.failure()).as(result.toJson().toJson()).isNull();
		assertThat(names(result)).hasSize(9).contains("top.txt", "d/level.txt", "d/d/d/d/d/d/d/d/level.txt");
		assertThat(reasons(result)).singleElement().asString().contains("8 folders deep");
	}

	private RunResult run(String backend, Limits limits, String program) throws IOException, BlobFolderException {
		Path blobs = Files.createDirectory(this.folder.resolve("blobs"));
		Path instances = Files.createTempDirectory("psych-leftovers-");
		Files.setPosixFilePermissions(instances, PosixFilePermissions.fromString("rwx--x--x"));
		RunResult result;
		try (Sandbox sandbox = Sandbox.builder()
			.backend(backend)
			.folder(instances)
			.interpreter(Path.of(System.getProperty("psych.python", "/usr/bin/python3")))
			.blobStore(new FileBlobStore(blobs))
			.limits(limits)
			.build()) {
			sandbox.run(RunRequest.of("1"));
			this.heap = heapInUse();
			result = sandbox.run(RunRequest.of(program));
		}
		try (Stream<Path> left = Files.list(instances)) {
			assertThat(left).isEmpty();
		}
		Files.delete(instances);
		try (Stream<Path> kept = Files.walk(blobs)) {
			long bytes = kept.filter(Files::isRegularFile).mapToLong((file) -> file.toFile().length()).sum();
			assertThat(bytes).isLessThan(3L << 20);
		}
		return result;
	}

	private static Limits files(ByteSize all) {
		Limits rest = Limits.defaults();
		return new Limits(rest.cpu(), rest.wallTime(), rest.toolTimeout(), rest.addressSpace(), all, all,
				rest.processes(), rest.stream(), rest.capture(), rest.value(), rest.program(), CallLimits.defaults(),
				ArtifactLimits.defaults());
	}

	private static List<String> names(RunResult result) {
		return result.attachments().stream().map(Attachment::name).toList();
	}

	private static List<String> reasons(RunResult result) {
		return result.uncollected().stream().map(Uncollected::reason).toList();
	}

	private static long heapInUse() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

}
