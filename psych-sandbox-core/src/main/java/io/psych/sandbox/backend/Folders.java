package io.psych.sandbox.backend;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;

/**
 * Removing folders that a hostile program has filled, once none of its processes is left.
 * No link is followed and no path of more than one name is resolved: folders are entered
 * through their parent's handle. A tree of any depth takes the same few handles and stack
 * frames, since what lies two levels down is lifted to the first.
 */
final class Folders {

	/** Not to be guessed: a program could have made a file of that name. */
	private final String lifted = ".psych-" + UUID.randomUUID() + "-";

	private final Path folder;

	private long count;

	private Folders(Path folder) {
		this.folder = folder;
	}

	/**
	 * Remove a folder and all that is in it.
	 * @param folder the folder; nothing happens when it is not there
	 * @throws IOException if something of it can't be removed
	 */
	static void delete(Path folder) throws IOException {
		Path parent = folder.getParent();
		if (parent == null) {
			throw new IOException("a root is not removed: " + folder);
		}
		try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent)) {
			if (!(stream instanceof SecureDirectoryStream<Path> secure)) {
				throw new IOException("the file system of " + parent + " has no secure folder handles");
			}
			Folders folders = new Folders(folder);
			while (!folders.removed(secure, folder.getFileName())) {
				folders.clear(secure);
			}
		}
	}

	/** Remove what is in the folder, and lift what is in its folders. */
	private void clear(SecureDirectoryStream<Path> parent) throws IOException {
		makeWritable(this.folder);
		try (SecureDirectoryStream<Path> top = parent.newDirectoryStream(this.folder.getFileName(),
				LinkOption.NOFOLLOW_LINKS)) {
			for (Path entry : top) {
				Path name = entry.getFileName();
				if (!removed(top, name)) {
					lift(top, name);
				}
			}
		}
	}

	private void lift(SecureDirectoryStream<Path> top, Path name) throws IOException {
		Path path = this.folder.resolve(name);
		makeWritable(path);
		try (SecureDirectoryStream<Path> inner = top.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
			for (Path entry : inner) {
				Path child = entry.getFileName();
				if (!removed(inner, child)) {
					// Moving a folder writes its entry for the one above.
					makeWritable(path.resolve(child));
					inner.move(child, top, Path.of(this.lifted + this.count++));
				}
			}
		}
	}

	/**
	 * Remove a file or an empty folder.
	 * @return whether there is nothing of that name any more
	 */
	private boolean removed(SecureDirectoryStream<Path> parent, Path name) throws IOException {
		try {
			parent.deleteFile(name);
			return true;
		}
		catch (NoSuchFileException ex) {
			return true;
		}
		catch (FileSystemException ex) {
			// A folder, which some file systems tell by EISDIR and others by EPERM.
			return removedFolder(parent, name);
		}
	}

	private boolean removedFolder(SecureDirectoryStream<Path> parent, Path name) throws IOException {
		try {
			parent.deleteDirectory(name);
			return true;
		}
		catch (DirectoryNotEmptyException ex) {
			return false;
		}
	}

	/** No process is left that could exchange the folder for a link in between. */
	private void makeWritable(Path path) throws IOException {
		BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class,
				LinkOption.NOFOLLOW_LINKS);
		if (!attributes.isDirectory()) {
			throw new NotDirectoryException(path.toString());
		}
		Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
	}

}
