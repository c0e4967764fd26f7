package io.psych.sandbox.terms;

import java.util.Collection;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * Which tools may be called: all there are, or those of certain names. A name is the
 * exact name of a tool, never a pattern.
 *
 * @since 0.1.0
 */
public final class Grant {

	/** Every tool there is, today and later. */
	public static final Grant ALL = new Grant(null);

	/** No tool. */
	public static final Grant NONE = new Grant(Collections.emptySortedSet());

	/** In one order, whatever order they were given in; {@code null} for all. */
	private final @Nullable SortedSet<String> names;

	private Grant(@Nullable SortedSet<String> names) {
		this.names = names;
	}

	/**
	 * Return a grant of certain tools.
	 * @param names their names
	 * @return the grant
	 * @throws IllegalArgumentException if a name is blank, or could not be told from
	 * another one once it is stored
	 */
	public static Grant of(Collection<String> names) {
		names.forEach((name) -> Names.check("a name of a tool", name));
		return new Grant(Collections.unmodifiableSortedSet(new TreeSet<>(names)));
	}

	/**
	 * Return a grant of certain tools.
	 * @param names their names
	 * @return the grant
	 * @throws IllegalArgumentException if a name is blank, or could not be told from
	 * another one once it is stored
	 */
	public static Grant of(String... names) {
		return of(Set.of(names));
	}

	/**
	 * Return whether a tool may be called.
	 * @param name the name of the tool
	 * @return whether it may
	 */
	public boolean allows(String name) {
		return this.names == null || this.names.contains(name);
	}

	/**
	 * Return what both this grant and another allow.
	 * @param other the other grant
	 * @return the grant
	 */
	public Grant intersect(Grant other) {
		if (this.names == null) {
			return other;
		}
		SortedSet<String> both = new TreeSet<>(this.names);
		both.removeIf((name) -> !other.allows(name));
		return new Grant(Collections.unmodifiableSortedSet(both));
	}

	/**
	 * Return whether another grant allows all that this one does.
	 * @param other the other grant
	 * @return whether it does
	 */
	public boolean isWithin(Grant other) {
		return (this.names != null) ? this.names.stream().allMatch(other::allows) : other.names == null;
	}

	/**
	 * Return the names that are granted.
	 * @return the names in their order, or {@code null} when every tool is granted
	 */
	public @Nullable Set<String> names() {
		return this.names;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Grant grant && Objects.equals(this.names, grant.names);
	}

	@Override
	public int hashCode() {
		return Objects.hashCode(this.names);
	}

	@Override
	public String toString() {
		return (this.names != null) ? this.names.toString() : "all";
	}

}
