package io.psych.sandbox.spawn;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The few functions of the C library that Java has no name for.
 */
interface Libc extends Library {

	/** {@code waitpid(2)}: return at once when nothing has ended. */
	int WNOHANG = 1;

	/**
	 * {@code open(2)}: only point at the file, which opens no device and waits for no
	 * pipe.
	 */
	int O_PATH = 010000000;

	/** {@code open(2)}: closed in whatever this process starts. */
	int O_CLOEXEC = 02000000;

	/**
	 * {@code open(2)}: a link is opened itself. These processors have a number of their
	 * own.
	 */
	int O_NOFOLLOW = (Platform.isARM() || Platform.isPPC()) ? 0100000 : 0400000;

	/** {@code openat(2)}: relative to the working folder. */
	int AT_FDCWD = -100;

	/** Loaded at the first use, which costs some hundred milliseconds. */
	Libc INSTANCE = Native.load("c", Libc.class);

	int geteuid();

	int getegid();

	/** Of the calling thread alone; returns the one before, whether it changed or not. */
	int setfsuid(int uid);

	int setfsgid(int gid);

	/** The path ends with a zero byte. */
	int openat(int folder, byte[] path, int flags) throws LastErrorException;

	int close(int descriptor);

	/** The path ends with a zero byte. */
	int mkfifo(byte[] path, int mode) throws LastErrorException;

	int waitpid(int pid, @Nullable Pointer status, int options);

	@Nullable Pointer getpwnam(String name);

	@Nullable Pointer getpwuid(int uid);

}
