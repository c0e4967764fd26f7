package io.psych.sandbox.backend;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Removing folders that a hostile program has filled. No link is followed and no path of
 * more than one name is resolved: each folder is entered through its parent's handle, so
 * that exchanging one for a link leads nowhere, and depth is not a path's length.
 */
final class Folders {

	private Folders() {
	}

	/**
	 * Remove a folder and all that is in it.
	 * @param folder the folder
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
			deleteFolder(secure, folder.getFileName());
		}
	}

	private static void deleteFolder(SecureDirectoryStream<Path> parent, Path name) throws IOException {
		try (SecureDirectoryStream<Path> folder = open(parent, name)) {
			for (Path entry : folder) {
				Path child = entry.getFileName();
				try {
					folder.deleteFile(child);
				}
				catch (IOException ex) {
					// A folder, by whichever error the file system tells it.
					deleteFolder(folder, child);
				}
			}
		}
		catch (NoSuchFileException ex) {
			return;
		}
		parent.deleteDirectory(name);
	}

	private static SecureDirectoryStream<Path> open(SecureDirectoryStream<Path> parent, Path name) throws IOException {
		try {
			return parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
		}
		catch (AccessDeniedException ex) {
			parent.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
				.setPermissions(PosixFilePermissions.fromString("rwx------"));
			return parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
		}
	}

}
