package io.psych.sandbox.seccomp;

import org.jspecify.annotations.Nullable;

/**
 * A processor architecture whose system calls the filter knows.
 *
 * @since 0.1.0
 */
public enum Architecture {

	/** AMD64, {@code AUDIT_ARCH_X86_64} (linux/audit.h). */
	X86_64(0xC000003E),

	/** 64-bit ARM, {@code AUDIT_ARCH_AARCH64}. */
	AARCH64(0xC00000B7);

	private final int audit;

	Architecture(int audit) {
		this.audit = audit;
	}

	/**
	 * Return the number the kernel tells a filter for a call of this architecture.
	 * @return the number
	 */
	int audit() {
		return this.audit;
	}

	/**
	 * Return the architecture of this JVM.
	 * @return the architecture, or {@code null} when the filter does not know it
	 */
	public static @Nullable Architecture current() {
		return switch (System.getProperty("os.arch")) {
			case "amd64", "x86_64" -> X86_64;
			case "aarch64", "arm64" -> AARCH64;
			default -> null;
		};
	}

}
