package io.psych.sandbox.spawn;

import java.io.Closeable;

/**
 * What a thread can be in of which a process that it starts is a part from its beginning,
 * such as a control group.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Surroundings {

	/**
	 * Let the calling thread, and it alone, be in there. It starts no thread meanwhile.
	 * @return lets it be where it was
	 */
	Closeable enter();

}
