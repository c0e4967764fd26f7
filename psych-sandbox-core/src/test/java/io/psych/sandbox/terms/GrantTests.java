package io.psych.sandbox.terms;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class GrantTests {

	@Test
	void allAllowsEveryName() {
		assertThat(Grant.ALL.allows("orders")).isTrue();
		assertThat(Grant.ALL.names()).isNull();
		assertThat(Grant.ALL).hasToString("all");
	}

	@Test
	void ofAllowsTheExactNamesOnly() {
		Grant grant = Grant.of("orders", "weather.get");
		assertThat(grant.allows("orders")).isTrue();
		assertThat(grant.allows("Orders")).isFalse();
		assertThat(grant.allows("orders_delete")).isFalse();
		assertThat(grant.allows("weather-get")).isFalse();
		assertThat(Grant.NONE.allows("orders")).isFalse();
	}

	@Test
	void anAsteriskIsANameAndNoPattern() {
		assertThat(Grant.of("*").allows("orders")).isFalse();
	}

	@Test
	void orderAndRepetitionMeanNothing() {
		assertThat(Grant.of(List.of("b", "a", "b"))).isEqualTo(Grant.of("a", "b"))
			.hasSameHashCodeAs(Grant.of("a", "b"))
			.hasToString("[a, b]")
			.isNotEqualTo(Grant.of("a"))
			.isNotEqualTo(Grant.ALL);
		assertThat(Grant.of()).isEqualTo(Grant.NONE);
	}

	@Test
	void intersectAllowsWhatBothAllow() {
		Grant left = Grant.of("a", "b");
		Grant right = Grant.of("b", "c");
		assertThat(left.intersect(right)).isEqualTo(Grant.of("b"));
		assertThat(left.intersect(Grant.ALL)).isEqualTo(left);
		assertThat(Grant.ALL.intersect(right)).isEqualTo(right);
		assertThat(Grant.ALL.intersect(Grant.ALL)).isEqualTo(Grant.ALL);
		assertThat(left.intersect(Grant.NONE)).isEqualTo(Grant.NONE);
	}

	@Test
	void isWithinWhenTheOtherAllowsAllOfIt() {
		Grant grant = Grant.of("a", "b");
		assertThat(grant.isWithin(Grant.of("a", "b", "c"))).isTrue();
		assertThat(grant.isWithin(Grant.ALL)).isTrue();
		assertThat(grant.isWithin(Grant.of("a", "c"))).isFalse();
		assertThat(Grant.ALL.isWithin(grant)).isFalse();
		assertThat(Grant.ALL.isWithin(Grant.ALL)).isTrue();
		assertThat(Grant.NONE.isWithin(Grant.NONE)).isTrue();
	}

	@Test
	void namesCannotBeChangedFromOutside() {
		List<String> names = new ArrayList<>(List.of("a"));
		Grant grant = Grant.of(names);
		names.add("b");
		assertThat(grant.names()).containsExactly("a").isUnmodifiable();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a\nb", "a\u0000", "half \uD83D" })
	void aNameThatCouldBecomeAnotherOneIsRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> Grant.of("fine", name))
			.withMessageStartingWith("a name of a tool must not ");
	}

}
