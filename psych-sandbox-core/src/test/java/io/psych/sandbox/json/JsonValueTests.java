package io.psych.sandbox.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JsonValueTests {

	private static final int MOST_DEPTH = 200;

	private static final int MOST_DIGITS = 4300;

	@Test
	void parseAtTheDeepestLevelIsAcceptedAndOneBelowIsRefused() {
		String deepest = nested(MOST_DEPTH);
		assertThat(JsonValue.parse(deepest).toJson()).isEqualTo(deepest);
		assertRefused(nested(MOST_DEPTH + 1)).withMessageContaining("depth");
		assertRefused("{\"a\":".repeat(MOST_DEPTH + 1) + "1" + "}".repeat(MOST_DEPTH + 1));
	}

	@Test
	void parseOfAsManyValuesAsMayBeIsAcceptedAndOneMoreIsRefused() {
		String most = "[" + "0,".repeat(999_998) + "0]";
		assertThat(JsonValue.parse(most).toJson()).isEqualTo(most);
		String refusal = "there are more than 1000000 values";
		assertRefused("[0," + most.substring(1)).withMessage(refusal);
		assertRefused("[" + "{},".repeat(1_000_000) + "{}]").withMessage(refusal);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';',
			value = { "1; 1", "[]; 1", "[0]; 2", "[[],{}]; 3", "{\"a\":{\"b\":null},\"c\":[1,\"d\"]}; 6" })
	void parseWithinABoundOfValuesCountsEachAndWhatHoldsThem(String text, int values) {
		byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
		assertThat(JsonValue.parse(utf8, 0, utf8.length, values).toJson()).isEqualTo(text);
		assertThatExceptionOfType(JsonFormatException.class)
			.isThrownBy(() -> JsonValue.parse(utf8, 0, utf8.length, values - 1))
			.withMessage("there are more than " + (values - 1) + " values");
	}

	@Test
	void parseOfAPartOfBytesReadsNothingElse() {
		byte[] utf8 = bytes("c3" + "5b22c3a9225d" + "a9");
		assertThat(JsonValue.parse(utf8, 1, 6, 2).toJava()).isEqualTo(List.of("\u00e9"));
		assertThatExceptionOfType(JsonFormatException.class).isThrownBy(() -> JsonValue.parse(utf8, 1, 3, 2))
			.withMessage("the bytes are not UTF-8");
		assertThatExceptionOfType(JsonFormatException.class).isThrownBy(() -> JsonValue.parse(utf8, 1, 7, 2))
			.withMessage("the bytes are not UTF-8");
	}

	@Test
	void parseOfTheLongestIntegerIsExactAndOneDigitMoreIsRefused() {
		for (String sign : List.of("", "-")) {
			String longest = sign + "9".repeat(MOST_DIGITS);
			assertThat(JsonValue.parse(longest).toJava()).isEqualTo(new BigInteger(longest));
			assertThat(JsonValue.parse(longest).toJson()).isEqualTo(longest);
			assertRefused(longest + "9").withMessageContaining("more than 4300 digits");
		}
	}

	@Test
	void parseOfTheLongestDecimalIsExactAndOneDigitMoreIsRefused() {
		for (String sign : List.of("", "-")) {
			String longest = sign + "1." + "3".repeat(MOST_DIGITS - 1);
			assertThat(JsonValue.parse(longest).toJava()).isEqualTo(new BigDecimal(longest));
			assertRefused(longest + "3").withMessageContaining("more than 4300 digits");
		}
	}

	@Test
	void parseOfALineOfDigitsIsRefusedWithoutBeingComputed() {
		assertRefused("1".repeat(5_000_000));
		assertRefused("1." + "1".repeat(5_000_000));
	}

	@ParameterizedTest
	@CsvSource({ "1e10000, 1e10001", "1e-10000, 1e-10001", "-1E+10000, -1E+10001", "1e010000, 1e0010000" })
	void parseOfTheLargestExponentIsExactAndOneMoreIsRefused(String accepted, String refused) {
		assertThat(JsonValue.parse(accepted).toJava()).isEqualTo(new BigDecimal(accepted));
		assertRefused(refused).withMessageContaining("exponent").withMessageContaining("out of range");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1e999999999", "1e2147483648", "1e-99999999999999999999", "0e99999" })
	void parseOfAnAbsurdExponentIsRefused(String number) {
		assertRefused(number).withMessageContaining("exponent");
	}

	@Test
	void parseWhenANameStandsTwiceIsRefused() {
		assertRefused("{\"a\":1,\"a\":1}").withMessage("an object has two members of the name a");
		assertRefused("{\"a\":1,\"\\u0061\":2}");
		assertRefused("[{\"x\":{\"b\":null,\"b\":null}}]");
		assertThat(JsonValue.parse("{\"a\":{\"a\":1},\"b\":{\"a\":1}}").members()).containsOnlyKeys("a", "b");
	}

	@ParameterizedTest
	@ValueSource(strings = { "NaN", "Infinity", "-Infinity", "[NaN]", "+1", ".5", "5.", "01", "-", "1e", "0x10", "tru",
			"nulll", "True", "None", "'a'", "\"a", "\"\t\"", "\"\\x\"", "\"\\u12\"", "[1,]", "[,1]", "{\"a\":1,}",
			"{a:1}", "{\"a\"}", "{\"a\":}", "[1", "{", "[1}", "]", "/*c*/1", "//c\n1", "#c\n1", "\u000b1", "\ufeff1",
			"(1, 2)", "undefined" })
	void parseOfWhatIsNoJsonIsRefused(String text) {
		assertRefused(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\n\t\r " })
	void parseOfNothingIsRefused(String text) {
		assertRefused(text).withMessage("there is no JSON value");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1 2", "{}{}", "[] []", "null,", "1 x", "{} ]", "\"a\"\"b\"" })
	void parseOfMoreThanOneValueIsRefused(String text) {
		assertRefused(text);
	}

	@Test
	void parseTakesWhiteSpaceAroundAValue() {
		assertThat(JsonValue.parse(" \r\n\t [ 1 , 2 ] \n").toJson()).isEqualTo("[1,2]");
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource({ "ff, a byte no character begins with", "80, a continuation without a beginning",
			"c3, half a character", "c328, a beginning without its continuation", "c080, NUL in two bytes",
			"e08080, NUL in three", "eda080, a surrogate", "f4908080, beyond the last code point",
			"f5808080, beyond the last beginning", "f09f98, three quarters of a character" })
	void parseOfInvalidUtf8IsRefusedInValuesAndNames(String hex, String what) {
		byte[] inValue = bytes("5b22" + hex + "225d");
		byte[] inName = bytes("7b22" + hex + "223a317d");
		for (byte[] utf8 : List.of(inValue, inName)) {
			assertThatExceptionOfType(JsonFormatException.class).as(what)
				.isThrownBy(() -> JsonValue.parse(utf8))
				.withMessage("the bytes are not UTF-8");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE" })
	void parseOfAnotherEncodingIsRefused(String charset) {
		byte[] bytes = "{\"a\":1}".getBytes(Charset.forName(charset));
		assertThatExceptionOfType(JsonFormatException.class).isThrownBy(() -> JsonValue.parse(bytes));
	}

	@Test
	void parseOfNulIsRefusedUnlessEscaped() {
		assertRefused("1\u0000");
		assertRefused("\u00001");
		assertRefused("\"\u0000\"");
		assertThat(JsonValue.parse("\"\\u0000\"").toJava()).isEqualTo("\u0000");
		assertThat(JsonValue.parse("\"\\u0000\"").toJson()).isEqualTo("\"\\u0000\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
			"-9223372036854775809", "999999999999999999", "1000000000000000000",
			"123456789012345678901234567890123456789012345678901234567890" })
	void integersAreExactThereAndBack(String text) {
		Object read = JsonValue.parse(text).toJava();
		assertThat(read).isInstanceOfAny(Long.class, BigInteger.class).hasToString(text);
		assertThat(JsonValue.of(new BigInteger(text))).isEqualTo(JsonValue.parse(text));
		assertThat(JsonValue.parse(text).toJson()).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource({ "1.0, 1.0", "0.1, 0.1", "1e308, 1.0E308", "1.7976931348623157e308, 1.7976931348623157E308",
			"4.9e-324, 4.9E-324", "-1.5e-7, -1.5E-7", "-0.0, -0.0", "-0e5, -0.0", "0.10, 0.1", "1e2, 100.0" })
	void decimalsThatADoubleHoldsAreDoubles(String text, String written) {
		JsonValue value = JsonValue.parse(text);
		assertThat(value.toJava()).isEqualTo(Double.valueOf(text));
		assertThat(value.toJson()).isEqualTo(written);
		assertThat(JsonValue.parse(value.toJson())).isEqualTo(value);
	}

	@ParameterizedTest
	@ValueSource(strings = { "1E+309", "-1E+400", "1E-400", "3.14159265358979323846264338327950288",
			"0.1000000000000000055511151231257827", "123456789.12345678901234567890" })
	void decimalsThatADoubleDoesNotHoldAreExact(String text) {
		JsonValue value = JsonValue.parse(text);
		assertThat(value.toJava()).isEqualTo(new BigDecimal(text));
		assertThat(value.toJson()).isEqualTo(text);
	}

	@Test
	void decimalOfAWholeNumberIsReadBackAsItWasWritten() {
		for (BigDecimal number : List.of(new BigDecimal("12345678901234567890123"), new BigDecimal("100"),
				new BigDecimal("1E+400"), new BigDecimal("12345678901234567.5e1"))) {
			JsonValue value = JsonValue.of(number);
			assertThat(JsonValue.parse(value.toJson())).isEqualTo(value);
			assertThat(new BigDecimal(value.toJson())).isEqualByComparingTo(number);
		}
	}

	@Test
	void unpairedSurrogateIsReplaced() {
		assertThat(JsonValue.parse("[\"\\ud800x\"]").toJson()).isEqualTo("[\"\uFFFDx\"]");
		assertThat(JsonValue.parse("[\"x\udc00\"]").toJson()).isEqualTo("[\"x\uFFFD\"]");
		assertThat(JsonValue.of(List.of("\ud83d", "\udc00\ud83d", "\ud83d\ude00")).toJson())
			.isEqualTo("[\"\uFFFD\",\"\uFFFD\uFFFD\",\"\ud83d\ude00\"]");
		assertThat(JsonValue.of(Map.of("\ud800", 1)).toJson()).isEqualTo("{\"\uFFFD\":1}");
	}

	@Test
	void parseOfANameWithAnUnpairedSurrogateIsRefused() {
		assertRefused("{\"\\ud800\":1}");
		assertRefused("{\"a\\udc00b\":1}");
		assertRefused("{\"a\udbff\":1}");
		assertThat(JsonValue.parse("{\"\\ud83d\\ude00\":1}").members()).containsOnlyKeys("\ud83d\ude00");
	}

	@Test
	void namesThatDifferOnlyInUnpairedSurrogatesAreRefused() {
		Map<String, Object> names = new LinkedHashMap<>();
		names.put("\ud800", 1);
		names.put("\ud801", 2);
		assertThatExceptionOfType(JsonFormatException.class).isThrownBy(() -> JsonValue.of(names))
			.withMessage("an object has two members of the name \uFFFD");
	}

	@Test
	void ofTakesEveryIntegerOfTheJdk() {
		assertThat(JsonValue
			.of(List.of((byte) 1, (short) 2, 3, 4L, new AtomicInteger(5), new AtomicLong(6), BigInteger.valueOf(7)))
			.toJava()).isEqualTo(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L));
		assertThat(JsonValue.of(0.5f).toJava()).isEqualTo(0.5d);
	}

	@Test
	void ofANumberThatIsNotFiniteIsTheStringJavaPrints() {
		assertThat(JsonValue.of(List.of(Double.NaN, Double.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY)).toJson())
			.isEqualTo("[\"NaN\",\"Infinity\",\"-Infinity\"]");
	}

	@Test
	void ofANumberOutOfBoundsIsRefused() {
		assertThat(JsonValue.of(BigInteger.TEN.pow(MOST_DIGITS).subtract(BigInteger.ONE)).toJson())
			.hasSize(MOST_DIGITS);
		assertNotJson(BigInteger.TEN.pow(MOST_DIGITS)).withMessageContaining("4300 digits");
		assertNotJson(BigInteger.TEN.pow(MOST_DIGITS).negate()).withMessageContaining("4300 digits");
		assertNotJson(new BigDecimal("0." + "3".repeat(MOST_DIGITS + 1))).withMessageContaining("4300 digits");
		assertNotJson(new BigDecimal(BigInteger.ONE, 10_001)).withMessageContaining("exponent");
		assertNotJson(new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE)).withMessageContaining("exponent");
	}

	@Test
	void ofAnUnknownClassIsRefusedByItsName() {
		assertNotJson(new Object()).withMessage("a java.lang.Object has no JSON form");
		assertNotJson('c').withMessage("a java.lang.Character has no JSON form");
		assertNotJson(new int[] { 1 }).withMessageContaining("has no JSON form");
		assertNotJson(Optional.of(1)).withMessage("a java.util.Optional has no JSON form");
		assertNotJson(List.of(Map.of("a", new StringBuilder("b")))).withMessageContaining("StringBuilder");
	}

	@Test
	void ofANumberOfAnotherClassIsRefusedInsteadOfRounded() {
		assertNotJson(new Half()).withMessageContaining("Half has no JSON form");
	}

	@Test
	void ofAMapWithAKeyThatIsNoStringIsRefused() {
		assertNotJson(Map.of(1, "a")).withMessage("a JSON object has string keys, but 1 is none");
		assertNotJson(Collections.singletonMap(null, "a")).withMessageContaining("null is none");
	}

	@Test
	void ofAtTheDeepestLevelIsAcceptedAndOneBelowIsRefused() {
		assertThat(JsonValue.of(lists(MOST_DEPTH)).toJson()).isEqualTo(nested(MOST_DEPTH));
		assertNotJson(lists(MOST_DEPTH + 1)).withMessage("the value is more than 200 levels deep");
		List<Object> itself = new ArrayList<>();
		itself.add(Map.of("again", itself));
		assertNotJson(itself).withMessage("the value is more than 200 levels deep");
	}

	@Test
	void ofADeepestValueTakesOneLevelAroundItAndNoSecond() {
		JsonValue deepest = JsonValue.parse(nested(MOST_DEPTH));
		JsonValue framed = JsonValue.of(Map.of("value", deepest));
		assertThat(framed.toJson()).isEqualTo("{\"value\":" + nested(MOST_DEPTH) + "}");
		assertNotJson(List.of(framed)).withMessage("the value is more than 201 levels deep");
		assertNotJson(List.of(List.of(deepest))).withMessage("the value is more than 201 levels deep");
	}

	@Test
	void ofKeepsNoHoldOnWhatItWasMadeOf() {
		List<Object> list = new ArrayList<>(List.of(1));
		Map<String, Object> map = new LinkedHashMap<>(Map.of("list", list));
		JsonValue value = JsonValue.of(map);
		list.add(2);
		map.put("more", 3);
		assertThat(value.toJson()).isEqualTo("{\"list\":[1]}");
		assertThat(value.members()).isUnmodifiable();
	}

	@Test
	void ofAJsonValueIsThatValue() {
		JsonValue value = JsonValue.parse("{\"a\":[1]}");
		assertThat(JsonValue.of(value)).isSameAs(value);
		assertThat(JsonValue.of(Arrays.asList(value, JsonValue.NULL, null)).toJson())
			.isEqualTo("[{\"a\":[1]},null,null]");
	}

	@Test
	void treesOfEverySizeAreUnmodifiable() {
		for (String json : List.of("[]", "[null]", "[1,2]")) {
			List<?> list = (List<?>) JsonValue.parse(json).toJava();
			assertThat(list).isEqualTo(JsonValue.of(new ArrayList<>(list)).toJava());
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> list.add(null));
			assertThat(list.contains(null)).isEqualTo(json.contains("null"));
			if (!list.isEmpty()) {
				assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> list.set(0, null));
				assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> list.remove(0));
			}
		}
		for (String json : List.of("{}", "{\"a\":null}", "{\"a\":1,\"b\":2}")) {
			Map<String, Object> members = JsonValue.parse(json).members();
			assertThat(members).isEqualTo(JsonValue.of(new LinkedHashMap<>(members)).toJava());
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> members.put("a", "b"));
			if (!members.isEmpty()) {
				assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> members.remove("a"));
				assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(members::clear);
			}
		}
	}

	@Test
	void memberTellsAnAbsentMemberFromNull() {
		JsonValue value = JsonValue.parse("{\"a\":null}");
		assertThat(value.member("a")).isEqualTo(JsonValue.NULL);
		assertThat(value.member("b")).isNull();
		assertThat(JsonValue.parse("[1]").member("a")).isNull();
	}

	@Test
	void accessorsNeverCoerce() {
		JsonValue value = JsonValue.parse("""
				{"text":"1","number":1,"float":1.0,"big":9223372036854775808,"bool":true,"null":null,
				"strings":["a"],"mixed":["a",1],"object":{}}""");
		assertThat(value.string("text")).isEqualTo("1");
		assertThat(value.integer("number")).isEqualTo(1);
		assertThat(value.strings("strings")).containsExactly("a");
		for (String name : List.of("number", "float", "bool", "null", "strings", "object", "absent")) {
			assertThat(value.string(name)).as(name).isNull();
		}
		for (String name : List.of("text", "float", "big", "bool", "null", "strings", "absent")) {
			assertThat(value.integer(name)).as(name).isNull();
		}
		for (String name : List.of("text", "mixed", "object", "null", "absent")) {
			assertThat(value.strings(name)).as(name).isNull();
		}
	}

	@Test
	void everyCharacterIsWrittenAsTheLibraryWritesItAndCountedAsItIsWritten() {
		for (int code = 0; code <= Character.MAX_CODE_POINT; code++) {
			if (code < Character.MIN_SURROGATE || code > Character.MAX_SURROGATE) {
				assertWritten(Character.toString(code));
			}
			if (code == 0x2FFF) {
				code = 0xD7FE;
			}
			if (code == 0x10100) {
				code = 0x10FFF0;
			}
		}
	}

	@Test
	void textsOfEveryLengthAreWrittenAndCountedWithWhatIsEscapedAtEveryPlace() {
		for (String special : List.of("\"", "\\", "\n", "\u0000", "\u001f", "\u007f", "é", "€", "😀")) {
			for (int length = 0; length < 40; length++) {
				assertWritten("x".repeat(length) + special + "y".repeat(40 - length));
			}
			assertWritten("x".repeat(17 * 1024) + special);
			assertWritten(special.repeat(17 * 1024));
		}
	}

	private static void assertWritten(String text) {
		JsonValue value = JsonValue.of(text);
		assertThat(value.toJson()).isEqualTo(value.toPrettyJson());
		assertThat(JsonValue.of(text).utf8Length()).isEqualTo(value.toUtf8().length);
		assertThat(JsonValue.parse(value.toUtf8())).isEqualTo(value);
		JsonValue named = JsonValue.of(Map.of(text, List.of(text, text)));
		assertThat(JsonValue.parse(named.toUtf8())).isEqualTo(named);
	}

	@Test
	void toUtf8WithWhatIsAroundItIsOneText() {
		assertThat(new String(JsonValue.of(List.of("é", 1)).toUtf8("{\"a\":", "}\n"), StandardCharsets.UTF_8))
			.isEqualTo("{\"a\":[\"é\",1]}\n");
	}

	@Test
	void parseOfAsciiRefusesAnotherEncodingOfIt() {
		for (Charset charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE,
				Charset.forName("UTF-32LE"), Charset.forName("UTF-32BE"))) {
			byte[] bytes = "{\"a\":\"b\"}".getBytes(charset);
			assertThatExceptionOfType(JsonFormatException.class).isThrownBy(() -> JsonValue.parse(bytes));
		}
	}

	@Test
	void toPrettyJsonIsTheSameValueOnSeveralLines() {
		JsonValue value = JsonValue.parse("{\"a\":[1,{\"b\":\"c\"}],\"d\":{}}");
		assertThat(value.toPrettyJson()).isEqualTo("""
				{
				  "a" : [
				    1,
				    {
				      "b" : "c"
				    }
				  ],
				  "d" : { }
				}""");
		assertThat(JsonValue.parse(value.toPrettyJson())).isEqualTo(value);
	}

	@Test
	void equalsAndHashCodeFollowTheTree() {
		assertThat(JsonValue.parse("{\"a\":1,\"b\":[2.0]}")).isEqualTo(JsonValue.parse("{\"b\":[2.0],\"a\":1}"))
			.hasSameHashCodeAs(JsonValue.parse("{\"b\":[2.0],\"a\":1}"))
			.isNotEqualTo(JsonValue.parse("{\"a\":1,\"b\":[2]}"))
			.hasToString("{\"a\":1,\"b\":[2.0]}");
		assertThat(JsonValue.parse("0.0")).isNotEqualTo(JsonValue.parse("-0.0"));
		assertThat(JsonValue.NULL).isEqualTo(JsonValue.parse("null")).isNotEqualTo(null);
		assertThat(JsonValue.NULL.isNull()).isTrue();
		assertThat(JsonValue.parse("{}").isObject()).isTrue();
		assertThat(JsonValue.parse("[]").isObject()).isFalse();
	}

	private static ThrowableAssertAlternative<JsonFormatException> assertRefused(String text) {
		return assertThatExceptionOfType(JsonFormatException.class).isThrownBy(() -> JsonValue.parse(text));
	}

	private static ThrowableAssertAlternative<JsonFormatException> assertNotJson(Object value) {
		return assertThatExceptionOfType(JsonFormatException.class).isThrownBy(() -> JsonValue.of(value));
	}

	private static String nested(int depth) {
		return "[".repeat(depth) + "]".repeat(depth);
	}

	private static Object lists(int depth) {
		List<Object> list = List.of();
		for (int i = 1; i < depth; i++) {
			list = List.of(list);
		}
		return list;
	}

	private static byte[] bytes(String hex) {
		return HexFormat.of().parseHex(hex);
	}

	/**
	 * A number that no integer stands for.
	 */
	private static final class Half extends Number {

		@Override
		public int intValue() {
			return 0;
		}

		@Override
		public long longValue() {
			return 0;
		}

		@Override
		public float floatValue() {
			return 0.5f;
		}

		@Override
		public double doubleValue() {
			return 0.5;
		}

	}

}
