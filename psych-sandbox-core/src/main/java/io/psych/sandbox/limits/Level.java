package io.psych.sandbox.limits;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One word for a set of grades. It follows from the grades by {@link #of(Map)} and
 * nothing else.
 *
 * @since 0.1.0
 */
public enum Level {

	/**
	 * Nothing of the host is there to be read, reached or signalled: filesystem, network,
	 * process tree, identity, wall clock and environment are enforced, and the four
	 * resource limits are not unavailable.
	 */
	ISOLATED,

	/**
	 * A process of its own with resource limits: wall clock and environment are enforced,
	 * CPU and file size are not unavailable.
	 */
	PROCESS,

	/** Less than a contained process. No program is ever sent at this level. */
	NONE;

	private static final Set<Guarantee> ENFORCED_WHEN_ISOLATED = EnumSet.of(Guarantee.FILESYSTEM, Guarantee.NETWORK,
			Guarantee.PROCESS_TREE, Guarantee.IDENTITY, Guarantee.WALL_CLOCK, Guarantee.ENVIRONMENT);

	private static final Set<Guarantee> ENFORCED_WHEN_PROCESS = EnumSet.of(Guarantee.WALL_CLOCK, Guarantee.ENVIRONMENT);

	private static final Set<Guarantee> PRESENT_WHEN_PROCESS = EnumSet.of(Guarantee.CPU, Guarantee.FILE_SIZE);

	/**
	 * Return the level that a set of grades amounts to.
	 * @param grades the grade of each guarantee; one that is missing counts as
	 * unavailable
	 * @return the level
	 */
	public static Level of(Map<Guarantee, Grade> grades) {
		if (enforced(grades, ENFORCED_WHEN_ISOLATED) && present(grades, EnumSet.allOf(Guarantee.class))) {
			return ISOLATED;
		}
		if (enforced(grades, ENFORCED_WHEN_PROCESS) && present(grades, PRESENT_WHEN_PROCESS)) {
			return PROCESS;
		}
		return NONE;
	}

	/**
	 * Return whether this level is at least as strong as another.
	 * @param other the other level
	 * @return whether it is
	 */
	public boolean isAtLeast(Level other) {
		return ordinal() <= other.ordinal();
	}

	/**
	 * Return the name used in properties, JSON and reports.
	 * @return the lower-case name
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT);
	}

	private static boolean enforced(Map<Guarantee, Grade> grades, Set<Guarantee> wanted) {
		return wanted.stream().allMatch((guarantee) -> grades.get(guarantee) == Grade.ENFORCED);
	}

	private static boolean present(Map<Guarantee, Grade> grades, Set<Guarantee> wanted) {
		return wanted.stream()
			.allMatch((guarantee) -> grades.getOrDefault(guarantee, Grade.UNAVAILABLE) != Grade.UNAVAILABLE);
	}

}
