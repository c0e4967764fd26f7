package io.psych.sandbox.tool;

import java.util.ArrayList;
import java.util.List;

import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

class LinearPatternsTests {

	private final LinearPatterns patterns = new LinearPatterns();

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			value = { "^\\d+$ | 12 | 1a", "a | xax | b", "^a$ | a | a\\n", "^.$ | x | \\n", "^.$ | \ud83d\ude00 | xx",
					"^\\u0041$ | A | B", "^\\u{1F600}$ | \ud83d\ude00 | x", "^\\ud83d\\ude00$ | \ud83d\ude00 | x",
					"^\\x41$ | A | B", "^[\\u0041-\\u0043]$ | B | D", "^\\cJ$ | \\n | J", "^\\s$ | \u00a0 | x",
					"^\\S$ | x | \u00a0", "^[\\s]$ | \ufeff | x", "^[\\s\\S]$ | \\n | xx", "^\\p{L}+$ | \u00e9 | 1",
					"^\\p{Letter}+$ | \u00e9 | 1", "^\\p{Script=Greek}$ | \u03b1 | a", "^\\p{sc=Greek}$ | \u03b1 | a",
					"^\\P{L}$ | 1 | a", "^[^]$ | \\n | xx", "^a[]?$ | a | ab", "^[[:alpha:]]$ | :] | a",
					"^[a[b]$ | [ | c", "^(?<year>\\d{4})$ | 2026 | 26", "^(?:ab){2}$ | abab | ab",
					"^\\/\\-\\.$ | /-. | /-x", "\\Ax\\Z | x | x\\n", "^[\\b]$ | \\x08 | b",
					"^[\\w.-]+@[\\w.-]+$ | a.b@c-d.e | a", "^a{2,3}$ | aa | a", "^{$ | { | x", "^a{,2}$ | a{,2} | aa",
					"^\\$[$]$ | $$ | $", "^\\\\$ | \\\\ | x", "^$ | ~~ | a" })
	void patternOfASchemaMatchesWhatItsWritersMean(String pattern, String matching, String other) {
		RegularExpression compiled = this.patterns.getRegularExpression(pattern);
		assertThat(compiled.matches(text(matching))).as(matching).isTrue();
		assertThat(compiled.matches(text(other))).as(other).isFalse();
	}

	private static String text(String given) {
		return given.replace("\\\\", "\u0001").replace("\\n", "\n").replace("\\x08", "\b").replace("\u0001", "\\");
	}

	@ParameterizedTest
	@ValueSource(strings = { "(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>", "(?>a)", "a*+", "(",
			"[a", "a{2}{3}", "\\p{Nothing}", "\\u00zz", "\\", "\\Qa\\E", "*", "(a{1000}){1000}", "((a{100}){100}){100}",
			"(((((a{9}){9}){9}){9}){9}){9}", "(x[[:alpha:])]){999}(y{999}){999}", "(?:(?:(?:a{60}){60})?){60}" })
	void patternThatCannotBeMatchedInLinearTimeIsUnknown(String pattern) {
		RegularExpression compiled = this.patterns.getRegularExpression(pattern);
		List<Boolean> taken = new ArrayList<>();
		List<String> wrong = LinearPatterns.validated(() -> {
			taken.add(compiled.matches("anything"));
			return List.of("wrong");
		});
		assertThat(taken).containsExactly(true, false);
		assertThat(wrong).containsExactly("wrong");
		assertThat(LinearPatterns.validated(() -> compiled.matches("x") ? List.of("wrong") : List.of())).isEmpty();
		assertThat(LinearPatterns.validated(() -> compiled.matches("x") ? List.of() : List.of("wrong"))).isEmpty();
	}

	@Test
	void countBeyondWhatCanBeCountedIsUnknownForLongTextsAlone() {
		RegularExpression compiled = this.patterns.getRegularExpression("^.{1,4000}$");
		assertThat(compiled.matches("")).isFalse();
		assertThat(matches(compiled, "x".repeat(999))).containsExactly(true);
		assertThat(matches(compiled, "x".repeat(1_000))).containsExactly(true, false);
		assertThat(matches(this.patterns.getRegularExpression("^x{1500}$"), "x".repeat(999))).containsExactly(false);
		assertThat(matches(this.patterns.getRegularExpression("^x{1500}$"), "x".repeat(1_200))).containsExactly(true,
				false);
	}

	private static List<Boolean> matches(RegularExpression pattern, String text) {
		List<Boolean> taken = new ArrayList<>();
		LinearPatterns.validated(() -> {
			taken.add(pattern.matches(text));
			return List.of("wrong");
		});
		return taken;
	}

	@Test
	void whatIsKnownIsValidatedOnce() {
		assertThat(matches(this.patterns.getRegularExpression("a"), "a")).containsExactly(true);
	}

	@Test
	void workOfAllPatternsTogetherIsBounded() {
		RegularExpression compiled = this.patterns.getRegularExpression("x.{900}y");
		String text = "x".repeat(10_000);
		assertThatIllegalStateException().isThrownBy(() -> LinearPatterns.validated(() -> {
			for (int i = 0; i < 1_000; i++) {
				compiled.matches(text);
			}
			return List.of();
		}));
		assertThatNoException().isThrownBy(() -> LinearPatterns.validated(() -> {
			compiled.matches(text);
			return List.of();
		}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "^.{1,1000}$", "(\\d{1,3}\\.){3}\\d{1,3}",
			"\\x{1F600}", "\\p{L}{2}", "[{}]{3}", "a{3", "[]a]{2}", "[^]a]{2}", "[[:alpha:]]{9}" })
	void compileTakesWhatCountsLittle(String pattern) {
		assertThat(LinearPatterns.compile(pattern).programSize()).isLessThan(4_000);
	}

	@ParameterizedTest
	@Timeout(10)
	@ValueSource(strings = { "((a{1000}){1000}){1000}", "(([^)]{500}){500}){500}", "((a{999}[)]){999}){999}",
			"((a{999}[]):]){999}){999}", "((a{999}\\)){999}){999}", "((a{999}[[:alpha:])]){999}){999}",
			"((a{999}\\Q)\\E){999}){999}", "((\\x{41}{999}){999}){999}", "(((a{0,999})?){999}){999}",
			"((a{999,}){999,}){999,}" })
	void compileRefusesCountsThatMultiply(String pattern) {
		assertThatExceptionOfType(PatternSyntaxException.class).isThrownBy(() -> LinearPatterns.compile(pattern));
	}

	@Test
	void compileRefusesWhatIsLong() {
		assertThatExceptionOfType(PatternSyntaxException.class)
			.isThrownBy(() -> LinearPatterns.compile("a".repeat(5_000)));
	}

}
