package io.psych.sandbox.spawn;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * What of the C library starts processes. Bound directly, which costs a tenth of what
 * {@link Libc} does for each call. To initialise this class fails where one function is
 * missing, as in musl and in glibc before 2.34.
 */
final class SpawnLibc {

	/** More than a {@code posix_spawn_file_actions_t} takes on any architecture. */
	static final int FILE_ACTIONS = 512;

	/** More than a {@code posix_spawnattr_t} takes. */
	static final int ATTRIBUTES = 1024;

	/** A {@code sigset_t}. */
	static final int SIGNALS = 128;

	/** {@code POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK} (spawn.h). */
	static final short SET_SIGNALS = 0x04 | 0x08;

	/** {@code open(2)}, {@code pipe2(2)}, {@code socket(2)}. */
	static final int O_CLOEXEC = Libc.O_CLOEXEC;

	/** {@code fcntl(2)}: a copy of a descriptor, of at least a number. */
	static final int F_DUPFD_CLOEXEC = 1030;

	/** {@code prctl(2)}. */
	static final int PR_GET_DUMPABLE = 3;

	/** {@code prctl(2)}. */
	static final int PR_SET_DUMPABLE = 4;

	/** {@code errno} of a call that was interrupted by a signal. */
	static final int EINTR = 4;

	static {
		Native.register(SpawnLibc.class, "c");
	}

	private SpawnLibc() {
	}

	static native int posix_spawn(int[] pid, byte[] path, Pointer actions, Pointer attributes, Pointer arguments,
			Pointer environment);

	static native int posix_spawn_file_actions_init(Pointer actions);

	static native int posix_spawn_file_actions_destroy(Pointer actions);

	static native int posix_spawn_file_actions_addopen(Pointer actions, int descriptor, byte[] path, int flags,
			int mode);

	static native int posix_spawn_file_actions_adddup2(Pointer actions, int descriptor, int target);

	static native int posix_spawn_file_actions_addchdir_np(Pointer actions, byte[] path);

	static native int posix_spawn_file_actions_addclosefrom_np(Pointer actions, int least);

	static native int posix_spawnattr_init(Pointer attributes);

	static native int posix_spawnattr_setflags(Pointer attributes, short flags);

	static native int posix_spawnattr_setsigmask(Pointer attributes, Pointer signals);

	static native int posix_spawnattr_setsigdefault(Pointer attributes, Pointer signals);

	static native int pipe2(int[] ends, int flags);

	static native int socket(int family, int type, int protocol);

	static native int connect(int socket, byte[] address, int length);

	static native long write(int descriptor, byte[] bytes, long count);

	static native int fcntl(int descriptor, int command, int argument);

	static native int close(int descriptor);

	static native int waitpid(int pid, int[] status, int options);

	static native int mknod(byte[] path, int mode, long device);

	static native int getgroups(int count, int @Nullable [] groups);

	/** Of the calling thread alone, where the function of the name is of all threads. */
	static native long syscall(long number, long first, long second, long third);

	static native Pointer strerror(int number);

	/** Return what an {@code errno} means. */
	static String meaning(int number) {
		return strerror(number).getString(0);
	}

}
