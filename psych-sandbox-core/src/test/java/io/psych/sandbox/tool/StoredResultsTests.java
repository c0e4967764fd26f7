package io.psych.sandbox.tool;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.psych.sandbox.contract.ResultHandle;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StoredResultsTests {

	private final StoredResults stored = new StoredResults(1 << 20);

	@Test
	void windowsJoinedAreTheWholeResultAndBeginBetweenCharacters() throws Exception {
		Random random = new Random(7);
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < 5_000; i++) {
			text.appendCodePoint(List.of(65 + random.nextInt(26), 0xE9, 0x4E2D, 0x1F600, 10).get(random.nextInt(5)));
		}
		ResultHandle handle = keep(JsonValue.of(text.toString()));
		for (int length : new int[] { 1, 2, 3, 4, 5, 7, 64, 1_000, 100_000 }) {
			assertThat(String.join("", windows(handle, length))).as("windows of %d", length).isEqualTo(text.toString());
		}
		assertThat(handle.format()).isEqualTo("text");
		assertThat(handle.bytes()).isEqualTo(text.toString().getBytes(StandardCharsets.UTF_8).length);
	}

	@Test
	void resultThatIsNoTextIsReadAsItsJson() throws Exception {
		JsonValue value = JsonValue.parse("{\"rows\":[1,2,{\"a\":null}]}");
		ResultHandle handle = keep(value);
		assertThat(handle.format()).isEqualTo("json");
		assertThat(JsonValue.parse(String.join("", windows(handle, 4)))).isEqualTo(value);
	}

	@Test
	void matchesAreFoundWithWhatIsAroundThemAndTheSearchGoesOn() throws Exception {
		ResultHandle handle = keep(JsonValue.of("one 1\ntwo 22\nthree 333\n"));
		JsonValue first = read(handle, Map.of("pattern", "\\d+", "matches", 2, "context", 2));
		assertThat(first.toJson())
			.isEqualTo("{\"matches\":[{\"offset\":4,\"length\":1,\"text\":\"e 1\\nt\",\"cut\":false},"
					+ "{\"offset\":10,\"length\":2,\"text\":\"o 22\\nt\",\"cut\":false}],\"next\":19,\"total\":23}");
		JsonValue rest = read(handle, Map.of("pattern", "\\d+", "offset", 19, "context", 0));
		assertThat(rest.toJson()).isEqualTo(
				"{\"matches\":[{\"offset\":19,\"length\":3,\"text\":\"333\",\"cut\":false}],\"next\":null,\"total\":23}");
	}

	@Test
	void searchOverManyWindowsFindsEachMatchOnceWhereverItLies() throws Exception {
		StringBuilder text = new StringBuilder();
		Random random = new Random(11);
		List<Integer> places = new ArrayList<>();
		while (text.length() < 5 << 20) {
			text.append(".".repeat(random.nextInt(200_000)));
			places.add(text.length());
			text.append("needle");
		}
		ResultHandle handle = keep(JsonValue.of(text.toString()));
		List<Integer> found = new ArrayList<>();
		Object next = 0;
		while (next != null) {
			JsonValue part = read(handle, Map.of("pattern", "\\bneedle\\b|needle", "offset", next, "context", 0));
			for (Object match : (List<?>) part.members().get("matches")) {
				found.add(((Long) ((Map<?, ?>) match).get("offset")).intValue());
			}
			next = part.members().get("next");
		}
		assertThat(found).isEqualTo(places);
	}

	@Test
	void largePatternSearchesLessFarAndGoesOn() throws Exception {
		ResultHandle handle = keep(JsonValue.of("-".repeat(300_000) + "x" + "z".repeat(900) + "y"));
		int parts = 0;
		List<Object> found = new ArrayList<>();
		Object next = 0;
		while (next != null) {
			JsonValue part = read(handle, Map.of("pattern", "x(z{0,999}|q{0,999})y", "offset", next, "context", 0));
			found.addAll((List<?>) part.members().get("matches"));
			next = part.members().get("next");
			parts++;
		}
		assertThat(parts).isGreaterThan(1);
		assertThat(found).hasSize(1);
	}

	@Test
	void searchThatHasTakenLongEndsAfterItsMatchAndGoesOn() throws Exception {
		long[] now = { 0 };
		StoredResults slow = new StoredResults(1 << 20, () -> now[0] += 2_000_000_000L);
		ResultHandle handle = slow.keep(JsonValue.of("a-a-a-a-a"));
		JsonValue part = slow.read(JsonValue.of(Map.of("handle", handle.id(), "pattern", "a", "context", 0)));
		assertThat((List<?>) part.members().get("matches")).hasSize(2);
		assertThat(part.integer("next")).isEqualTo(3);
	}

	@Test
	void anchorsSeeWhatLiesBeforeTheWindow() throws Exception {
		ResultHandle handle = keep(JsonValue.of("abc\nabd"));
		assertThat(read(handle, Map.of("pattern", "(?m)^b", "offset", 1)).members()).containsEntry("matches",
				List.of());
		assertThat(read(handle, Map.of("pattern", "(?m)^a", "offset", 4, "context", 0)).toJson())
			.contains("\"offset\":4");
	}

	@Test
	void emptyMatchesEnd() throws Exception {
		ResultHandle handle = keep(JsonValue.of("é€😀"));
		JsonValue part = read(handle, Map.of("pattern", "x*", "context", 0));
		assertThat((List<?>) part.members().get("matches")).hasSize(4);
		assertThat(part.members()).containsEntry("next", null);
	}

	@ParameterizedTest
	@ValueSource(strings = { "(a+)+$", "(a|aa)+$", "(.*a){20}", "a{1,1000}b" })
	void patternThatHangsABacktrackingEngineEnds(String pattern) throws Exception {
		ResultHandle handle = keep(JsonValue.of("a".repeat(200_000) + "!"));
		assertThat(read(handle, Map.of("pattern", pattern, "context", 0)).members()).containsKey("matches");
	}

	@ParameterizedTest
	@ValueSource(strings = { "(", "(?=a)", "\\1", "a{2000}", "[z-a]" })
	void patternThatIsNoneIsRefusedInWords(String pattern) {
		ResultHandle handle = keep(JsonValue.of("text"));
		assertThatExceptionOfType(ToolCallException.class).isThrownBy(() -> read(handle, Map.of("pattern", pattern)))
			.satisfies((ex) -> assertThat(ex.kind()).isEqualTo(ToolFailureKind.BAD_ARGUMENTS))
			.withMessageContaining("RE2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "result-2", "result-0", "", "../result-1", "result-1 " })
	void handleThatNoCallOfThisProgramReturnedIsDenied(String fabricated) {
		keep(JsonValue.of("text"));
		assertThatExceptionOfType(ToolCallException.class)
			.isThrownBy(() -> this.stored.read(JsonValue.of(Map.of("handle", fabricated))))
			.satisfies((ex) -> assertThat(ex.kind()).isEqualTo(ToolFailureKind.DENIED));
	}

	@Test
	void partsFitIntoAReplyOfTheCeilingAlsoWhereEveryCharacterIsEscaped() throws Exception {
		int ceiling = 4_096;
		StoredResults small = new StoredResults(ceiling);
		JsonValue value = JsonValue.of("\u0001".repeat(20_000));
		ResultHandle handle = small.keep(value);
		assertThat(small.read(JsonValue.of(Map.of("handle", handle.id(), "length", 1 << 20))).toUtf8().length)
			.isLessThanOrEqualTo(ceiling);
		assertThat(small.read(JsonValue.of(Map.of("handle", handle.id(), "pattern", "\\x01+", "context", 100)))
			.toUtf8().length).isLessThanOrEqualTo(ceiling);
	}

	private ResultHandle keep(JsonValue value) {
		return this.stored.keep(value);
	}

	private JsonValue read(ResultHandle handle, Map<String, Object> more) throws ToolCallException {
		Map<String, Object> arguments = new LinkedHashMap<>(more);
		arguments.put("handle", handle.id());
		return this.stored.read(JsonValue.of(arguments));
	}

	private List<String> windows(ResultHandle handle, int length) throws ToolCallException {
		List<String> windows = new ArrayList<>();
		Object next = 0;
		while (next != null) {
			JsonValue part = read(handle, Map.of("offset", next, "length", length));
			windows.add(part.string("text"));
			next = part.members().get("next");
		}
		return windows;
	}

}
