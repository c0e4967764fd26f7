package io.psych.sandbox.tool;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ArgumentsTests {

	private static final String WEATHER = """
			{
				"type": "object",
				"properties": {
					"city": {"type": "string", "maxLength": 20},
					"days": {"type": "integer", "minimum": 1, "maximum": 7},
					"unit": {"enum": ["celsius", "fahrenheit"]},
					"filter": {
						"type": "object",
						"properties": {"minimum": {"type": "number"}},
						"required": ["minimum"],
						"additionalProperties": false
					},
					"tags": {"type": "array", "items": {"type": "string"}}
				},
				"required": ["city"],
				"additionalProperties": false
			}""";

	private static final String ACCEPTED = "weather takes `city`, `days` (optional), `unit` (optional),"
			+ " `filter` (optional), `tags` (optional).";

	private final Arguments arguments = new Arguments();

	@ParameterizedTest
	@ValueSource(strings = { "{'city':'Oslo'}", "{'city':'Oslo','days':1}", "{'city':'Oslo','days':7}",
			"{'city':'Oslo','unit':'celsius','tags':[]}",
			"{'city':'Oslo','filter':{'minimum':-3.5},'tags':['a','b']}" })
	void argumentsThatFitHaveNoProblem(String given) {
		assertThat(problem(given, WEATHER)).isNull();
	}

	@Test
	void unknownArgumentNamesTheNearestAndTheAcceptedOnes() {
		assertThat(problem("{'city':'Oslo','day':3}", WEATHER))
			.isEqualTo("`day` is not an argument of weather; did you mean `days`?. " + ACCEPTED);
		assertThat(problem("{'city':'Oslo','Unit':'celsius'}", WEATHER)).contains("did you mean `unit`?");
	}

	@Test
	void unknownArgumentThatResemblesNoneNamesTheAcceptedOnes() {
		assertThat(problem("{'city':'Oslo','latitude':3}", WEATHER))
			.isEqualTo("`latitude` is not an argument of weather. " + ACCEPTED);
	}

	@Test
	void missingArgumentIsNamed() {
		assertThat(problem("{}", WEATHER)).isEqualTo("the argument `city` is missing. " + ACCEPTED);
		assertThat(problem("{'cty':'Oslo'}", WEATHER))
			.isEqualTo("`cty` is not an argument of weather; did you mean `city`?; the argument `city` is missing. "
					+ ACCEPTED);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', value = {
			"{'city':5} | argument `city` is 5, but integer found, string expected",
			"{'city':null} | argument `city` is null, but null found, string expected",
			"{'city':'Oslo','days':'3'} | argument `days` is \"3\", but string found, integer expected",
			"{'city':'Oslo','days':1.5} | argument `days` is 1.5, but number found, integer expected",
			"{'city':'Oslo','days':true} | argument `days` is true, but boolean found, integer expected",
			"{'city':'Oslo','tags':'a'} | argument `tags` is \"a\", but string found, array expected",
			"{'city':'Oslo','tags':['a',2]} | argument `tags/1` is 2, but integer found, string expected",
			"{'city':'Oslo','filter':{'minimum':'x'}} | argument `filter/minimum` is \"x\", but string found",
			"{'city':'Oslo','filter':{}} | argument `filter` is {}, but required property 'minimum' not found",
			"{'city':'Oslo','filter':{'minimum':1,'max':2}} | argument `filter` is {\"minimum\":1,\"max\":2}, but property 'max' is not defined" })
	void argumentOfAnotherTypeIsToldByNameAndByWhatWasGiven(String given, String problem) {
		assertThat(problem(given, WEATHER)).startsWith(problem).endsWith(ACCEPTED);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', value = {
			"{'city':'Oslo','days':0} | argument `days` is 0, but must have a minimum value of 1",
			"{'city':'Oslo','days':8} | argument `days` is 8, but must have a maximum value of 7",
			"{'city':'Llanfairpwllgwyngyll+'} | argument `city` is \"Llanfairpwllgwyngyll+\", but must be at most 20 characters long",
			"{'city':'Oslo','unit':'kelvin'} | argument `unit` is \"kelvin\", but does not have a value in the enumeration [\"celsius\", \"fahrenheit\"]" })
	void argumentBeyondItsBoundsIsToldWithThem(String given, String problem) {
		assertThat(problem(given, WEATHER)).isEqualTo(problem + ". " + ACCEPTED);
	}

	@Test
	void severalProblemsAreToldTogetherAndTooManyAreNot() {
		assertThat(problem("{'city':1,'days':0,'unit':2}", WEATHER)).contains("`city`", "`days` is 0", "`unit` is 2");
		assertThat(problem("{'city':'a','tags':[1,2,3,4,5,6,7,8]}", WEATHER)).contains("`tags/4`")
			.doesNotContain("`tags/5`");
	}

	@Test
	void problemOfTheArgumentsAsAWholeIsToldAsSuch() {
		assertThat(problem("{'a':1,'b':2}", "{\"type\":\"object\",\"maxProperties\":1}"))
			.startsWith("the whole of the arguments is {\"a\":1,\"b\":2}, but")
			.endsWith("weather takes no arguments.");
	}

	@Test
	void whatWasGivenIsClipped() {
		String problem = problem("{'city':['" + "x".repeat(10_000) + "'],'" + "y".repeat(10_000) + "':1}", WEATHER);
		assertThat(problem).hasSizeLessThan(600);
		assertThat(problem("{'city':['" + "x".repeat(10_000) + "']}", WEATHER)).hasSizeLessThan(600)
			.contains("xxx..., but array found, string expected");
	}

	@Test
	@Timeout(30)
	void argumentsThatAreWrongAThousandTimesAreToldInAFewWords() {
		StringBuilder unknown = new StringBuilder("{'city':'Oslo'");
		for (int i = 0; i < 200_000; i++) {
			unknown.append(",'k").append(i).append("':1");
		}
		String wrongItems = "{'city':'Oslo','tags':[1" + ",1".repeat(500_000) + "]}";
		assertThat(problem(unknown.append('}').toString(), WEATHER)).hasSizeLessThan(1_000)
			.contains("`k0` is not an argument", "`k4` is not an argument")
			.doesNotContain("`k5`");
		assertThat(problem(wrongItems, WEATHER)).hasSizeLessThan(1_000)
			.contains("argument `tags/0` is 1")
			.doesNotContain("`tags/1`");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"type\":\"object\",\"properties\":{\"city\":{\"$ref\":\"#/nowhere\"}}}",
			"{\"properties\":{\"city\":{\"pattern\":\"(\"}}}", "{\"properties\":{\"city\":null}}",
			"{\"properties\":{\"city\":{\"minimum\":\"one\"}}}", "{\"$schema\":\"urn:unknown\"}", "[]", "null", "7",
			"\"object\"", "{\"$id\":\"::\"}", "{\"properties\":[],\"required\":\"city\",\"allOf\":7}" })
	void brokenSchemaOfAThirdPartyIsLeftToTheTool(String schema) {
		assertThat(problem("{'city':'Oslo'}", schema)).isNull();
		assertThat(problem("{}", schema)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "{}", "{\"type\":\"object\"}", "{\"type\":\"object\",\"properties\":{}}" })
	void schemaThatSaysLittleTakesAnything(String schema) {
		assertThat(problem("{'city':'Oslo'}", schema)).isNull();
	}

	@Test
	void partsOfABrokenSchemaThatCanBeReadAreStillChecked() {
		String schema = "{\"properties\":{\"a\":{\"$ref\":\"#/nowhere\"}},\"required\":[\"a\"],\"additionalProperties\":false}";
		assertThat(problem("{'b':1}", schema)).contains("`b` is not an argument", "`a` is missing");
	}

	@Test
	void programCannotEvadeTheCheckWithWhatTheValidatorDoesNotRead() {
		String wrong = "{'city':'Oslo','days':'x','tags':['a'],'filter':{'minimum':%s}}";
		assertThat(problem(wrong.formatted("1".repeat(4_000)), WEATHER)).contains("the arguments can't be checked");
		assertThat(problem("{'city':5,'%s':1}".formatted("n".repeat(60_000)), FakeTool.ANYTHING))
			.contains("the arguments can't be checked");
	}

	@Test
	void schemaWhoseReferencesGoInACircleChecksNothing() {
		String schema = "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/t\"}},\"$defs\":{\"t\":{\"$ref\":\"#/$defs/t\"}}}";
		assertThat(problem("{'a':1}", schema)).contains("the arguments can't be checked");
		assertThat(problem("{}", schema)).isNull();
	}

	@Test
	void schemaIsNeverLoadedFromElsewhere(@TempDir Path folder) throws IOException {
		Path file = Files.writeString(folder.resolve("schema.json"), "{\"type\":\"integer\"}");
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			server.setSoTimeout(100);
			String address = "http://127.0.0.1:" + server.getLocalPort() + "/schema";
			assertThat(problem("{'city':'Oslo'}", "{\"properties\":{\"city\":{\"$ref\":\"" + address + "\"}}}"))
				.isNull();
			assertThat(problem("{'city':'Oslo'}", "{\"$schema\":\"" + address + "\",\"type\":\"object\"}")).isNull();
			assertThat(problem("{'city':'Oslo'}", "{\"properties\":{\"city\":{\"$ref\":\"" + file.toUri() + "\"}}}"))
				.isNull();
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(server::accept);
		}
	}

	@ParameterizedTest
	@CsvSource({ "from_, from", "class_, class", "in_, in", "None_, None" })
	void trailingUnderscoreThatEvadesAKeywordIsTakenOff(String given, String named) {
		String schema = "{\"properties\":{\"" + named + "\":{},\"other\":{}}}";
		assertThat(named("{'other':1,'" + given + "':2}", schema))
			.isEqualTo(JsonValue.parse("{\"other\":1,\"" + named + "\":2}"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			value = { "{'name_':1} | {\"properties\":{\"name\":{}}}",
					"{'from_':1} | {\"properties\":{\"from_\":{},\"from\":{}}}",
					"{'from_':1} | {\"properties\":{\"to\":{}}}", "{'from__':1} | {\"properties\":{\"from\":{}}}",
					"{'_':1} | {\"properties\":{\"\":{}}}", "{'from_':1,'from':2} | {\"properties\":{\"from\":{}}}",
					"{'from':2,'from_':1} | {\"properties\":{\"from\":{}}}", "{'from_':1} | {}", "{'from_':1} | true" })
	void argumentsAreKeptAsTheyAreOtherwise(String given, String schema) {
		assertThat(named(given, schema)).isEqualTo(JsonValue.parse(given.replace('\'', '"')));
	}

	@Test
	void namedKeepsTheOrderAndTheValues() {
		assertThat(named("{'b':[1],'from_':{'from_':2},'a':null}", "{\"properties\":{\"from\":{},\"a\":{},\"b\":{}}}")
			.toJson()).isEqualTo("{\"b\":[1],\"from\":{\"from_\":2},\"a\":null}");
	}

	private String problem(String given, String schema) {
		return this.arguments.problem("weather", JsonValue.parse(given.replace('\'', '"')), JsonValue.parse(schema));
	}

	private JsonValue named(String given, String schema) {
		return this.arguments.named(JsonValue.parse(given.replace('\'', '"')), JsonValue.parse(schema));
	}

}
