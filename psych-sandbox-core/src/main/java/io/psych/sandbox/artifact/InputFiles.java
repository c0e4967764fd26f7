package io.psych.sandbox.artifact;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.psych.sandbox.contract.InputFile;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.FileFacts;
import io.psych.sandbox.spawn.FileHandle;
import io.psych.sandbox.spawn.HostUser;
import io.psych.sandbox.spawn.RawName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that lie in a workspace before its program begins. Nobody may write to them; the
 * folder is the program's, so it can still remove one and make another of its name.
 *
 * @since 0.1.0
 */
public final class InputFiles {

	private static final Logger logger = LoggerFactory.getLogger(InputFiles.class);

	/** What file systems allow (NAME_MAX). */
	private static final int MOST_BYTES_OF_NAME = 255;

	private static final FileAttribute<?> WHILE_WRITTEN = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

	private InputFiles() {
	}

	/**
	 * Check the names of files, and that all of them together fit.
	 * @param files the files
	 * @param limits the limits of their execution
	 * @throws IllegalArgumentException if a name is none, there twice, or they do not fit
	 */
	public static void check(Collection<? extends InputFile> files, Limits limits) {
		Set<String> names = new HashSet<>();
		long bytes = 0;
		for (InputFile file : files) {
			checkName(file.name());
			if (!names.add(file.name())) {
				throw new IllegalArgumentException("inputs: there are two files named '" + file.name() + "'");
			}
			if (file instanceof InputFile.Bytes content) {
				bytes += content.content().length;
			}
		}
		if (bytes > limits.workspace().bytes()) {
			throw new IllegalArgumentException("inputs: all files together are " + ByteSize.ofBytes(bytes)
					+ ", but the workspace holds " + limits.workspace());
		}
	}

	private static void checkName(String name) {
		if (name.startsWith(".") || !FileNames.sane(name).equals(name)
				|| name.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES_OF_NAME) {
			throw new IllegalArgumentException("inputs: a name must be one of a file that is not hidden, such as"
					+ " data.csv, without a slash or a character that nobody sees, but was '" + FileNames.sane(name)
					+ "'");
		}
	}

	/**
	 * Write files into a workspace whose program has not begun.
	 * @param workspace the workspace
	 * @param files the files, which were checked
	 * @return how they are left, by which one that nobody touched is told later
	 * @throws IOException if one is there already, or can't be written
	 */
	public static Set<FileFacts> place(FileHandle workspace, List<InputFile.Bytes> files) throws IOException {
		if (files.isEmpty()) {
			return Set.of();
		}
		HostUser current = HostUser.current();
		int uid = workspace.facts().uid();
		if (!current.isRoot() || uid == current.uid()) {
			write(workspace, files);
		}
		else {
			// A file system that was mounted in a user namespace has no files of users
			// that are not in it.
			new HostUser(Integer.toString(uid), uid, (int) Files.getAttribute(workspace.path(), "unix:gid"))
				.withFiles(() -> write(workspace, files));
		}
		Set<FileFacts> placed = new HashSet<>();
		for (InputFile.Bytes file : files) {
			Path name = RawName.path(file.name());
			Path path = workspace.path().resolve(name);
			if (current.isRoot()) {
				keepFrom(path);
			}
			Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r--r--r--"));
			try (FileHandle handle = workspace.child(name)) {
				placed.add(handle.facts());
			}
		}
		return placed;
	}

	private static void write(FileHandle workspace, List<InputFile.Bytes> files) throws IOException {
		Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
		for (InputFile.Bytes file : files) {
			Path path = workspace.path().resolve(RawName.path(file.name()));
			try (WritableByteChannel channel = Files.newByteChannel(path, options, WHILE_WRITTEN)) {
				ByteBuffer content = ByteBuffer.wrap(file.content());
				while (content.hasRemaining()) {
					channel.write(content);
				}
			}
		}
	}

	/** Make a file root's, so that the program can't open it to itself. */
	private static void keepFrom(Path path) {
		try {
			Files.setAttribute(path, "unix:gid", HostUser.ROOT, LinkOption.NOFOLLOW_LINKS);
			Files.setAttribute(path, "unix:uid", HostUser.ROOT, LinkOption.NOFOLLOW_LINKS);
		}
		catch (IOException ex) {
			logger.debug("{} stays its owner's: {}", path, ex.toString());
		}
	}

}
