package io.psych.sandbox.blob;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Stores each blob in a file of its own, below a folder that hosts may share. Files and
 * folders made here are for this user alone; below the folder no link is followed.
 *
 * @since 0.1.0
 */
public final class FileBlobStore implements ListableBlobStore {

	/**
	 * What a living writer touches with every byte. One that has written none for this
	 * long is taken for dead.
	 */
	static final Duration DEAD_AFTER = Duration.ofHours(1);

	private static final String UNFINISHED = ".part";

	private static final Pattern GROUP = Pattern.compile("[0-9a-f]{2}");

	private static final Pattern KEY = Pattern.compile("[0-9a-f]{64}");

	private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

	private static final Set<OpenOption> WRITE = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);

	private final Path folder;

	private final Clock clock;

	private final boolean posix;

	/**
	 * Create a new store.
	 * @param folder the folder, made if it is not there
	 * @throws BlobFolderException if it can't be used
	 */
	public FileBlobStore(Path folder) throws BlobFolderException {
		this(folder, Clock.systemUTC());
	}

	FileBlobStore(Path folder, Clock clock) throws BlobFolderException {
		this.clock = clock;
		this.posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
		this.folder = usable(folder);
		tryOut();
	}

	private Path usable(Path folder) throws BlobFolderException {
		try {
			if (!Files.exists(folder)) {
				Files.createDirectories(folder, forThisUser("rwx------"));
			}
			Path real = folder.toRealPath();
			if (!Files.isDirectory(real)) {
				throw new BlobFolderException(folder, "which is not a folder", "Set it to a folder.", null);
			}
			if (this.posix && Files.getPosixFilePermissions(real).contains(PosixFilePermission.OTHERS_WRITE)) {
				throw new BlobFolderException(folder, "in which every user may write",
						"Set it to a folder of this service alone, or take that right away (chmod o-w).", null);
			}
			return real;
		}
		catch (BlobFolderException ex) {
			throw ex;
		}
		catch (IOException ex) {
			throw unusable(folder, ex);
		}
	}

	private void tryOut() throws BlobFolderException {
		BlobAddress trial = BlobAddress.of("", "", "trial " + UUID.randomUUID());
		try {
			put(trial, InputStream.nullInputStream(), 0);
			delete(trial);
			list((blob) -> {
			});
		}
		catch (IOException ex) {
			throw unusable(this.folder, ex);
		}
	}

	private static BlobFolderException unusable(Path folder, IOException ex) {
		return new BlobFolderException(folder, "where no blob can be stored: " + ex,
				"Set it to a folder that this service may write in.", ex);
	}

	@Override
	public void put(BlobAddress address, InputStream content, long bytes) throws IOException {
		Path group = makeGroup(address);
		Path unfinished = group.resolve(address.key() + "." + UUID.randomUUID() + UNFINISHED);
		SizedContent sized = new SizedContent(content, bytes);
		try {
			try (FileChannel channel = FileChannel.open(unfinished, WRITE, forThisUser("rw-------"))) {
				sized.transferTo(Channels.newOutputStream(channel));
				// Or a name could outlive a crash of the host that its bytes do not.
				channel.force(true);
			}
			Files.move(unfinished, group.resolve(address.key()), StandardCopyOption.ATOMIC_MOVE);
		}
		finally {
			Files.deleteIfExists(unfinished);
		}
		if (this.posix) {
			try (FileChannel names = FileChannel.open(group)) {
				names.force(true);
			}
		}
	}

	@Override
	public byte[] read(BlobAddress address, long offset, int most) throws IOException {
		if (offset < 0 || most < 0) {
			throw new IllegalArgumentException(
					"offset and most must not be negative but were " + offset + " and " + most);
		}
		try (FileChannel channel = FileChannel.open(existing(address), READ)) {
			ByteBuffer part = ByteBuffer.allocate((int) Math.min(most, Math.max(0, channel.size() - offset)));
			while (part.hasRemaining() && channel.read(part, offset + part.position()) >= 0) {
				// Reads on.
			}
			return Arrays.copyOf(part.array(), part.position());
		}
		catch (NoSuchFileException ex) {
			throw missing(address);
		}
	}

	@Override
	public InputStream open(BlobAddress address) throws IOException {
		try {
			return Files.newInputStream(existing(address), READ.toArray(OpenOption[]::new));
		}
		catch (NoSuchFileException ex) {
			throw missing(address);
		}
	}

	@Override
	public void delete(BlobAddress address) throws IOException {
		Path group = group(address);
		if (Files.exists(group, LinkOption.NOFOLLOW_LINKS)) {
			checkFolder(group);
			Files.deleteIfExists(group.resolve(address.key()));
		}
	}

	@Override
	public void list(Consumer<StoredBlob> consumer) throws IOException {
		try (DirectoryStream<Path> groups = Files.newDirectoryStream(this.folder)) {
			for (Path group : groups) {
				if (GROUP.matcher(name(group)).matches() && Files.isDirectory(group, LinkOption.NOFOLLOW_LINKS)) {
					listGroup(group, consumer);
				}
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
	}

	private void listGroup(Path group, Consumer<StoredBlob> consumer) throws IOException {
		Instant dead = this.clock.instant().minus(DEAD_AFTER);
		try (DirectoryStream<Path> files = Files.newDirectoryStream(group)) {
			for (Path file : files) {
				BasicFileAttributes attributes = attributes(file);
				if (attributes == null || !attributes.isRegularFile()) {
					continue;
				}
				Instant modified = attributes.lastModifiedTime().toInstant();
				if (KEY.matcher(name(file)).matches()) {
					consumer.accept(new StoredBlob(new BlobAddress(name(file)), attributes.size(), modified));
				}
				else if (name(file).endsWith(UNFINISHED) && modified.isBefore(dead)) {
					Files.deleteIfExists(file);
				}
			}
		}
	}

	/**
	 * Return the folder with the blobs whose keys begin alike. There are 256, which are
	 * never removed, so that no writer loses the one it is about to write in.
	 */
	private Path group(BlobAddress address) {
		return this.folder.resolve(address.key().substring(0, 2));
	}

	private Path makeGroup(BlobAddress address) throws IOException {
		Path group = group(address);
		try {
			Files.createDirectory(group, forThisUser("rwx------"));
		}
		catch (FileAlreadyExistsException ex) {
			checkFolder(group);
		}
		return group;
	}

	private static void checkFolder(Path group) throws IOException {
		if (!Files.isDirectory(group, LinkOption.NOFOLLOW_LINKS)) {
			throw new NotDirectoryException(group.toString());
		}
	}

	private Path existing(BlobAddress address) throws IOException {
		Path group = group(address);
		Path file = group.resolve(address.key());
		BasicFileAttributes attributes = attributes(file);
		if (attributes == null) {
			throw missing(address);
		}
		checkFolder(group);
		// Opening a pipe would wait for whoever writes into it.
		if (!attributes.isRegularFile()) {
			throw new IOException("not a file: " + file);
		}
		return file;
	}

	private static @Nullable BasicFileAttributes attributes(Path file) throws IOException {
		try {
			return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
		}
		catch (NoSuchFileException ex) {
			return null;
		}
	}

	private static NoSuchFileException missing(BlobAddress address) {
		return new NoSuchFileException(address.key());
	}

	private static String name(Path path) {
		return String.valueOf(path.getFileName());
	}

	private FileAttribute<?>[] forThisUser(String permissions) {
		return this.posix
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)) }
				: new FileAttribute<?>[0];
	}

	@Override
	public String description() {
		return "file, in " + this.folder;
	}

}
