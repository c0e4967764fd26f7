package io.psych.sandbox.spawn;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The few functions of the C library that Java has no name for.
 */
interface Libc extends Library {

	/** {@code waitpid(2)}: return at once when nothing has ended. */
	int WNOHANG = 1;

	/** Loaded at the first use, which costs some hundred milliseconds. */
	Libc INSTANCE = Native.load("c", Libc.class);

	int geteuid();

	int getegid();

	int waitpid(int pid, @Nullable Pointer status, int options);

	@Nullable Pointer getpwnam(String name);

	@Nullable Pointer getpwuid(int uid);

}
