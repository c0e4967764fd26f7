package io.psych.sandbox.attachment;

import java.util.Locale;

import io.psych.sandbox.contract.Attachment;

/**
 * What kind of thing an attachment is; its handle begins with it.
 *
 * @since 0.1.0
 */
public enum Slot {

	/** What the program printed. */
	STDOUT,

	/** What it wrote to stderr. */
	STDERR,

	/** What it handed back. */
	VALUE,

	/** A file it left in its workspace. */
	ARTIFACT;

	/**
	 * Return what kind of thing an attachment is.
	 * @param attachment an attachment that was kept
	 * @return its slot
	 */
	public static Slot of(Attachment attachment) {
		Handle handle = Handle.parse(attachment.handle());
		if (handle == null) {
			throw new IllegalArgumentException(
					"handle must be that of an attachment but was '" + attachment.handle() + "'");
		}
		return handle.slot();
	}

	String prefix() {
		return name().toLowerCase(Locale.ROOT);
	}

}
