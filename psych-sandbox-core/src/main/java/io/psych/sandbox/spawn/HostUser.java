package io.psych.sandbox.spawn;

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
