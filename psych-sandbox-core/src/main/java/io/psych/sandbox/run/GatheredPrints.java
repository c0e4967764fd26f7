package io.psych.sandbox.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;

import io.psych.sandbox.output.Remainder;
import io.psych.sandbox.spawn.FileFacts;
import io.psych.sandbox.spawn.FileHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a program that prints a lot has gathered and not written when it ends, in a file
 * that its process shares with its memory. The child's side is psych_prints.py, whose
 * contract this is the other half of.
 * <p>
 * The program can write to the file whatever it likes, as it can to its stdout. What it
 * can't do is to have another file than one of its own user's touched, more of it read
 * than the size agreed on, or anybody wait for it: it is looked for by a handle, which
 * opens nothing, and read when no process of the program is left.
 */
final class GatheredPrints implements Remainder {

	private static final Logger logger = LoggerFactory.getLogger(GatheredPrints.class);

	static final String NAME = ".psych-prints";

	static final int SIZE = 64 * 1024;

	private static final int HEAD = 16;

	private static final byte UNUSED = (byte) 0xFF;

	/** No child offers a file before it has written as many bytes. */
	private static final long FIRST_LOOK = 1_000;

	private final FileHandle workspace;

	private final int owner;

	/** How many bytes have come when the file is looked for again. */
	private long nextLook = FIRST_LOOK;

	private @Nullable FileHandle file;

	private boolean ended;

	/**
	 * Create a new instance.
	 * @param workspace the program's working folder, beside whose parent's other entries
	 * the file is
	 * @param owner the user of the program's
	 */
	GatheredPrints(FileHandle workspace, int owner) {
		this.workspace = workspace;
		this.owner = owner;
	}

	@Override
	public synchronized void grown(long bytes) {
		if (bytes >= this.nextLook && this.file == null && !this.ended) {
			this.nextLook = 2 * bytes;
			this.file = take();
		}
	}

	/** Point at the file, and let the child know. */
	private @Nullable FileHandle take() {
		FileHandle file = null;
		try (FileHandle parent = this.workspace.child(Path.of(".."))) {
			file = parent.child(Path.of(NAME));
			FileFacts facts = file.facts();
			if (facts.isRegular() && facts.uid() == this.owner && facts.links() == 1 && facts.size() == SIZE) {
				Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("r--------"));
				return file;
			}
			logger.debug("A file of the name {} is not what a child makes: {}", NAME, facts);
		}
		catch (IOException ex) {
			logger.trace("No prints are gathered: {}", ex.toString());
		}
		if (file != null) {
			file.close();
		}
		return null;
	}

	@Override
	public synchronized byte[] rest(long bytes) {
		this.ended = true;
		FileHandle file = this.file;
		this.file = null;
		if (file == null) {
			return new byte[0];
		}
		try (file; InputStream content = file.read()) {
			return rest(content.readNBytes(SIZE), bytes);
		}
		catch (IOException ex) {
			logger.warn("What a program printed at its end can't be read: {}", ex.toString());
			return new byte[0];
		}
	}

	/**
	 * Return what is gathered, without that of it which came through the pipe because the
	 * process was ended amid writing it.
	 */
	static byte[] rest(byte[] content, long bytes) {
		int end = content.length;
		while (end > HEAD && content[end - 1] == UNUSED) {
			end--;
		}
		if (end <= HEAD) {
			return new byte[0];
		}
		ByteBuffer head = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
		boolean writing = head.getLong() != 0;
		long before = head.getLong();
		long come = writing ? Math.max(0, Math.min(bytes - before, end - HEAD)) : 0;
		return Arrays.copyOfRange(content, HEAD + (int) come, end);
	}

}
