package io.psych.sandbox.limits;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What isolation one execution really had: ten findings, always all ten, in the order of
 * {@link Guarantee}.
 *
 * @param backend the name of the backend, such as {@code bubblewrap}, or {@code none}
 * @param findings one finding for each guarantee; a guarantee that is not among the given
 * ones is added as unavailable
 * @since 0.1.0
 */
public record IsolationReport(String backend, List<Finding> findings) {

	public IsolationReport {
		Map<Guarantee, Finding> byGuarantee = new EnumMap<>(Guarantee.class);
		findings.forEach((finding) -> byGuarantee.put(finding.guarantee(), finding));
		List<Finding> all = new ArrayList<>();
		for (Guarantee guarantee : Guarantee.values()) {
			all.add(byGuarantee.getOrDefault(guarantee,
					new Finding(guarantee, Grade.UNAVAILABLE, "nothing was observed")));
		}
		findings = List.copyOf(all);
	}

	/**
	 * Return the report of an execution for which no process was started.
	 * @param backend the name of the backend that would have been used, or {@code none}
	 * @param reason why nothing was started
	 * @return a report in which everything is unavailable
	 */
	public static IsolationReport nothingStarted(String backend, String reason) {
		List<Finding> findings = new ArrayList<>();
		for (Guarantee guarantee : Guarantee.values()) {
			findings.add(new Finding(guarantee, Grade.UNAVAILABLE, reason));
		}
		return new IsolationReport(backend, findings);
	}

	/**
	 * Return the level these grades amount to.
	 * @return the level
	 */
	public Level level() {
		return Level.of(grades());
	}

	/**
	 * Return the grade of one guarantee.
	 * @param guarantee the guarantee
	 * @return its grade
	 */
	public Grade grade(Guarantee guarantee) {
		return finding(guarantee).grade();
	}

	/**
	 * Return the finding for one guarantee.
	 * @param guarantee the guarantee
	 * @return its finding
	 */
	public Finding finding(Guarantee guarantee) {
		return this.findings.get(guarantee.ordinal());
	}

	/**
	 * Return all grades.
	 * @return the grade of each guarantee
	 */
	public Map<Guarantee, Grade> grades() {
		Map<Guarantee, Grade> grades = new EnumMap<>(Guarantee.class);
		this.findings.forEach((finding) -> grades.put(finding.guarantee(), finding.grade()));
		return grades;
	}

}
