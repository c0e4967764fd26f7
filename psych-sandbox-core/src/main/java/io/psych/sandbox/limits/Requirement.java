package io.psych.sandbox.limits;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What isolation an execution must have before a program is sent.
 *
 * @param level the weakest level accepted
 * @param guarantees guarantees that must be enforced, whatever the level
 * @since 0.1.0
 */
public record Requirement(Level level, Set<Guarantee> guarantees) {

	public Requirement {
		if (level == Level.NONE) {
			throw new IllegalArgumentException("level is none, but a contained process is the floor: nothing lower"
					+ " can be accepted. Set it to process or isolated.");
		}
		guarantees = Set.copyOf(guarantees);
	}

	/**
	 * Return the requirement every execution has: a contained process.
	 * @return the lowest requirement there is
	 */
	public static Requirement floor() {
		return new Requirement(Level.PROCESS, Set.of());
	}

	/**
	 * Return what this requirement and another require together.
	 * @param other the other requirement
	 * @return the stronger of the two levels, and the guarantees of both
	 */
	public Requirement and(Requirement other) {
		Set<Guarantee> both = new HashSet<>(this.guarantees);
		both.addAll(other.guarantees);
		return new Requirement(this.level.isAtLeast(other.level) ? this.level : other.level, both);
	}

	/**
	 * Return what is missing.
	 * @param report the report of an execution
	 * @return one sentence for each unmet part, naming what was required, what was found
	 * and on what evidence; empty when the report is enough
	 */
	public List<String> unmet(IsolationReport report) {
		List<String> unmet = new ArrayList<>();
		if (!report.level().isAtLeast(this.level)) {
			unmet.add("level %s is required, but backend %s reached level %s".formatted(this.level.id(),
					report.backend(), report.level().id()));
		}
		Set<Guarantee> wanted = EnumSet.noneOf(Guarantee.class);
		wanted.addAll(this.guarantees);
		for (Guarantee guarantee : wanted) {
			Finding finding = report.finding(guarantee);
			if (finding.grade() != Grade.ENFORCED) {
				unmet.add("guarantee %s must be enforced, but with backend %s it is %s: %s".formatted(guarantee.id(),
						report.backend(), finding.grade().id(), finding.evidence()));
			}
		}
		return unmet;
	}

}
