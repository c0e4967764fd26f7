package io.psych.sandbox.tool;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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

	private static final String ACCEPTED = "weather takes `city`, `days` (optional), `filter` (optional),"
			+ " `tags` (optional), `unit` (optional).";

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
			.isEqualTo("`day` is not an argument of weather; did you mean `days`? " + ACCEPTED);
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
			"{'city':5} | argument `city` is 5, but must be text (at most 20 characters)",
			"{'city':null} | argument `city` is None, but must be text (at most 20 characters)",
			"{'city':'Oslo','days':'3'} | argument `days` is \"3\", but must be a whole number (1 to 7)",
			"{'city':'Oslo','days':1.5} | argument `days` is 1.5, but must be a whole number (1 to 7)",
			"{'city':'Oslo','days':true} | argument `days` is True, but must be a whole number (1 to 7)",
			"{'city':'Oslo','tags':'a'} | argument `tags` is \"a\", but must be a list, each text",
			"{'city':'Oslo','tags':['a',2]} | argument `tags[1]` is 2, but must be text",
			"{'city':'Oslo','filter':{'minimum':'x'}} | argument `filter.minimum` is \"x\", but must be a number",
			"{'city':'Oslo','filter':7} | argument `filter` is 7, but must be a dict with `minimum`",
			"{'city':'Oslo','filter':{}} | argument `filter` lacks `minimum`",
			"{'city':'Oslo','filter':{'minimum':1,'max':2}} | `filter.max` is not accepted, only `minimum`" })
	void argumentOfAnotherTypeIsToldByNameAndByWhatIsAccepted(String given, String problem) {
		assertThat(problem(given, WEATHER)).isEqualTo(problem + ". " + ACCEPTED);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', value = {
			"{'city':'Oslo','days':0} | argument `days` is 0, but must be a whole number (1 to 7).",
			"{'city':'Oslo','days':8} | argument `days` is 8, but must be a whole number (1 to 7).",
			"{'city':'Llanfairpwllgwyngyll+'} | argument `city` is \"Llanfairpwllgwyngyll+\", but must be text (at most 20 characters).",
			"{'city':'Oslo','unit':'kelvin'} | argument `unit` is \"kelvin\", but must be one of \"celsius\", \"fahrenheit\".",
			"{'city':'Oslo','unit':'Celsius'} | argument `unit` is \"Celsius\", but must be one of \"celsius\", \"fahrenheit\"; did you mean \"celsius\"?",
			"{'city':'Oslo','filter':{'minimum':1,'minimun':2}} | `filter.minimun` is not accepted; did you mean `minimum`?" })
	void argumentBeyondItsBoundsIsToldWithThemAndWithTheNearest(String given, String problem) {
		assertThat(problem(given, WEATHER)).isEqualTo(problem + " " + ACCEPTED);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', value = {
			"{'anyOf':[{'type':'string'},{'type':'integer','minimum':3}]} | true | argument `v` is True, but must be text or a whole number (at least 3)",
			"{'oneOf':[{'type':'string'},{'type':'null'}]} | 1 | argument `v` is 1, but must be text or None",
			"{'oneOf':[{'type':'number'},{'type':'integer'}]} | 1 | argument `v` is 1, which fits several ways of which it must fit exactly one",
			"{'type':'array','items':{'anyOf':[{'type':'string'},{'type':'null'}]}} | ['a',1,2] | argument `v[1]` is 1, but must be text or None; argument `v[2]` is 2, but must be text or None",
			"{'oneOf':[{'type':'object','properties':{'kind':{'const':'a'},'x':{'type':'integer'}},'required':['kind','x']},{'type':'object','properties':{'kind':{'const':'b'}},'required':['kind']}]} | {'kind':'a','x':'s'} | argument `v.x` is \"s\", but must be a whole number",
			"{'oneOf':[{'type':'object','properties':{'kind':{'const':'a'}},'required':['kind']},{'type':'object','properties':{'kind':{'const':'b'}},'required':['kind']}]} | {'kind':'c'} | argument `v` is {\"kind\": \"c\"}, but must be a dict with `kind`",
			"{'type':'array','prefixItems':[{'type':'string'}],'items':false} | ['a',1] | argument `v` is [\"a\", 1], which has too many elements",
			"{'type':'array','maxItems':1} | [1,2] | argument `v` is [1, 2], but must be a list (at most 1 item)",
			"{'type':'array','uniqueItems':true} | [1,1] | argument `v` is [1, 1], but must be a list (none twice)",
			"{'type':'string','pattern':'^[a-z]+$'} | 'A' | argument `v` is \"A\", but must be text (pattern ^[a-z]+$)",
			"{'type':'number','multipleOf':5} | 3 | argument `v` is 3, but must be a number (a multiple of 5)",
			"{'const':'x'} | 'y' | argument `v` is \"y\", but must be \"x\"",
			"{'not':{'type':'string'}} | 'a' | argument `v` is \"a\", which is not accepted",
			"false | 1 | argument `v` is 1, which is not accepted",
			"{'type':'object','propertyNames':{'pattern':'^a'}} | {'b':1} | `b` is no name for a member of argument `v`, which must be text (pattern ^a)",
			"{'type':'object','additionalProperties':{'type':'integer'}} | {'a b':'x'} | argument `v[\"a b\"]` is \"x\", but must be a whole number",
			"{'allOf':[{'$ref':'#/$defs/t'}]} | 'y' | argument `v` is \"y\", but must be one of 1, 2" })
	void problemIsToldInTheWordsOfTheSchema(String schema, String given, String problem) {
		String whole = "{\"properties\":{\"v\":%s},\"$defs\":{\"t\":{\"enum\":[1,2]}}}";
		assertThat(problem("{'v':" + given + "}", whole.formatted(schema.replace('\'', '"'))))
			.isEqualTo(problem + ". weather takes `v` (optional).");
	}

	@Test
	void whatTheSchemaOfAThirdPartySaysStaysOnItsLine() {
		String problem = problem("{'a':'b\\nc'}",
				"{\"properties\":{\"a\":{\"enum\":[\"x\\ny\\u202e\"],\"pattern\":\"\\n\"}},\"additionalProperties\":false}");
		assertThat(problem)
			.isEqualTo("argument `a` is \"b\\nc\", but must be \"x\\ny\\u202e\". weather takes `a` (optional).");
		assertThat(problem("{'x\\ny':1}", "{\"properties\":{\"z\\nw\":{}},\"additionalProperties\":false}"))
			.isEqualTo("`x y` is not an argument of weather. weather takes `z w` (optional).");
	}

	@Test
	void severalProblemsAreToldTogetherAndTooManyAreNot() {
		assertThat(problem("{'city':1,'days':0,'unit':2}", WEATHER)).contains("`city`", "`days` is 0", "`unit` is 2");
		assertThat(problem("{'city':'a','tags':[1,2,3,4,5,6,7,8]}", WEATHER)).contains("`tags[4]`")
			.doesNotContain("`tags[5]`");
	}

	@Test
	void problemOfTheArgumentsAsAWholeIsToldAsSuch() {
		assertThat(problem("{'a':1,'b':2}", "{\"type\":\"object\",\"maxProperties\":1}"))
			.startsWith("the whole of the arguments is {\"a\": 1, \"b\": 2}, but must be a dict (at most 1 name)")
			.endsWith("weather takes no arguments.");
	}

	@Test
	void whatWasGivenIsClipped() {
		String problem = problem("{'city':['" + "x".repeat(10_000) + "'],'" + "y".repeat(10_000) + "':1}", WEATHER);
		assertThat(problem).hasSizeLessThan(600);
		assertThat(problem("{'city':['" + "x".repeat(10_000) + "']}", WEATHER)).hasSizeLessThan(600)
			.contains("xxx..., but must be text");
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
			.contains("argument `tags[0]` is 1")
			.doesNotContain("`tags[1]`");
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
		String longName = "{'city':5,'%s':1}".formatted("n".repeat(60_000));
		assertThat(problem(longName, "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}"))
			.contains("the arguments can't be checked");
		assertThat(problem(longName, FakeTool.ANYTHING)).isNull();
	}

	@Test
	void schemaWhoseReferencesGoInACircleChecksNothing() {
		String schema = "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/t\"}},\"$defs\":{\"t\":{\"$ref\":\"#/$defs/t\"}}}";
		assertThat(problem("{'a':1}", schema)).contains("the arguments can't be checked");
		assertThat(problem("{}", schema)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'$ref':'#/$defs/t'}", "{'allOf':[{'$ref':'#/$defs/t'},{}]}",
			"{'anyOf':[{'properties':{'from':{}}},{'properties':{'to':{}}}]}" })
	void underscoreIsTakenOffWhereverTheSchemaNamesTheArgument(String schema) {
		String whole = schema.replace('\'', '"')
			.replaceFirst("}$", ",\"\\$defs\":{\"t\":{\"properties\":{\"from\":{}}}}}");
		assertThat(named("{'from_':1}", whole)).isEqualTo(JsonValue.parse("{\"from\":1}"));
	}

	@Test
	void argumentsThatMatchAPatternOfTheSchemaAreNotUnknown() {
		String schema = "{\"patternProperties\":{\"^x-\":{\"type\":\"integer\"}},\"additionalProperties\":false}";
		assertThat(problem("{'x-a':1}", schema)).isNull();
		assertThat(problem("{'x-a':'b'}", schema)).contains("argument `x-a` is \"b\", but must be a whole number");
		assertThat(problem("{'y':1}", schema)).contains("`y` is not accepted");
	}

	@Test
	void formatsAreNotCheckedWhateverTheDraft() {
		for (String draft : List.of("http://json-schema.org/draft-04/schema#",
				"http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema")) {
			assertThat(problem("{'a':'x','b':'('}",
					"{\"$schema\":\"" + draft
							+ "\",\"properties\":{\"a\":{\"format\":\"email\"},\"b\":{\"format\":\"regex\"}}}"))
				.isNull();
		}
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*a){20}" })
	@Timeout(20)
	void patternThatWouldBacktrackForEverIsMatchedInTime(String pattern) {
		String schema = "{\"properties\":{\"a\":{\"pattern\":\"" + pattern + "\"}}}";
		assertThat(problem("{'a':'" + "a".repeat(30_000) + "!'}", schema)).satisfiesAnyOf(
				(problem) -> assertThat(problem).isNull(),
				(problem) -> assertThat(problem).contains("but must be text (pattern"));
	}

	@Test
	@Timeout(60)
	void argumentsThatWouldTakeAPatternTooLongAreRefused() {
		String schema = "{\"properties\":{\"a\":{\"items\":{\"pattern\":\"x.{900}x|^y\"}}}}";
		assertThat(problem("{'a':['" + "x".repeat(400_000) + "']}", schema)).contains("can't be checked");
		String many = ",'" + "x".repeat(1_000) + "'";
		assertThat(problem("{'a':['y'" + many.repeat(900) + "]}", schema)).contains("can't be checked");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'a':{'pattern':'^(?!x)'}}", "{'a':{'not':{'pattern':'^(?=x)'}}}",
			"{'a':{'oneOf':[{'pattern':'(?=x)'},{'type':'integer'}]}}", "{'a':{'pattern':'(.)\\\\1'}}",
			"{'a':{'not':{'pattern':'x{2000}'}}}", "{'a':{'pattern':'('}}",
			"{'a':{'pattern':'((a{1000}){1000}){1000}'}}" })
	void patternThatCannotBeCheckedIsLeftToTheToolWhereverItStands(String properties) {
		String schema = "{\"properties\":" + properties.replace('\'', '"') + "}";
		assertThat(problem("{'a':'" + "x".repeat(1_500) + "'}", schema)).isNull();
		assertThat(problem("{'a':'y'}", schema)).isNull();
	}

	@Test
	void whatElseTheSchemaSaysIsCheckedBesideAPatternThatCannotBe() {
		String schema = "{\"properties\":{\"a\":{\"pattern\":\"^(?!x)\",\"maxLength\":3}}}";
		assertThat(problem("{'a':'xyzw'}", schema)).contains("at most 3 characters");
	}

	@Test
	@Timeout(60)
	void schemaThatDoublesItsWorkWithEveryLevelChecksNothingForEver() {
		StringBuilder doubling = new StringBuilder();
		for (int i = 0; i < 40; i++) {
			doubling.append("\"a%d\":{\"allOf\":[{\"$ref\":\"#/$defs/a%d\"},{\"$ref\":\"#/$defs/a%d\"}]},".formatted(i,
					i + 1, i + 1));
		}
		String schema = "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/a0\"}},\"$defs\":{" + doubling + "\"a40\":{}}}";
		assertThat(problem("{'a':1}", schema)).contains("can't be checked");
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
