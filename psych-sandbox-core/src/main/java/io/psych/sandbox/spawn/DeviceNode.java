package io.psych.sandbox.spawn;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import com.sun.jna.Native;

/**
 * Makes device nodes, of which Java would copy the content.
 *
 * @since 0.1.0
 */
public final class DeviceNode {

	private DeviceNode() {
	}

	/**
	 * Make a node of the same device, for everybody to read and write.
	 * @param node where, an absolute path at which there is nothing yet
	 * @param like a node of the device
	 * @throws IOException if it can't be made: root alone can, and not everywhere
	 */
	public static void make(Path node, Path like) throws IOException {
		if (!new Spawner().isNative()) {
			throw new FileSystemException(node.toString(), null, "the C library has no function to make it");
		}
		byte[] name = RawName.bytes(node);
		byte[] path = new byte[name.length + 2];
		path[0] = '/';
		System.arraycopy(name, 0, path, 1, name.length);
		int mode = (int) Files.getAttribute(like, "unix:mode", LinkOption.NOFOLLOW_LINKS);
		long device = (long) Files.getAttribute(like, "unix:rdev", LinkOption.NOFOLLOW_LINKS);
		if (SpawnLibc.mknod(path, mode, device) != 0) {
			throw new FileSystemException(node.toString(), null, SpawnLibc.meaning(Native.getLastError()));
		}
		Files.setPosixFilePermissions(node, PosixFilePermissions.fromString("rw-rw-rw-"));
	}

}
