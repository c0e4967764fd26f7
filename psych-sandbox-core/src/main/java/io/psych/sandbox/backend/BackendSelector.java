package io.psych.sandbox.backend;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Level;
import org.jspecify.annotations.Nullable;

/**
 * Takes the strongest backend that proves itself, by running it. A weaker one is never
 * taken without the reason why each stronger one was not.
 *
 * @param <A> what a successful trial of a backend comes to
 * @since 0.1.0
 */
public final class BackendSelector<A extends BackendSelector.Attempt> {

	/**
	 * A backend that may be made.
	 *
	 * @param name its name
	 * @param maker makes it
	 */
	public record Candidate(String name, Maker maker) {

	}

	/**
	 * Makes a backend.
	 */
	@FunctionalInterface
	public interface Maker {

		/**
		 * Make it.
		 * @return the backend
		 * @throws BackendException if this host can't offer it
		 * @throws InterruptedException if the caller was interrupted
		 */
		Backend make() throws BackendException, InterruptedException;

	}

	/**
	 * What a trial came to.
	 */
	public interface Attempt {

		/**
		 * Return what the backend achieved.
		 * @return the report of its trial execution
		 */
		IsolationReport report();

	}

	/**
	 * Runs a backend.
	 *
	 * @param <A> what a successful trial comes to
	 */
	@FunctionalInterface
	public interface Trial<A extends Attempt> {

		/**
		 * Run it.
		 * @param backend the backend
		 * @return what it came to
		 * @throws BackendException if it does not work on this host
		 * @throws InterruptedException if the caller was interrupted
		 */
		A attempt(Backend backend) throws BackendException, InterruptedException;

	}

	/**
	 * What was selected.
	 *
	 * @param <A> what a successful trial comes to
	 * @param attempt the trial of the backend that was taken, or {@code null} when none
	 * can be used
	 * @param selection why
	 */
	public record Selected<A extends Attempt>(@Nullable A attempt, BackendSelection selection) {

	}

	/** What no level but the lowest goes without. */
	private static final Set<Guarantee> ALWAYS_ENFORCED = EnumSet.of(Guarantee.WALL_CLOCK, Guarantee.ENVIRONMENT);

	private final List<Candidate> candidates;

	private final Trial<A> trial;

	/**
	 * Create a new selector.
	 * @param candidates the backends to consider, strongest first
	 * @param trial runs one
	 */
	public BackendSelector(List<Candidate> candidates, Trial<A> trial) {
		this.candidates = List.copyOf(candidates);
		this.trial = trial;
	}

	/**
	 * Select a backend. Those weaker than the one taken are not tried.
	 * @return what was selected
	 * @throws InterruptedException if the caller was interrupted
	 */
	public Selected<A> select() throws InterruptedException {
		List<BackendSelection.Candidate> considered = new ArrayList<>();
		for (Candidate candidate : this.candidates) {
			try {
				A attempt = this.trial.attempt(candidate.maker().make());
				IsolationReport report = attempt.report();
				if (report.level() != Level.NONE) {
					considered.add(new BackendSelection.Candidate(candidate.name(), true,
							"its trial execution reached level " + report.level().id(), null, report));
					return new Selected<>(attempt, new BackendSelection(candidate.name(), considered));
				}
				considered.add(new BackendSelection.Candidate(candidate.name(), false,
						"its trial execution does not amount to a contained process: " + lacking(report),
						"Give the service what the findings name, or use another backend.", report));
			}
			catch (BackendException ex) {
				considered.add(new BackendSelection.Candidate(candidate.name(), false, String.valueOf(ex.getMessage()),
						ex.remedy(), null));
			}
		}
		return new Selected<>(null, new BackendSelection(null, considered));
	}

	private static String lacking(IsolationReport report) {
		return report.findings()
			.stream()
			.filter((finding) -> finding.grade() == Grade.UNAVAILABLE
					|| (finding.grade() != Grade.ENFORCED && ALWAYS_ENFORCED.contains(finding.guarantee())))
			.map((finding) -> finding.guarantee().id() + " is " + finding.grade().id() + " (" + finding.evidence()
					+ ")")
			.collect(Collectors.joining(", "));
	}

}
