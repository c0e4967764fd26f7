package io.psych.sandbox.log;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class QuotedTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			value = { "orders.list | \"orders.list\"", "'' | \"\"", "häß 日本 \uD83D\uDE00 | \"häß 日本 \uD83D\uDE00\"",
					"say \"hi\" | \"say \\\"hi\\\"\"", "a\\u{a} | \"a\\\\u{a}\"" })
	void textThatIsHarmlessStaysReadable(String text, String quoted) {
		assertThat(Quoted.text(text)).isEqualTo(quoted);
	}

	@Test
	void textHasNoCharacterThatCommandsATerminalEndsALineOrHides() {
		assertThat(Quoted.text("a\u001b[2J\r\nERROR forged\u0000\u007f"))
			.isEqualTo("\"a\\u{1b}[2J\\u{d}\\u{a}ERROR forged\\u{0}\\u{7f}\"");
		assertThat(Quoted.text("\u009b1m \u2028 \u202e \u200b \u2069 \ue000"))
			.isEqualTo("\"\\u{9b}1m \\u{2028} \\u{202e} \\u{200b} \\u{2069} \\u{e000}\"");
		assertThat(Quoted.text("half \ud83d")).isEqualTo("\"half \\u{d83d}\"");
		assertThat(Quoted.text("\udb40\udc41")).isEqualTo("\"\\u{e0041}\"");
	}

	@Test
	void textThatIsLongIsCutBetweenCharactersAndSaysSo() {
		assertThat(Quoted.text("x".repeat(500))).isEqualTo("\"" + "x".repeat(500) + "\"");
		assertThat(Quoted.text("x".repeat(501))).isEqualTo("\"" + "x".repeat(500) + "\" and 1 more");
		assertThat(Quoted.text("\ud83d\ude00".repeat(502)))
			.isEqualTo("\"" + "\ud83d\ude00".repeat(500) + "\" and 4 more");
	}

	@Test
	void problemKeepsWhereItAroseAndQuotesItsMessageAndThoseOfItsCauses() {
		IllegalStateException problem = new IllegalStateException("a\nb", new IllegalArgumentException("c\u001b"));
		Throwable quoted = Quoted.problem(problem);
		assertThat(quoted).hasToString("java.lang.IllegalStateException: \"a\\u{a}b\"");
		assertThat(quoted.getStackTrace()).isEqualTo(problem.getStackTrace());
		assertThat(quoted.getCause()).hasMessage("java.lang.IllegalArgumentException: \"c\\u{1b}\"").hasNoCause();
		assertThat(Quoted.problem(new NullPointerException())).hasToString("java.lang.NullPointerException");
	}

	@Test
	void problemWhoseCausesAreARingEnds() {
		IllegalStateException first = new IllegalStateException("first");
		first.initCause(new IllegalStateException("second", first));
		Throwable last = Quoted.problem(first);
		int causes = 0;
		while (last.getCause() != null) {
			last = last.getCause();
			causes++;
		}
		assertThat(causes).isEqualTo(10);
	}

}
