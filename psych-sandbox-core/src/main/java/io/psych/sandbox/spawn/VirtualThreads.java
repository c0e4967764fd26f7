package io.psych.sandbox.spawn;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * Tells virtual threads, which this library is not compiled against, from others: one
 * that waits in native code keeps its carrier from all others.
 */
final class VirtualThreads {

	private static final @Nullable Method IS_VIRTUAL = find();

	private VirtualThreads() {
	}

	private static @Nullable Method find() {
		try {
			// Java 21 and newer.
			return Thread.class.getMethod("isVirtual");
		}
		catch (NoSuchMethodException ex) {
			return null;
		}
	}

	/**
	 * Return whether the caller runs on one.
	 */
	static boolean isCurrent() {
		Method isVirtual = IS_VIRTUAL;
		try {
			return isVirtual != null && Boolean.TRUE.equals(isVirtual.invoke(Thread.currentThread()));
		}
		catch (IllegalAccessException | InvocationTargetException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
