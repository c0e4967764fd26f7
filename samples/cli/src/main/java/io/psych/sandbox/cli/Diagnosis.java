package io.psych.sandbox.cli;

import io.psych.sandbox.limits.IsolationReport;
import org.jspecify.annotations.Nullable;

/**
 * What trying one backend told.
 *
 * @param backend the name of the backend
 * @param python the version of the interpreter, or {@code null} when the backend is not
 * usable
 * @param report the grades a real child measured, or {@code null} when the backend is not
 * usable
 * @param reason why it is not usable, or {@code null} when it is
 * @param remedy what to do about that, or {@code null} when nothing is known to help
 */
record Diagnosis(String backend, @Nullable String python, @Nullable IsolationReport report, @Nullable String reason,
		@Nullable String remedy) {

	static Diagnosis usable(String backend, String python, IsolationReport report) {
		return new Diagnosis(backend, python, report, null, null);
	}

	static Diagnosis unusable(String backend, String reason, @Nullable String remedy) {
		return new Diagnosis(backend, null, null, reason, remedy);
	}

	boolean isUsable() {
		return this.report != null;
	}

}
