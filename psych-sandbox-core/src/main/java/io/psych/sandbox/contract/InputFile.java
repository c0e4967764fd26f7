package io.psych.sandbox.contract;

import java.util.Arrays;
import java.util.Objects;

/**
 * A file that lies in the workspace, read-only, before the program begins.
 *
 * @since 0.1.0
 */
public sealed interface InputFile {

	/**
	 * Return its name.
	 * @return a name without a slash; it lies directly in the workspace
	 */
	String name();

	/**
	 * A file given by its content.
	 *
	 * @param name its name
	 * @param content its content; not copied, not to be changed any more
	 */
	record Bytes(String name, byte[] content) implements InputFile {

		public Bytes {
			Objects.requireNonNull(content, "content must not be null");
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Bytes bytes && this.name.equals(bytes.name)
					&& Arrays.equals(this.content, bytes.content);
		}

		@Override
		public int hashCode() {
			return 31 * this.name.hashCode() + Arrays.hashCode(this.content);
		}

		@Override
		public String toString() {
			return this.name + " (" + this.content.length + " bytes)";
		}

	}

	/**
	 * A file that an earlier execution of the same run left behind.
	 *
	 * @param name its name
	 * @param handle the handle of the attachment
	 */
	record Attached(String name, String handle) implements InputFile {

	}

}
