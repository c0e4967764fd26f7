package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PythonTextTests {

	private static final List<String> PIECES = List.of("a", "\"", "\"\"", "\"\"\"", "'''", "\\", "\n", "\r", "\t", "`",
			"``", "```", "<", "</", "<b", "{", "\u0000", "\u001b", "\u0085", "\u00a0", "\u200b", "\u2028", "\u202e",
			"\ufeff", "\ue000", "\ufe0f", "\u00e9", "\ud83d\ude00", "\udb40\udc41", " ", "  ", ".", "# ", "%s");

	private static List<String> texts() {
		Random random = new Random(1);
		List<String> texts = new ArrayList<>(PIECES);
		for (int i = 0; i < 400; i++) {
			StringBuilder text = new StringBuilder();
			for (int j = random.nextInt(8); j >= 0; j--) {
				text.append(PIECES.get(random.nextInt(PIECES.size())));
			}
			texts.add(text.toString());
		}
		return texts;
	}

	@Test
	void literalMeansTheTextToPythonAndHidesNothing() throws Exception {
		List<Object> asked = new ArrayList<>();
		for (String text : texts()) {
			String literal = PythonText.literal(text);
			assertPlain(literal);
			asked.add(Map.of("source", literal, "means", text));
		}
		assertThat(PythonScript.run("check_literals.py", JsonValue.of(asked))).isEqualTo(JsonValue.of(List.of()));
	}

	@Test
	void proseInADocstringIsWhatPythonReads() throws Exception {
		List<Object> asked = new ArrayList<>();
		for (String text : texts()) {
			String prose = PythonText.prose(text, 100);
			assertPlain(prose);
			asked.add(Map.of("source", "\"\"\"" + PythonText.inDocstring(prose) + "\"\"\"", "means", prose));
			asked.add(Map.of("source", "\"\"\"" + PythonText.inDocstring("x\n" + prose + "\n") + "\"\"\"", "means",
					"x\n" + prose + "\n"));
		}
		assertThat(PythonScript.run("check_literals.py", JsonValue.of(asked))).isEqualTo(JsonValue.of(List.of()));
	}

	private static void assertPlain(String text) {
		assertThat(text).doesNotContain("```", "</", "<b")
			.doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}\\u00a0\\ufe0f]");
	}

	@Test
	void literalsOfAllKindsAreWhatPythonReads() throws Exception {
		JsonValue values = JsonValue.parse("""
				[null, true, false, 0, -1, 18446744073709551617, 1.5, -0.0, 1e22, 1e-7, 5e-324, 1.7976931348623157e308,
				"", [], {}, [1, [2, {"a": null}]], {"b": [true], "a\\"": {"c": 0.1}}]""");
		List<Object> asked = new ArrayList<>();
		for (Object value : Schemas.list(values.toJava())) {
			Map<String, Object> one = new LinkedHashMap<>();
			one.put("source", PythonText.literal(value));
			one.put("means", value);
			asked.add(one);
		}
		assertThat(PythonScript.run("check_literals.py", JsonValue.of(asked))).isEqualTo(JsonValue.of(List.of()));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			value = { "One. Two. Three. | 10 | One. Two.", "One two three four | 12 | One two...",
					"Onetwothreefour | 9 | Onetwo...", "Is it? Yes! | 7 | Is it?", "One. | 4 | One.", "a | 1 | a",
					"\u4e00\u3002\u4e8c\u3002\u4e09\u3002 | 4 | \u4e00\u3002\u4e8c\u3002" })
	void proseIsCutAtASentenceOrElseBetweenWords(String text, int most, String expected) {
		assertThat(PythonText.prose(text, most)).isEqualTo(expected).hasSizeLessThanOrEqualTo(Math.max(most, 3));
	}

	@Test
	void proseIsNeverCutWithinACharacter() {
		String text = "x" + "\ud83d\ude00".repeat(100);
		for (int most = 4; most < 30; most++) {
			String prose = PythonText.prose(text, most);
			assertThat(prose).hasSizeLessThanOrEqualTo(most).endsWith("...");
			assertThat(JsonValue.of(prose).toJava()).isEqualTo(prose);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			value = { "One. Two. | One.", "One | One", "e.g. x | e.g.", "v1.2 is out. Use it. | v1.2 is out." })
	void sentenceIsTheFirst(String line, String sentence) {
		assertThat(PythonText.sentence(line)).isEqualTo(sentence);
	}

}
