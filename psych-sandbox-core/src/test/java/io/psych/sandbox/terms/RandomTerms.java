package io.psych.sandbox.terms;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.psych.sandbox.limits.ArtifactLimits;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import org.jspecify.annotations.Nullable;

/**
 * Terms, stages and Specs made by chance, each from a seed that makes it again.
 */
final class RandomTerms {

	private static final List<String> TOOLS = List.of("a", "b", "c", "d");

	private RandomTerms() {
	}

	static Terms terms(Random random) {
		return Terms.of(limits(random), requirement(random), random.nextBoolean());
	}

	static List<Narrowing> stages(Random random) {
		return IntStream.range(0, random.nextInt(7)).mapToObj((index) -> stage(random)).toList();
	}

	static Narrowing stage(Random random) {
		return new Narrowing(sometimes(random, limits(random)), sometimes(random, requirement(random)),
				random.nextInt(4) > 0, grant(random, Grant.ALL), random.nextInt(4) == 0,
				(random.nextInt(6) == 0) ? "refused by " + random.nextInt(3) : null);
	}

	static Spec spec(Random random) {
		Grant tools = grant(random, Grant.ALL);
		return new Spec("s" + random.nextInt(9), sometimes(random, "p" + random.nextInt(3)),
				sometimes(random, limits(random)), sometimes(random, requirement(random)), random.nextBoolean(),
				random.nextBoolean(), tools, grant(random, tools).intersect(tools));
	}

	static Limits limits(Random random) {
		Duration wall = seconds(random, 100);
		ByteSize files = size(random, 1 << 20);
		ByteSize captured = size(random, 1 << 20);
		return new Limits(seconds(random, 20), wall,
				Duration.ofNanos(1 + (long) (random.nextDouble() * wall.toNanos())),
				ByteSize.ofBytes((48L << 20) + random.nextInt(1 << 20)), upTo(random, files), files,
				1 + random.nextInt(100), upTo(random, captured), captured, size(random, 1 << 20), size(random, 1 << 20),
				calls(random), artifacts(random));
	}

	private static CallLimits calls(Random random) {
		int run = random.nextInt(100);
		ByteSize total = size(random, 1 << 20);
		return new CallLimits(random.nextInt(run + 1), run, upTo(random, total), upTo(random, total), total,
				ByteSize.ofBytes(random.nextInt(1000)));
	}

	private static ArtifactLimits artifacts(Random random) {
		return new ArtifactLimits(random.nextInt(100), random.nextInt(65), ByteSize.ofBytes(random.nextInt(1000)),
				seconds(random, 600));
	}

	static Requirement requirement(Random random) {
		Set<Guarantee> guarantees = EnumSet.noneOf(Guarantee.class);
		Stream.of(Guarantee.values()).filter((guarantee) -> random.nextInt(4) == 0).forEach(guarantees::add);
		return new Requirement(random.nextBoolean() ? Level.ISOLATED : Level.PROCESS, guarantees);
	}

	private static Grant grant(Random random, Grant otherwise) {
		if (random.nextInt(3) == 0) {
			return otherwise;
		}
		List<String> names = new ArrayList<>(TOOLS);
		names.removeIf((name) -> random.nextBoolean());
		return Grant.of(names);
	}

	private static <T> @Nullable T sometimes(Random random, T value) {
		return random.nextBoolean() ? value : null;
	}

	private static Duration seconds(Random random, int most) {
		return Duration.ofSeconds(1 + random.nextInt(most));
	}

	private static ByteSize size(Random random, int most) {
		return ByteSize.ofBytes(1 + random.nextInt(most));
	}

	private static ByteSize upTo(Random random, ByteSize most) {
		return size(random, (int) most.bytes());
	}

}
