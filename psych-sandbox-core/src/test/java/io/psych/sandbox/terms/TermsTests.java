package io.psych.sandbox.terms;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing widens. The properties are checked part by part against the stages themselves,
 * not with the methods that narrow.
 */
class TermsTests {

	private static final List<String> TOOLS = List.of("a", "b", "c", "d");

	private static final Terms WIDE = Terms.of(Limits.defaults(), Requirement.floor(), true);

	static LongStream seeds() {
		return LongStream.range(0, 500);
	}

	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void noSequenceOfStagesIsAboveAnyOfThem(long seed) throws ReflectiveOperationException {
		Random random = new Random(seed);
		Terms start = RandomTerms.terms(random);
		Terms terms = start;
		for (Narrowing stage : RandomTerms.stages(random)) {
			Terms next = terms.narrow(stage);
			assertWithin(next, stage);
			assertWithin(next, terms);
			assertThat(next.isWithin(terms)).isTrue();
			terms = next;
		}
		assertWithin(terms, start);
	}

	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void theOrderOfTheStagesAndTheirRepetitionMeanNothing(long seed) {
		Random random = new Random(seed);
		Terms start = RandomTerms.terms(random);
		List<Narrowing> stages = new ArrayList<>(RandomTerms.stages(random));
		Terms terms = narrow(start, stages);
		Collections.shuffle(stages, random);
		stages.addAll(List.copyOf(stages));
		Terms again = narrow(start, stages);
		assertThat(again.isWithin(terms)).isTrue();
		assertThat(terms.isWithin(again)).isTrue();
	}

	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void isWithinIsAPartialOrderOfTheParts(long seed) throws ReflectiveOperationException {
		Random random = new Random(seed);
		Terms left = RandomTerms.terms(random).narrow(RandomTerms.stage(random));
		Terms right = random.nextBoolean() ? left.narrow(RandomTerms.stage(random))
				: RandomTerms.terms(random).narrow(RandomTerms.stage(random));
		assertThat(left.isWithin(left)).isTrue();
		assertThat(left.isWithin(right)).isEqualTo(isBelow(left, right));
		assertThat(right.isWithin(left)).isEqualTo(isBelow(right, left));
	}

	@Test
	void whatTheStagesAreMadeOfIsSeenByTheProperties() {
		List<Narrowing> stages = seeds().mapToObj((seed) -> RandomTerms.stages(new Random(seed)))
			.flatMap(List::stream)
			.toList();
		assertThat(stages).hasSizeGreaterThan(1000)
			.anyMatch((stage) -> stage.limits() != null)
			.anyMatch((stage) -> stage.limits() == null)
			.anyMatch((stage) -> stage.require() != null && stage.require().level() == Level.ISOLATED)
			.anyMatch((stage) -> stage.network())
			.anyMatch((stage) -> !stage.network())
			.anyMatch((stage) -> stage.grant().equals(Grant.ALL))
			.anyMatch((stage) -> stage.grant().names() != null && stage.grant().names().size() == 2)
			.anyMatch(Narrowing::preserve)
			.anyMatch((stage) -> stage.refusal() != null);
	}

	@Test
	void aStageThatSaysNothingTakesNothing() {
		Terms terms = WIDE.narrow(Narrowing.NONE);
		assertThat(terms.limits()).isEqualTo(Limits.defaults());
		assertThat(terms.requirement()).isEqualTo(Requirement.floor());
		assertThat(terms.network()).isTrue();
		assertThat(terms.grant()).isEqualTo(Grant.ALL);
		assertThat(terms.preserve()).isFalse();
		assertThat(terms.refusal()).isNull();
	}

	@Test
	void eachPartOfAStageTakesWhatItSays() {
		Requirement network = new Requirement(Level.PROCESS, Set.of(Guarantee.NETWORK));
		Terms terms = WIDE
			.narrow(Narrowing.NONE.withLimits(Limits.widest().withCpu(Duration.ofSeconds(2)))
				.withRequire(new Requirement(Level.ISOLATED, Set.of(Guarantee.CPU)))
				.withoutNetwork()
				.withGrant(Grant.of("a", "b"))
				.withPreserve())
			.narrow(Narrowing.NONE.withRequire(network).withGrant(Grant.of("b", "c")));
		assertThat(terms.limits()).isEqualTo(Limits.defaults().withCpu(Duration.ofSeconds(2)));
		assertThat(terms.requirement())
			.isEqualTo(new Requirement(Level.ISOLATED, Set.of(Guarantee.CPU, Guarantee.NETWORK)));
		assertThat(terms.network()).isFalse();
		assertThat(terms.grant()).isEqualTo(Grant.of("b"));
		assertThat(terms.preserve()).isTrue();
	}

	@Test
	void theFirstRefusalIsKept() {
		Terms terms = WIDE.narrow(Narrowing.refused("first")).narrow(Narrowing.refused("second"));
		assertThat(terms.refusal()).isEqualTo("first");
		assertThat(terms.narrow(Narrowing.NONE).refusal()).isEqualTo("first");
	}

	private static Terms narrow(Terms terms, List<Narrowing> stages) {
		Terms narrowed = terms;
		for (Narrowing stage : stages) {
			narrowed = narrowed.narrow(stage);
		}
		return narrowed;
	}

	private static void assertWithin(Terms terms, Narrowing stage) throws ReflectiveOperationException {
		if (stage.limits() != null) {
			assertThat(isBelow(terms.limits(), stage.limits())).as("%s below %s", terms.limits(), stage.limits())
				.isTrue();
		}
		if (stage.require() != null) {
			assertThat(requires(terms.requirement(), stage.require())).isTrue();
		}
		assertThat(terms.network() && !stage.network()).isFalse();
		TOOLS.forEach((tool) -> assertThat(terms.grant().allows(tool) && !stage.grant().allows(tool)).isFalse());
		assertThat(terms.grant().allows("unheard of") && !stage.grant().allows("unheard of")).isFalse();
		assertThat(!terms.preserve() && stage.preserve()).isFalse();
		assertThat(terms.refusal() == null && stage.refusal() != null).isFalse();
	}

	private static void assertWithin(Terms terms, Terms other) throws ReflectiveOperationException {
		assertThat(isBelow(terms, other)).isTrue();
	}

	private static boolean isBelow(Terms left, Terms right) throws ReflectiveOperationException {
		Set<String> tools = new HashSet<>(TOOLS);
		tools.add("unheard of");
		return isBelow(left.limits(), right.limits()) && requires(left.requirement(), right.requirement())
				&& !(left.network() && !right.network())
				&& tools.stream().noneMatch((tool) -> left.grant().allows(tool) && !right.grant().allows(tool))
				&& !(!left.preserve() && right.preserve()) && !(left.refusal() == null && right.refusal() != null);
	}

	private static boolean requires(Requirement left, Requirement right) {
		return (left.level() == right.level() || left.level() == Level.ISOLATED)
				&& left.guarantees().containsAll(right.guarantees());
	}

	/** Compare each component, whatever components there are. */
	@SuppressWarnings("unchecked")
	private static boolean isBelow(Record left, Record right) throws ReflectiveOperationException {
		for (RecordComponent component : left.getClass().getRecordComponents()) {
			Object value = component.getAccessor().invoke(left);
			Object other = component.getAccessor().invoke(right);
			boolean below = (value instanceof Comparable<?> comparable)
					? ((Comparable<Object>) comparable).compareTo(other) <= 0 : isBelow((Record) value, (Record) other);
			if (!below) {
				return false;
			}
		}
		return true;
	}

}
