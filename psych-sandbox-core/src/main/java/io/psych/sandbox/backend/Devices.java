package io.psych.sandbox.backend;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.spawn.DeviceNode;

/**
 * What programs find in {@code /dev} where a launcher makes their view: what never blocks
 * and never ends, and no terminal, of which a kernel has only so many for all.
 *
 * @since 0.1.0
 */
public final class Devices {

	/** The devices, in the order they are shown. */
	public static final List<Path> ALL = List.of(Path.of("/dev/null"), Path.of("/dev/zero"), Path.of("/dev/full"),
			Path.of("/dev/random"), Path.of("/dev/urandom"));

	/** Links that programs expect there, with what they lead to. */
	public static final Map<String, String> LINKS = Map.of("fd", "/proc/self/fd", "stdin", "/proc/self/fd/0", "stdout",
			"/proc/self/fd/1", "stderr", "/proc/self/fd/2");

	private Devices() {
	}

	/**
	 * Make a folder of copies, which can be shown as a whole: to show each device by
	 * itself takes longer than all else of a view. Root alone can make devices, and only
	 * in file systems that are mounted for them.
	 * @param folder a folder that is not there yet
	 * @return whether the devices work; otherwise there is no folder
	 * @throws IOException if the folder can't be made or removed
	 */
	static boolean copyTo(Path folder) throws IOException {
		Files.createDirectory(folder);
		try {
			for (Path device : ALL) {
				DeviceNode.make(folder.resolve(device.getFileName()), device);
			}
			for (Map.Entry<String, String> link : LINKS.entrySet()) {
				Files.createSymbolicLink(folder.resolve(link.getKey()), Path.of(link.getValue()));
			}
			Files.createDirectory(folder.resolve("shm"));
			Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
			if (isWorking(folder)) {
				return true;
			}
		}
		catch (IOException ex) {
			// Not root, or not root enough.
		}
		Folders.delete(folder);
		return false;
	}

	private static boolean isWorking(Path folder) throws IOException {
		try (InputStream zero = Files.newInputStream(folder.resolve("zero"));
				OutputStream none = Files.newOutputStream(folder.resolve("null"))) {
			none.write(1);
			return zero.read() == 0;
		}
	}

}
