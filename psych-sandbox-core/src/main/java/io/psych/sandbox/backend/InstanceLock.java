package io.psych.sandbox.backend;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock by which an instance's folder is told from that of a dead one. The kernel
 * releases it when the JVM ends, however it ends; a process id would say nothing to an
 * instance in another pid namespace that shares the folder above.
 */
final class InstanceLock implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(InstanceLock.class);

	private static final String NAME = "lock";

	/** How often a folder is made anew that others took for a leftover meanwhile. */
	private static final int ATTEMPTS = 20;

	/**
	 * The folders this JVM has locked. Their lock files must not be opened again: closing
	 * any descriptor of a file gives up the process's locks on it (fcntl_locking(2)).
	 */
	private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

	private final Path folder;

	private final FileChannel channel;

	private InstanceLock(Path folder, FileChannel channel) {
		this.folder = folder;
		this.channel = channel;
	}

	/**
	 * Make a folder that is locked from the moment it can be seen under its name.
	 */
	static InstanceLock makeFolder(Path folder) throws IOException {
		InstanceLock lock = null;
		OWN.add(folder);
		try {
			for (int attempt = 0; attempt < ATTEMPTS && lock == null; attempt++) {
				Path made = folder.resolveSibling("." + folder.getFileName() + "-" + attempt);
				OWN.add(made);
				try {
					Files.createDirectory(made);
					lock = finish(made, folder);
				}
				finally {
					OWN.remove(made);
				}
			}
		}
		finally {
			if (lock == null) {
				OWN.remove(folder);
			}
		}
		if (lock == null) {
			throw new IOException(folder + " is removed by others as often as it is made");
		}
		return lock;
	}

	/**
	 * Lock a folder and give it its name.
	 * @return the lock, or {@code null} when a JVM that looked for leftovers was first
	 */
	static @Nullable InstanceLock finish(Path made, Path folder) throws IOException {
		FileChannel channel;
		try {
			channel = FileChannel.open(made.resolve(NAME), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
		}
		catch (NoSuchFileException ex) {
			return null;
		}
		try {
			if (channel.tryLock() != null) {
				Files.move(made, folder, StandardCopyOption.ATOMIC_MOVE);
				return new InstanceLock(folder, channel);
			}
		}
		catch (NoSuchFileException ex) {
			logger.debug("{} was removed before it had its name", made);
		}
		channel.close();
		return null;
	}

	/**
	 * Remove the folders of this user's dead instances, those that were never finished as
	 * well.
	 * @param parent where the folders of instances are made
	 * @param prefix what their names begin with
	 */
	static void sweep(Path parent, String prefix) {
		try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, "{,.}" + prefix + "*")) {
			for (Path folder : folders) {
				if (!OWN.contains(folder) && isOurs(folder)) {
					removeIfDead(folder);
				}
			}
		}
		catch (IOException ex) {
			logger.warn("Leftovers in {} can't be looked for: {}", parent, ex.toString());
		}
	}

	private static boolean isOurs(Path folder) throws IOException {
		Path own = Path.of("/proc/self");
		return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
				&& Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS)
					.equals(Files.getAttribute(own, "unix:uid"));
	}

	private static void removeIfDead(Path folder) {
		try (FileChannel channel = FileChannel.open(folder.resolve(NAME), StandardOpenOption.WRITE,
				LinkOption.NOFOLLOW_LINKS)) {
			if (channel.tryLock() != null) {
				Folders.delete(folder);
				logger.info("Removed {}, left behind by an instance that has ended", folder);
			}
		}
		catch (OverlappingFileLockException ex) {
			logger.debug("{} belongs to another copy of this library in this JVM", folder);
		}
		catch (NoSuchFileException ex) {
			removeIfUnfinished(folder);
		}
		catch (IOException ex) {
			logger.debug("{} is left alone: {}", folder, ex.toString());
		}
	}

	/**
	 * Without a lock file it has only just been made, by a JVM that makes another one
	 * when it is gone, or is being removed at this moment, or is not ours.
	 */
	private static void removeIfUnfinished(Path folder) {
		if (folder.getFileName().toString().startsWith(".")) {
			try {
				// Only an empty one can be.
				Files.deleteIfExists(folder);
			}
			catch (IOException ex) {
				logger.debug("{} is left alone: {}", folder, ex.toString());
			}
		}
	}

	@Override
	public void close() throws IOException {
		this.channel.close();
		OWN.remove(this.folder);
	}

}
