package io.psych.sandbox.blob;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link FileBlobStore}.
 */
class FileBlobStoreTests extends AbstractBlobStoreTests {

	private static final String GROUP = ADDRESS.key().substring(0, 2);

	@TempDir
	private Path temp;

	private Path folder() {
		return this.temp.resolve("services/blobs");
	}

	@Override
	protected FileBlobStore store() throws IOException {
		return new FileBlobStore(folder());
	}

	@Test
	void filesAndFoldersAreForThisUserAlone() throws Exception {
		put(store(), bytes(10));
		assertThat(permissions(this.temp.resolve("services"))).isEqualTo("rwx------");
		assertThat(permissions(folder())).isEqualTo("rwx------");
		assertThat(permissions(folder().resolve(GROUP))).isEqualTo("rwx------");
		assertThat(permissions(file())).isEqualTo("rw-------");
	}

	@Test
	void nothingButTheBlobIsLeft() throws Exception {
		FileBlobStore store = store();
		put(store, bytes(10));
		put(store, bytes(11));
		assertThatIOException().isThrownBy(() -> store.put(ADDRESS, failingAfter(5), 10));
		assertThatIOException().isThrownBy(() -> store.put(ADDRESS, new ByteArrayInputStream(bytes(5)), 10));
		assertThat(files()).containsExactly(file());
	}

	@Test
	void blobIsNotThereBeforeItIsWhole() throws Exception {
		FileBlobStore store = store();
		byte[] content = bytes(100_000);
		store.put(ADDRESS, new ByteArrayInputStream(content) {

			@Override
			public int read(byte[] target, int offset, int length) {
				assertThat(file()).doesNotExist();
				return super.read(target, offset, length);
			}

		}, content.length);
		assertThat(file()).hasBinaryContent(content);
	}

	@Test
	void readerGoesOnWithWhatItOpened() throws Exception {
		FileBlobStore store = store();
		put(store, bytes(100_000));
		try (InputStream open = store.open(ADDRESS)) {
			byte[] begin = open.readNBytes(10);
			put(store, bytes(5));
			store.delete(ADDRESS);
			assertThat(begin).isEqualTo(Arrays.copyOf(bytes(100_000), 10));
			assertThat(open.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes(100_000), 10, 100_000));
		}
	}

	@Test
	void whatADeadWriterLeftIsRemovedAfterAnHour() throws Exception {
		put(store(), bytes(10));
		Path left = Files.write(folder().resolve(GROUP).resolve(ADDRESS.key() + ".dead.part"), bytes(3));
		Path foreign = Files.write(folder().resolve(GROUP).resolve("notes.txt"), bytes(3));
		Instant written = Instant.parse("2026-01-01T00:00:00Z");
		for (Path file : List.of(left, foreign, file())) {
			Files.setLastModifiedTime(file, FileTime.from(written));
		}
		new FileBlobStore(folder(), at(written.plus(FileBlobStore.DEAD_AFTER)));
		assertThat(left).exists();
		assertThat(listed(written.plus(FileBlobStore.DEAD_AFTER).plusNanos(1))).extracting(StoredBlob::address)
			.containsExactly(ADDRESS);
		assertThat(left).doesNotExist();
		assertThat(foreign).exists();
	}

	@Test
	void timeOfABlobIsWhenItWasStored() throws Exception {
		Instant before = Instant.now();
		put(store(), bytes(10));
		// The kernel's clock for files is that of its last tick.
		assertThat(listed().get(0).modified()).isBetween(before.minusMillis(50), Instant.now());
		assertThat(Files.getLastModifiedTime(file()).to(TimeUnit.MILLISECONDS))
			.isEqualTo(listed().get(0).modified().toEpochMilli());
	}

	@Test
	void linkInPlaceOfABlobIsNotFollowed() throws Exception {
		Path secret = Files.write(this.temp.resolve("secret"), bytes(10));
		FileBlobStore store = store();
		put(store, bytes(3));
		Files.delete(file());
		Files.createSymbolicLink(file(), secret);
		assertThatIOException().isThrownBy(() -> store.read(ADDRESS, 0, 10)).withMessageContaining("not a file");
		assertThatIOException().isThrownBy(() -> store.open(ADDRESS)).withMessageContaining("not a file");
		assertThat(listed()).isEmpty();
		put(store, bytes(4));
		assertThat(secret).hasBinaryContent(bytes(10));
		assertThat(store.read(ADDRESS, 0, 10)).isEqualTo(bytes(4));
	}

	@Test
	void linkInPlaceOfAFolderIsNotFollowed() throws Exception {
		FileBlobStore store = store();
		Path elsewhere = Files.createDirectory(this.temp.resolve("elsewhere"));
		Path other = Files.write(elsewhere.resolve(ADDRESS.key()), bytes(10));
		Files.deleteIfExists(folder().resolve(GROUP));
		Files.createSymbolicLink(folder().resolve(GROUP), elsewhere);
		assertThatIOException().isThrownBy(() -> put(store, bytes(3)));
		assertThatIOException().isThrownBy(() -> store.read(ADDRESS, 0, 10));
		assertThatIOException().isThrownBy(() -> store.open(ADDRESS));
		assertThatIOException().isThrownBy(() -> store.delete(ADDRESS));
		assertThat(listed()).isEmpty();
		assertThat(elsewhere.toFile().list()).containsExactly(ADDRESS.key());
		assertThat(other).hasBinaryContent(bytes(10));
	}

	@Test
	void pipeInPlaceOfABlobIsNotWaitedFor() throws Exception {
		FileBlobStore store = store();
		put(store, bytes(3));
		Files.delete(file());
		assertThat(new ProcessBuilder("mkfifo", file().toString()).start().waitFor()).isZero();
		assertThatIOException().isThrownBy(() -> store.read(ADDRESS, 0, 10)).withMessageContaining("not a file");
		assertThatIOException().isThrownBy(() -> store.open(ADDRESS)).withMessageContaining("not a file");
	}

	@Test
	void linkToTheFolderItselfIsTheOperatorsChoice() throws Exception {
		Path link = Files.createSymbolicLink(this.temp.resolve("link"),
				Files.createDirectory(this.temp.resolve("real")));
		put(new FileBlobStore(link), bytes(3));
		assertThat(this.temp.resolve("real").resolve(GROUP).resolve(ADDRESS.key())).hasBinaryContent(bytes(3));
	}

	@Test
	void folderThatIsAFileIsRefused() throws Exception {
		Path file = Files.write(this.temp.resolve("file"), bytes(1));
		assertRefused(file, "which is not a folder", "Set it to a folder.");
		assertRefused(file.resolve("below"), "where no blob can be stored: ",
				"Set it to a folder that this service may write in.");
	}

	@Test
	void folderInWhichEveryUserMayWriteIsRefused() throws Exception {
		Path open = Files.createDirectory(this.temp.resolve("open"));
		Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
		assertRefused(open, "in which every user may write", "chmod o-w");
		Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxr-x"));
		put(new FileBlobStore(open), bytes(1));
	}

	@Test
	void folderThatCanNotBeWrittenInIsRefused() {
		// Not even root may make a folder there.
		assertRefused(Path.of("/proc/self/blobs"), "where no blob can be stored: ",
				"Set it to a folder that this service may write in.");
	}

	private static void assertRefused(Path folder, String problem, String fix) {
		assertThatExceptionOfType(BlobFolderException.class).isThrownBy(() -> new FileBlobStore(folder))
			.satisfies((ex) -> {
				assertThat(ex.problem()).startsWith(problem);
				assertThat(ex.fix()).contains(fix);
			})
			.withMessageContaining(folder.toString());
	}

	private Path file() {
		return folder().resolve(GROUP).resolve(ADDRESS.key());
	}

	private List<Path> files() throws IOException {
		try (Stream<Path> files = Files.walk(folder())) {
			return files.filter(Files::isRegularFile).toList();
		}
	}

	private List<StoredBlob> listed(Instant now) throws IOException {
		List<StoredBlob> blobs = new ArrayList<>();
		new FileBlobStore(folder(), at(now)).list(blobs::add);
		return blobs;
	}

	private static Clock at(Instant instant) {
		return Clock.fixed(instant, ZoneOffset.UTC);
	}

	private static String permissions(Path path) throws IOException {
		return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
	}

	@Test
	void descriptionNamesTheFolder() throws Exception {
		assertThat(store().description()).isEqualTo("file, in " + folder().toRealPath());
	}

}
