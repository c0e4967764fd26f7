package io.psych.sandbox.spawn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;

/**
 * What the kernel tells of a file. Equal facts at two times mean that the file was
 * neither written to nor renamed, linked or opened to others in between.
 *
 * @param device the file system it is on
 * @param inode its number there
 * @param mode its kind and permissions
 * @param links how many names it has
 * @param uid its owner
 * @param size its size in bytes, holes included
 * @param modified when its content changed last
 * @param changed when anything of this changed last
 * @since 0.1.0
 */
public record FileFacts(long device, long inode, int mode, int links, int uid, long size, FileTime modified,
		FileTime changed) {

	/** The part of a mode that tells the kind (inode(7)). */
	private static final int KIND = 0170000;

	private static final int REGULAR = 0100000;

	private static final int FOLDER = 0040000;

	private static final Map<Integer, String> KINDS = Map.of(REGULAR, "regular file", FOLDER, "folder", 0120000,
			"symbolic link", 0010000, "named pipe", 0140000, "socket", 0020000, "character device", 0060000,
			"block device");

	/** Of what a handle points at, through {@code /proc/self/fd}. */
	static FileFacts of(Path path) throws IOException {
		Map<String, Object> facts = Files.readAttributes(path,
				"unix:dev,ino,mode,nlink,uid,size,lastModifiedTime,ctime");
		return new FileFacts(number(facts, "dev"), number(facts, "ino"), (int) number(facts, "mode"),
				(int) number(facts, "nlink"), (int) number(facts, "uid"), number(facts, "size"),
				time(facts, "lastModifiedTime"), time(facts, "ctime"));
	}

	private static long number(Map<String, Object> facts, String name) {
		return (facts.get(name) instanceof Number number) ? number.longValue() : 0;
	}

	private static FileTime time(Map<String, Object> facts, String name) {
		return (facts.get(name) instanceof FileTime time) ? time : FileTime.fromMillis(0);
	}

	/**
	 * Return what kind of file it is.
	 * @return the kind in words, such as {@code named pipe}
	 */
	public String kind() {
		return KINDS.getOrDefault(this.mode & KIND, "file of an unknown kind");
	}

	/**
	 * Return whether it is a regular file.
	 * @return whether it is
	 */
	public boolean isRegular() {
		return (this.mode & KIND) == REGULAR;
	}

	/**
	 * Return whether it is a folder.
	 * @return whether it is
	 */
	public boolean isFolder() {
		return (this.mode & KIND) == FOLDER;
	}

}
