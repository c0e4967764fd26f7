package io.psych.sandbox.tool;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Carries what a thread holds beside its arguments (diagnostic context, security context,
 * the observation in progress) from the caller of a sandbox to the threads that make the
 * calls of its program.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ContextPropagation {

	/** Carries the diagnostic context of the log. */
	ContextPropagation MDC_ONLY = () -> {
		Map<String, String> captured = MDC.getCopyOfContextMap();
		return () -> {
			Map<String, String> before = MDC.getCopyOfContextMap();
			set(captured);
			return () -> set(before);
		};
	};

	/**
	 * Take what this thread holds.
	 * @return what was taken
	 */
	Captured capture();

	/**
	 * Carry what this and another one carry.
	 * @param other the other
	 * @return both
	 */
	default ContextPropagation and(ContextPropagation other) {
		return () -> {
			Captured first = capture();
			Captured second = other.capture();
			return () -> {
				Restored outer = first.restore();
				Restored inner = second.restore();
				return () -> {
					inner.close();
					outer.close();
				};
			};
		};
	}

	private static void set(@Nullable Map<String, String> context) {
		if (context != null) {
			MDC.setContextMap(context);
		}
		else {
			MDC.clear();
		}
	}

	/**
	 * What a thread held.
	 */
	@FunctionalInterface
	interface Captured {

		/**
		 * Put it on this thread.
		 * @return what puts back what this thread held before
		 */
		Restored restore();

	}

	/**
	 * What a thread held, on another thread.
	 */
	@FunctionalInterface
	interface Restored extends AutoCloseable {

		@Override
		void close();

	}

}
