package io.psych.sandbox.spring.observation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.ExecutionFacts;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.limits.Level;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code docs/observability.md} tells of every observation, meter and tag, and of no
 * other.
 */
class ObservabilityPageTests {

	private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "../docs/observability.md");

	private static final Pattern ROW = Pattern.compile("^\\| `([a-z.]+)` \\| (.*) \\|$", Pattern.MULTILINE);

	@Test
	void everyObservationIsOnThePageWithItsTags() throws IOException {
		for (SandboxObservations observation : SandboxObservations.values()) {
			String section = section("`" + observation.getName() + "`");
			assertThat(rows(section).keySet()).as(observation.getName())
				.isEqualTo(names(observation.getLowCardinalityKeyNames()));
			assertThat(observation.getHighCardinalityKeyNames()).isEmpty();
		}
	}

	@Test
	void everyMeterIsOnThePageWithTypeUnitAndTags() throws IOException {
		String section = section("Meters");
		assertThat(rows(section).keySet())
			.isEqualTo(new TreeSet<>(Stream.of(SandboxMeters.values()).map(SandboxMeters::getName).toList()));
		for (SandboxMeters meter : SandboxMeters.values()) {
			String row = rows(section).get(meter.getName());
			String unit = (meter.getType() == Meter.Type.TIMER) ? "time" : String.valueOf(meter.getBaseUnit());
			assertThat(row).startsWith("%s | %s | ".formatted(meter.getType().name().toLowerCase(Locale.ROOT), unit));
			Stream.of(meter.getKeyNames()).forEach((key) -> assertThat(row).contains("`" + key.asString() + "`"));
		}
	}

	@Test
	void everyValueOfATagIsOnThePage() throws IOException {
		String execution = section("`psych.sandbox.execution`");
		String call = section("`psych.sandbox.call`");
		String meters = section("Meters");
		assertThat(quoted(execution)).containsAll(ids(FailureKind.values(), FailureKind::id))
			.containsAll(ids(LimitHit.values(), LimitHit::id))
			.containsAll(ids(Level.values(), Level::id))
			.containsAll(ids(ExecutionFacts.Start.values(), ExecutionFacts.Start::id))
			.contains(ExecutionFacts.SUCCESS, ExecutionFacts.EXCEPTION);
		assertThat(quoted(call)).containsAll(ids(ToolFailureKind.values(), ToolFailureKind::id))
			.containsAll(ids(CallOrigin.values(), CallOrigin::id))
			.contains("success", "exception", "other");
		assertThat(quoted(meters)).containsAll(ids(ExecutionFacts.Station.values(), ExecutionFacts.Station::id));
	}

	private static <T> List<String> ids(T[] values, Function<T, String> id) {
		return Stream.of(values).map(id).toList();
	}

	private static Set<String> names(KeyName[] keys) {
		return new TreeSet<>(Stream.of(keys).map(KeyName::asString).toList());
	}

	private static Map<String, String> rows(String section) {
		Map<String, String> rows = new TreeMap<>();
		Matcher matcher = ROW.matcher(section);
		while (matcher.find()) {
			rows.put(matcher.group(1), matcher.group(2));
		}
		return rows;
	}

	private static Set<String> quoted(String section) {
		Set<String> quoted = new TreeSet<>();
		Matcher matcher = Pattern.compile("`([^`]+)`").matcher(section);
		while (matcher.find()) {
			quoted.add(matcher.group(1));
		}
		return quoted;
	}

	private static String section(String title) throws IOException {
		String page = Files.readString(PAGE);
		int begin = page.indexOf("\n## " + title + "\n");
		assertThat(begin).as("section " + title).isNotNegative();
		int end = page.indexOf("\n## ", begin + 1);
		return page.substring(begin, (end < 0) ? page.length() : end);
	}

}
