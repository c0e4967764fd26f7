package io.psych.sandbox.spawn;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;

/**
 * Holds the mounts that a process sees beyond the end of the last process that sees them.
 * The kernel takes them apart when this is closed. Otherwise it does so within the end of
 * that process, where it waits for every processor of the host
 * ({@code synchronize_rcu_expedited} in {@code namespace_unlock} of Linux 6.18): up to
 * some milliseconds on a busy one.
 *
 * @since 0.1.0
 */
public final class MountNamespace implements Closeable {

	private final FileInputStream descriptor;

	private MountNamespace(FileInputStream descriptor) {
		this.descriptor = descriptor;
	}

	/**
	 * Hold the mounts of a process (namespaces(7)).
	 * @param pid the number of the process
	 * @return the mounts, to be closed
	 * @throws IOException if there is no such process, or this one may not look into it
	 */
	public static MountNamespace of(long pid) throws IOException {
		return new MountNamespace(new FileInputStream("/proc/" + pid + "/ns/mnt"));
	}

	@Override
	public void close() throws IOException {
		this.descriptor.close();
	}

}
