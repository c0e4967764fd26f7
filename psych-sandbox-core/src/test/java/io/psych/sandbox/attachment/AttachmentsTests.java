package io.psych.sandbox.attachment;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import io.psych.sandbox.blob.BlobAddress;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.runlog.InMemoryRunLog;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is kept, where, and who can read it back.
 */
class AttachmentsTests {

	private static final Scope ACME = new Scope("acme", "run-1", null);

	private static final int INLINE = (int) Keeper.INLINE.bytes();

	private static final byte[] PREVIEW = "head and tail".getBytes(StandardCharsets.UTF_8);

	private final InMemoryRunLog log = new InMemoryRunLog();

	private final FakeBlobs blobs = new FakeBlobs();

	private final Attachments attachments = new Attachments(this.log, this.blobs);

	private final String execution = UUID.randomUUID().toString().replace("-", "");

	@Test
	void whatIsSmallIsKeptInTheLogAndWhatIsNotInTheBlobStore() throws Exception {
		Keeper keeper = this.attachments.keeper(ACME, this.execution);
		keeper.keepFile("small.bin", "application/octet-stream", content(INLINE), INLINE);
		assertThat(this.blobs.stored).isEmpty();
		keeper.keepFile("large.bin", "application/octet-stream", content(INLINE + 1), INLINE + 1);
		assertThat(this.blobs.stored).hasSize(1);
		assertThat(keeper.lost()).isEmpty();
		for (Attachment kept : keeper.kept()) {
			Content found = this.attachments.find(ACME, kept.handle());
			assertThat(found.attachment()).isEqualTo(kept);
			byte[] expected = content((int) kept.bytes()).readAllBytes();
			assertThat(found.open().readAllBytes()).isEqualTo(expected);
			assertThat(found.read(0, Integer.MAX_VALUE)).isEqualTo(expected);
			assertThat(found.read(kept.bytes() - 2, 100)).hasSize(2);
			assertThat(found.read(kept.bytes(), 100)).isEmpty();
			assertThat(found.read(kept.bytes() + 5, 100)).isEmpty();
			assertThat(found.read(1, 3)).isEqualTo(Arrays.copyOfRange(expected, 1, 4));
		}
	}

	@Test
	void handleLeadsToNothingOutsideOfItsRunAndTenant() throws Exception {
		Keeper keeper = this.attachments.keeper(ACME, this.execution);
		keeper.keepFile("a", "text/plain", content(INLINE + 1), INLINE + 1);
		keeper.keepFile("b", "text/plain", content(1), 1);
		for (Attachment kept : keeper.kept()) {
			String handle = kept.handle();
			assertThat(this.attachments.find(ACME, handle)).isNotNull();
			assertThat(this.attachments.find(new Scope("acme", "run-1", "turn-9"), handle)).isNotNull();
			for (Scope other : List.of(new Scope("other", "run-1", null), new Scope("acme", "run-2", null),
					new Scope(null, "run-1", null), new Scope("acme", null, null), Scope.NONE)) {
				assertThat(this.attachments.find(other, handle)).as(other.toString()).isNull();
			}
			for (String fabricated : List.of("", handle + "0", " " + handle, handle.replace("artifact", "stdout"),
					handle.replace("artifact", "Artifact"), handle.replaceAll("-(\\d)$", "-0$1"),
					handle.substring(0, handle.length() - 1) + "7", "artifact-" + "0".repeat(32) + "-0", "../" + handle,
					handle + "\n")) {
				assertThat(this.attachments.find(ACME, fabricated)).as(fabricated).isNull();
			}
		}
	}

	@Test
	void handleReplayedInAnotherRunOfTheSameNameOfAnotherTenantReadsThatTenantsNothing() throws Exception {
		Keeper acme = this.attachments.keeper(ACME, this.execution);
		acme.keepFile("a", "text/plain", content(INLINE + 1), INLINE + 1);
		Scope other = new Scope("other", "run-1", null);
		Keeper others = this.attachments.keeper(other, UUID.randomUUID().toString().replace("-", ""));
		others.keepFile("a", "text/plain", content(INLINE + 2), INLINE + 2);
		assertThat(this.attachments.find(other, acme.kept().get(0).handle())).isNull();
		assertThat(this.attachments.find(ACME, others.kept().get(0).handle())).isNull();
	}

	@Test
	void executionWithoutARunIsFoundByItsHandleWithinItsTenant() throws Exception {
		Scope nameless = new Scope("acme", null, null);
		Keeper keeper = this.attachments.keeper(nameless, this.execution);
		keeper.keepFile("a", "text/plain", content(1), 1);
		String handle = keeper.kept().get(0).handle();
		assertThat(this.attachments.find(nameless, handle)).isNotNull();
		assertThat(this.attachments.find(Scope.NONE, handle)).isNull();
		assertThat(this.attachments.find(ACME, handle)).isNull();
	}

	@Test
	void withoutABlobStoreOnlyThePreviewOfATextIsKeptAndNothingOfAFile() {
		Attachments none = new Attachments(this.log, null);
		Keeper keeper = none.keeper(ACME, this.execution);
		keeper.keepText(Slot.STDOUT, "text/plain", new byte[INLINE + 1], true, PREVIEW);
		assertThat(keeper.kept()).singleElement().satisfies((kept) -> {
			assertThat(kept.whole()).isFalse();
			assertThat(none.find(ACME, kept.handle()).read(0, 100)).isEqualTo(PREVIEW);
		});
		assertThatExceptionOfType(NotKeptException.class)
			.isThrownBy(() -> keeper.keepFile("a", "text/plain", content(INLINE + 1), INLINE + 1))
			.withMessageContaining("no blob store");
		assertThat(keeper.kept()).hasSize(1);
		assertThat(keeper.lost()).singleElement()
			.asString()
			.startsWith("stdout was not kept whole: it is more than 8 KiB");
	}

	@Test
	void storeThatFailsLosesNothingInSilence() throws Exception {
		this.blobs.broken = true;
		Keeper keeper = this.attachments.keeper(ACME, this.execution);
		keeper.keepText(Slot.STDERR, "text/plain", new byte[INLINE + 1], true, PREVIEW);
		assertThatExceptionOfType(NotKeptException.class)
			.isThrownBy(() -> keeper.keepFile("a", "text/plain", content(INLINE + 1), INLINE + 1));
		// A file that is not kept is told by the exception, and listed as uncollected
		assertThat(keeper.lost()).containsExactly("stderr was not kept whole: it could not be stored");
		assertThat(this.attachments.find(ACME, keeper.kept().get(0).handle()).read(0, 100)).isEqualTo(PREVIEW);
	}

	@Test
	void middleThatWasNeverHeldIsLost() {
		Keeper keeper = this.attachments.keeper(ACME, this.execution);
		keeper.keepText(Slot.STDOUT, "text/plain", new byte[3], false, PREVIEW);
		assertThat(keeper.kept()).singleElement().satisfies((kept) -> assertThat(kept.whole()).isFalse());
		assertThat(keeper.lost()).singleElement().asString().contains("middle is lost");
	}

	@Test
	void fileOfAnotherSizeThanItWasSaidToHaveIsNotKept() {
		Keeper keeper = this.attachments.keeper(ACME, this.execution);
		for (int size : new int[] { 4, 6 }) {
			assertThatExceptionOfType(NotKeptException.class)
				.isThrownBy(() -> keeper.keepFile("a", "text/plain", content(size), 5));
		}
		assertThat(keeper.kept()).isEmpty();
	}

	@Test
	void blobThatIsGoneSaysSo() throws Exception {
		Keeper keeper = this.attachments.keeper(ACME, this.execution);
		keeper.keepFile("a", "text/plain", content(INLINE + 1), INLINE + 1);
		this.blobs.stored.clear();
		Content found = this.attachments.find(ACME, keeper.kept().get(0).handle());
		assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> found.read(0, 1));
	}

	private static InputStream content(int size) {
		byte[] bytes = new byte[size];
		for (int i = 0; i < size; i++) {
			bytes[i] = (byte) (i * 31);
		}
		return new ByteArrayInputStream(bytes);
	}

	/**
	 * Keeps blobs in memory; for what a store does by itself there are its own tests.
	 */
	private static final class FakeBlobs implements BlobStore {

		private final Map<BlobAddress, byte[]> stored = new ConcurrentHashMap<>();

		private boolean broken;

		@Override
		public void put(BlobAddress address, InputStream content, long bytes) throws IOException {
			if (this.broken) {
				throw new IOException("the disk is full");
			}
			byte[] read = content.readAllBytes();
			assertThat(read).hasSize((int) bytes);
			this.stored.put(address, read);
		}

		@Override
		public byte[] read(BlobAddress address, long offset, int most) throws IOException {
			byte[] blob = blob(address);
			return Arrays.copyOfRange(blob, (int) offset, (int) Math.min(blob.length, offset + most));
		}

		@Override
		public InputStream open(BlobAddress address) throws IOException {
			return new ByteArrayInputStream(blob(address));
		}

		@Override
		public void delete(BlobAddress address) {
			this.stored.remove(address);
		}

		private byte[] blob(BlobAddress address) throws IOException {
			byte[] blob = this.stored.get(address);
			if (blob == null) {
				throw new NoSuchFileException(address.key());
			}
			return blob;
		}

	}

}
