package io.psych.sandbox.backend;

import java.util.List;

import io.psych.sandbox.limits.IsolationReport;
import org.jspecify.annotations.Nullable;

/**
 * Which backend was taken, and what became of the others.
 *
 * @param chosen the name of the backend that was taken, or {@code null} when none can be
 * used
 * @param candidates the backends that were considered, strongest first
 * @since 0.1.0
 */
public record BackendSelection(@Nullable String chosen, List<Candidate> candidates) {

	public BackendSelection {
		candidates = List.copyOf(candidates);
	}

	/**
	 * A backend that was considered.
	 *
	 * @param name its name
	 * @param usable whether it proved itself on this host
	 * @param reason why it was taken or not, one sentence
	 * @param remedy what an operator can do to make it usable, or {@code null}
	 * @param report what its trial execution achieved, or {@code null} when none was made
	 */
	public record Candidate(String name, boolean usable, String reason, @Nullable String remedy,
			@Nullable IsolationReport report) {

	}

	/**
	 * Return why a stronger backend was not taken, for a log or an exception.
	 * @return one sentence for each candidate that is not usable, with its remedy; empty
	 * when there is none
	 */
	public String whyNot() {
		StringBuilder text = new StringBuilder();
		for (Candidate candidate : this.candidates) {
			if (!candidate.usable()) {
				text.append(text.isEmpty() ? "" : " ").append(candidate.name()).append(": ").append(candidate.reason());
				text.append(candidate.reason().endsWith(".") ? "" : ".");
				if (candidate.remedy() != null) {
					text.append(' ').append(candidate.remedy());
				}
			}
		}
		return text.toString();
	}

}
