package io.psych.sandbox.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Set;

import io.psych.sandbox.spawn.FileHandle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GatheredPrints}.
 */
class GatheredPrintsTests {

	private static final long ENOUGH = 1_000;

	@TempDir
	private Path folder;

	private Path work;

	private Path file;

	private int uid;

	@BeforeEach
	void makeFolder() throws IOException {
		this.work = Files.createDirectory(this.folder.resolve("work"));
		this.file = this.folder.resolve(GatheredPrints.NAME);
		this.uid = (int) Files.getAttribute(this.folder, "unix:uid");
	}

	@Test
	void fileOfAChildIsTakenAndReadWhateverBecomesOfItsName() throws IOException {
		Files.write(this.file, content(0, 0, "printed\n"));
		try (FileHandle workspace = FileHandle.ofFolder(this.work)) {
			GatheredPrints prints = new GatheredPrints(workspace, this.uid);
			prints.grown(ENOUGH - 1);
			assertThat(Files.getPosixFilePermissions(this.file)).contains(PosixFilePermission.OWNER_WRITE);
			prints.grown(ENOUGH);
			assertThat(Files.getPosixFilePermissions(this.file)).isEqualTo(Set.of(PosixFilePermission.OWNER_READ));
			Files.delete(this.file);
			Files.writeString(this.file, "another");
			assertThat(prints.rest(ENOUGH)).asString(StandardCharsets.UTF_8).isEqualTo("printed\n");
			assertThat(prints.rest(ENOUGH)).isEmpty();
		}
	}

	@Test
	void fileIsLookedForAgainWhenTwiceAsMuchHasCome() throws IOException {
		try (FileHandle workspace = FileHandle.ofFolder(this.work)) {
			GatheredPrints prints = new GatheredPrints(workspace, this.uid);
			prints.grown(ENOUGH);
			Files.write(this.file, content(0, 0, "printed\n"));
			prints.grown(2 * ENOUGH - 1);
			assertThat(prints.rest(2 * ENOUGH)).isEmpty();
			prints.grown(4 * ENOUGH);
			assertThat(Files.getPosixFilePermissions(this.file)).contains(PosixFilePermission.OWNER_WRITE);
		}
	}

	@Test
	void whatIsNoFileOfAChildIsNotTouched() throws IOException {
		byte[] content = content(0, 0, "secret");
		Path elsewhere = Files.write(this.folder.resolve("elsewhere"), content);
		assertNotTaken(this.uid);
		Files.createLink(this.file, elsewhere);
		assertNotTaken(this.uid);
		Files.delete(this.file);
		Files.createSymbolicLink(this.file, elsewhere);
		assertNotTaken(this.uid);
		Files.delete(this.file);
		Files.createDirectory(this.file);
		assertNotTaken(this.uid);
		Files.delete(this.file);
		Files.write(this.file, Arrays.copyOf(content, content.length + 1));
		assertNotTaken(this.uid);
		Files.write(this.file, content);
		assertNotTaken(this.uid + 1);
		assertThat(Files.getPosixFilePermissions(elsewhere)).contains(PosixFilePermission.OWNER_WRITE);
	}

	private void assertNotTaken(int owner) throws IOException {
		try (FileHandle workspace = FileHandle.ofFolder(this.work)) {
			GatheredPrints prints = new GatheredPrints(workspace, owner);
			prints.grown(ENOUGH);
			assertThat(prints.rest(ENOUGH)).isEmpty();
		}
		if (Files.isRegularFile(this.file)) {
			assertThat(Files.getPosixFilePermissions(this.file)).contains(PosixFilePermission.OWNER_WRITE);
		}
	}

	@Test
	void allOfItFollowsWhereNoneWasBeingWritten() {
		assertThat(rest(content(0, 5_000, "printed"), 7)).isEqualTo("printed");
		assertThat(rest(content(0, 0, ""), 7)).isEmpty();
	}

	@Test
	void ofWhatWasBeingWrittenThatFollowsWhichHasNotCome() {
		byte[] content = content(1, 100, "printed");
		assertThat(rest(content, 100)).isEqualTo("printed");
		assertThat(rest(content, 103)).isEqualTo("nted");
		assertThat(rest(content, 107)).isEmpty();
	}

	@Test
	void whateverItsHeadSaysNoMoreFollowsThanThereIs() {
		for (long before : new long[] { Long.MIN_VALUE, -1, Long.MAX_VALUE }) {
			for (long come : new long[] { 0, 7, Long.MAX_VALUE }) {
				assertThat("printed").endsWith(rest(content(-1, before, "printed"), come));
			}
		}
		for (int length : new int[] { 0, 1, 15, 16 }) {
			assertThat(GatheredPrints.rest(new byte[length], 0)).isEmpty();
		}
	}

	private static String rest(byte[] content, long come) {
		return new String(GatheredPrints.rest(content, come), StandardCharsets.UTF_8);
	}

	private static byte[] content(long writing, long before, String text) {
		byte[] content = new byte[GatheredPrints.SIZE];
		Arrays.fill(content, (byte) 0xFF);
		ByteBuffer.wrap(content)
			.order(ByteOrder.LITTLE_ENDIAN)
			.putLong(writing)
			.putLong(before)
			.put(text.getBytes(StandardCharsets.UTF_8));
		return content;
	}

}
