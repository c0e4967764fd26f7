package io.psych.sandbox.backend;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a backend can't be used or can't start a child. Carries the fact and what
 * an operator can do about it.
 *
 * @since 0.1.0
 */
public final class BackendException extends Exception {

	private final @Nullable String remedy;

	/**
	 * Create a new exception.
	 * @param message the fact, a sentence without a full stop
	 * @param remedy what an operator can do, an imperative sentence, or {@code null} when
	 * nothing is known to help
	 */
	public BackendException(String message, @Nullable String remedy) {
		super(message);
		this.remedy = remedy;
	}

	/**
	 * Create a new exception with a cause.
	 * @param message the fact, a sentence without a full stop
	 * @param remedy what an operator can do, or {@code null}
	 * @param cause the cause
	 */
	public BackendException(String message, @Nullable String remedy, Throwable cause) {
		super(message, cause);
		this.remedy = remedy;
	}

	/**
	 * Return what an operator can do.
	 * @return an imperative sentence, or {@code null}
	 */
	public @Nullable String remedy() {
		return this.remedy;
	}

}
