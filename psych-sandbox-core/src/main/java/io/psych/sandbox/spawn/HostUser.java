package io.psych.sandbox.spawn;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * A user of this host.
 *
 * @param name the name, or the number as text for a user that has none
 * @param uid the user id
 * @param gid the id of its group
 * @since 0.1.0
 */
public record HostUser(String name, int uid, int gid) {

	/** Root's id. */
	public static final int ROOT = 0;

	/** No id; asks for the one that holds (setfsuid(2)). */
	private static final int UNCHANGED = -1;

	/**
	 * Return the user this JVM runs as.
	 * @return the effective user
	 */
	public static HostUser current() {
		int uid = Libc.INSTANCE.geteuid();
		Pointer entry = Libc.INSTANCE.getpwuid(uid);
		return new HostUser((entry != null) ? name(entry) : Integer.toString(uid), uid, Libc.INSTANCE.getegid());
	}

	/**
	 * Look a user up.
	 * @param nameOrId a name, or a number
	 * @return the user, or {@code null} when there is none of that name
	 */
	public static @Nullable HostUser find(String nameOrId) {
		if (nameOrId.matches("\\d{1,9}")) {
			int uid = Integer.parseInt(nameOrId);
			Pointer entry = Libc.INSTANCE.getpwuid(uid);
			return (entry != null) ? of(entry) : new HostUser(nameOrId, uid, uid);
		}
		Pointer entry = Libc.INSTANCE.getpwnam(nameOrId);
		return (entry != null) ? of(entry) : null;
	}

	/**
	 * Return whether this is root.
	 * @return whether it is
	 */
	public boolean isRoot() {
		return this.uid == ROOT;
	}

	/**
	 * Do something with files as this user. The kernel checks the access of each thread
	 * by an id of its own (setfsuid(2)), so it is done on a thread that ends with it.
	 * @param action what to do
	 * @throws IOException if it fails, or this JVM may not act as the user
	 */
	public void withFiles(FileAction action) throws IOException {
		FutureTask<Void> task = new FutureTask<>(() -> {
			Libc.INSTANCE.setfsgid(this.gid);
			Libc.INSTANCE.setfsuid(this.uid);
			if (Libc.INSTANCE.setfsgid(UNCHANGED) != this.gid || Libc.INSTANCE.setfsuid(UNCHANGED) != this.uid) {
				throw new IOException("files can't be used as " + this.name);
			}
			action.run();
			return null;
		});
		Thread thread = new Thread(task, "psych-sandbox-files-of-" + this.name);
		thread.setDaemon(true);
		thread.start();
		boolean interrupted = false;
		try {
			while (true) {
				try {
					task.get();
					return;
				}
				catch (InterruptedException ex) {
					// Nobody else may go on before the files are what they are to be.
					interrupted = true;
				}
			}
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof IOException cause) {
				throw cause;
			}
			throw new IllegalStateException(ex.getCause());
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Something that is done with files.
	 */
	@FunctionalInterface
	public interface FileAction {

		/**
		 * Do it.
		 * @throws IOException if it fails
		 */
		void run() throws IOException;

	}

	// struct passwd begins with two pointers (name, password), then uid and gid, in glibc
	// and musl.
	private static HostUser of(Pointer entry) {
		long ids = 2L * Native.POINTER_SIZE;
		return new HostUser(name(entry), entry.getInt(ids), entry.getInt(ids + Integer.BYTES));
	}

	private static String name(Pointer entry) {
		return entry.getPointer(0).getString(0);
	}

}
