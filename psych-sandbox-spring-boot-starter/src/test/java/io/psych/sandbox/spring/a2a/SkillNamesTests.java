package io.psych.sandbox.spring.a2a;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.spring.a2a.SkillNames.Key;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SkillNames}.
 */
class SkillNamesTests {

	private static final Key A = new Key("a", "find");

	private static final Key B = new Key("b-2", "find");

	private final SkillNames names = new SkillNames();

	@Test
	void skillKeepsItsNameAsLongAsNobodyElseHasIt() {
		assertThat(this.names.of(List.of(A), Set.of("other"))).containsOnly(entry(A, "find"));
		assertThat(this.names.of(List.of(A, B), Set.of())).containsOnly(entry(A, "a_find"), entry(B, "b_2_find"));
		assertThat(this.names.of(List.of(B), Set.of())).containsOnly(entry(B, "b_2_find"));
		assertThat(this.names.of(List.of(A), Set.of())).containsOnly(entry(A, "a_find"));
	}

	@Test
	void nameOfAnotherToolIsNeverTaken() {
		assertThat(this.names.of(List.of(A), Set.of("find"))).containsOnly(entry(A, "a_find"));
		assertThat(this.names.of(List.of(A), Set.of())).containsOnly(entry(A, "a_find"));
		assertThat(this.names.of(List.of(A), Set.of("a_find"))).isEmpty();
	}

	@Test
	void nameNeverComesToMeanAnotherSkill() {
		Key first = new Key("a", "b_find");
		Key second = new Key("a_b", "find");
		Set<String> taken = Set.of("find", "b_find");
		assertThat(this.names.of(List.of(first), taken)).containsOnly(entry(first, "a_b_find"));
		assertThat(this.names.of(List.of(second, first), taken)).containsOnly(entry(first, "a_b_find"));
	}

	private static Map.Entry<Key, String> entry(Key key, String name) {
		return Map.entry(key, name);
	}

}
