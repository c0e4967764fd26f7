package io.psych.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.AwkwardTool;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of values, {@code docs/values.md}, and the signatures that are rendered by
 * it, held against a real child in both directions.
 */
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BoundaryTests {

	private static final int VALUES = 300;

	/** Says of a value what it is to Python, so that 1, 1.0 and True are three things. */
	private static final String DESCRIBE = """
			import struct
			def describe(value):
			    kind = type(value)
			    if kind is list:
			        return "[%s]" % ",".join(map(describe, value))
			    if kind is dict:
			        return "{%s}" % ",".join(describe(k) + ":" + describe(v) for k, v in value.items())
			    if kind is float:
			        return "float " + struct.pack(">d", value).hex()
			    if kind is str:
			        return "str " + value.encode("utf-8").hex()
			    return "%s %r" % (kind.__name__, value)
			""";

	@TempDir
	static Path folder;

	private List<HostTool> tools = List.of();

	private Sandbox sandbox;

	@BeforeAll
	void build() throws IOException {
		// A temporary folder is its owner's alone, and programs run as somebody else.
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.sandbox = Sandbox.builder().backend("process").folder(folder).tools(() -> this.tools).build();
	}

	@AfterAll
	void close() {
		if (this.sandbox != null) {
			this.sandbox.close();
		}
	}

	private JsonValue run(String program) {
		RunResult result = this.sandbox.run(RunRequest.of(program));
		assertThat(result.failure()).as("failure of %s", program).isNull();
		assertThat(result.stderr().text()).isEmpty();
		return Objects.requireNonNull(result.value());
	}

	@Test
	void valuesOfAProgramComeBackFromAToolAsTheyWere() {
		this.tools = List.of(new Tool("echo", (arguments) -> JsonValue.of(arguments.members().get("value"))));
		JsonValue told = run(
				DESCRIBE + """
						import random

						def word(chance):
						    points = (range(0x20), range(0x20, 0x7F), range(0x7F, 0xD800), range(0xE000, 0x110000))
						    return "".join(chr(chance.choice(chance.choice(points))) for _ in range(chance.randrange(8)))

						def value(chance, depth=0):
						    choice = chance.randrange(10 if depth < 5 else 7)
						    if choice == 0:
						        return chance.choice((None, True, False))
						    if choice in (1, 2):
						        return chance.randrange(-(10 ** chance.randrange(1, 400)), 10 ** chance.randrange(1, 400))
						    if choice == 3:
						        return chance.choice((chance.random(), chance.uniform(-1e300, 1e300), 0.0, -0.0, 1e22, 5e-324, 1e16))
						    if choice < 7:
						        return word(chance)
						    if choice == 7:
						        return {word(chance): value(chance, depth + 1) for _ in range(chance.randrange(6))}
						    return [value(chance, depth + 1) for _ in range(chance.randrange(6))]

						different = []
						seen = 0
						for seed in range(%d):
						    given = value(random.Random(seed))
						    back = await echo(value=given)
						    if describe(back) != describe(given):
						        different.append([seed, describe(given)[:200], describe(back)[:200]])
						    seen += len(describe(given)) > 8
						[seen > 200, different]
						"""
					.formatted(VALUES));
		assertThat(told).isEqualTo(JsonValue.parse("[true, []]"));
	}

	@Test
	void valuesOfAToolArriveAsTheTableSays() {
		List<Sample> samples = new ArrayList<>();
		for (int seed = 0; seed < VALUES; seed++) {
			samples.add(sample(new Random(seed), 0));
		}
		this.tools = List.of(new Tool("value", (arguments) -> JsonValue.of(samples.get(number(arguments)).value())),
				new Tool("expected", (arguments) -> JsonValue.of(samples.get(number(arguments)).described())));
		JsonValue told = run(DESCRIBE + """
				different = []
				for n in range(%d):
				    came, should = describe(await value(n=n)), await expected(n=n)
				    if came != should:
				        different.append([n, came[:300], should[:300]])
				different
				""".formatted(VALUES));
		assertThat(told).isEqualTo(JsonValue.of(List.of()));
	}

	private static int number(JsonValue arguments) {
		return Objects.requireNonNull(arguments.integer("n")).intValue();
	}

	/** Make a random value of those a tool may return. */
	private static Sample sample(Random random, int depth) {
		return switch (random.nextInt((depth < 5) ? 16 : 12)) {
			case 0 -> new Sample(null, "NoneType None");
			case 1 -> random.nextBoolean() ? new Sample(true, "bool True") : new Sample(false, "bool False");
			case 2 -> integer(random.nextLong() >> random.nextInt(64));
			case 3 -> integer(random.nextInt());
			case 4 -> integer((short) random.nextInt());
			case 5 -> integer(new AtomicLong(random.nextInt(100)));
			case 6 -> integer(new BigInteger(random.nextInt(13_000), random).subtract(BigInteger.TWO.pow(100)));
			case 7 -> real(Double.longBitsToDouble(random.nextLong()));
			case 8 -> real(Float.intBitsToFloat(random.nextInt()));
			case 9 -> real(new BigDecimal(new BigInteger(random.nextInt(200), random), random.nextInt(30) + 1));
			case 10, 11 -> text(random);
			case 12 -> set(random);
			case 13, 14 -> map(random, depth);
			default -> list(random, depth);
		};
	}

	private static Sample integer(Number number) {
		return new Sample(number, "int " + number);
	}

	private static Sample real(Number number) {
		double nearest = number.doubleValue();
		return new Sample(number, Double.isFinite(nearest) ? "float %016x".formatted(Double.doubleToLongBits(nearest))
				: string(number.toString()));
	}

	private static Sample text(Random random) {
		StringBuilder text = new StringBuilder();
		for (int i = random.nextInt(8); i > 0; i--) {
			switch (random.nextInt(4)) {
				case 0 -> text.append((char) random.nextInt(0x20));
				case 1 -> text.append((char) (0x20 + random.nextInt(0x60)));
				// Half of a pair among them, now and then
				case 2 -> text.append((char) random.nextInt(0x10000));
				default -> text.appendCodePoint(0x10000 + random.nextInt(0x100000));
			}
		}
		return new Sample(text.toString(), string(text.toString()));
	}

	private static String string(String text) {
		StringBuilder described = new StringBuilder("str ");
		text.codePoints().forEach((point) -> {
			boolean half = point >= 0xd800 && point < 0xe000;
			for (byte utf8 : Character.toString(half ? 0xfffd : point).getBytes(StandardCharsets.UTF_8)) {
				described.append("%02x".formatted(utf8));
			}
		});
		return described.toString();
	}

	private static Sample set(Random random) {
		List<String> elements = List.of("a", "b", "c").subList(0, random.nextInt(4));
		return new Sample(new LinkedHashSet<>(elements),
				joined("[", elements.stream().map(BoundaryTests::string), "]"));
	}

	private static Sample list(Random random, int depth) {
		List<Sample> elements = Stream.generate(() -> sample(random, depth + 1)).limit(random.nextInt(5)).toList();
		return new Sample(elements.stream().map(Sample::value).collect(Collectors.toCollection(ArrayList::new)),
				joined("[", elements.stream().map(Sample::described), "]"));
	}

	private static Sample map(Random random, int depth) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		List<String> described = new ArrayList<>();
		for (int i = random.nextInt(5); i > 0; i--) {
			// Numbered, since two names that differ in half a pair are one
			String name = i + String.valueOf(text(random).value());
			Sample member = sample(random, depth + 1);
			members.put(name, member.value());
			described.add(string(name) + ":" + member.described());
		}
		return new Sample(members, joined("{", described.stream(), "}"));
	}

	private static String joined(String open, Stream<String> parts, String close) {
		return parts.collect(Collectors.joining(",", open, close));
	}

	static Stream<String> files() {
		return AwkwardTool.catalogue().keySet().stream();
	}

	/** What a tool returns is, in the program, of the type its signature says. */
	@ParameterizedTest
	@MethodSource("files")
	void resultsArriveAsTheTypesOfTheirSignatures(String file) throws IOException {
		List<AwkwardTool> tools = AwkwardTool.catalogue().get(file);
		this.tools = List.copyOf(tools);
		String description = this.sandbox.describe();
		String signatures = signatures(description);
		Map<String, Object> counts = new LinkedHashMap<>();
		tools.forEach((tool) -> counts.put(tool.name(), tool.samples("results", "fit").size()));
		this.tools = List.of(new Tool("psych_signatures", (arguments) -> JsonValue.of(signatures)),
				new Tool("psych_counts", (arguments) -> JsonValue.of(counts)), new Tool("psych_result",
						(arguments) -> named(tools, arguments).samples("results", "fit").get(number(arguments))));
		JsonValue told = run(resource("signature_types.py") + """

				made, overloads = module(await psych_signatures())
				different, seen = [], 0
				for name, count in (await psych_counts()).items():
				    function = overloads.get(name) or vars(made).get(name)
				    for n in range(count if function is not None else 0):
				        result = await psych_result(name=name, n=n)
				        seen += 1
				        if not fits(result, typing.get_type_hints(function)["return"]):
				            different.append([name, repr(result)])
				[seen, different]
				""");
		check(told, description, tools, "results");
	}

	private static void check(JsonValue told, String description, List<AwkwardTool> tools, String of) {
		List<?> answer = (List<?>) Objects.requireNonNull(told.toJava());
		assertThat(answer.get(1)).isEqualTo(List.of());
		long samples = tools.stream().mapToLong((tool) -> tool.samples(of, "fit").size()).sum();
		if (description.contains("\nTools (COMPLETE")) {
			assertThat(answer.get(0)).isEqualTo(samples);
		}
		else {
			assertThat((Long) answer.get(0)).isPositive();
		}
	}

	/**
	 * What is given as the signature spells it arrives under the names of the schema.
	 */
	@ParameterizedTest
	@MethodSource("files")
	void argumentsSpelledAsTheirSignaturesSayArriveIntact(String file) throws IOException {
		List<AwkwardTool> tools = AwkwardTool.catalogue().get(file);
		this.tools = List.copyOf(tools);
		String description = this.sandbox.describe();
		String signatures = signatures(description);
		Map<String, Object> samples = new LinkedHashMap<>();
		tools.forEach((tool) -> samples.put(tool.name(), tool.samples("arguments", "fit")));
		List<HostTool> echoes = new ArrayList<>(
				List.of(new Tool("psych_signatures", (arguments) -> JsonValue.of(signatures)),
						new Tool("psych_samples", (arguments) -> JsonValue.of(samples))));
		tools.forEach((tool) -> echoes.add(new Tool(tool.name(), tool.inputSchema(), (arguments) -> arguments)));
		this.tools = echoes;
		JsonValue told = run(DESCRIBE + resource("signature_types.py") + """

				made, overloads = module(await psych_signatures())
				here = globals()
				different, seen = [], 0
				for name, samples in (await psych_samples()).items():
				    function = overloads.get(name) or vars(made).get(name)
				    for sample in samples if function is not None else ():
				        seen += 1
				        if name in overloads:
				            came = await call_tool(name, sample)
				        else:
				            came = await here[name](**spelled(function, sample))
				        if describe(dict(sorted(came.items()))) != describe(dict(sorted(sample.items()))):
				            different.append([name, repr(sample)[:200], repr(came)[:200]])
				[seen, different]
				""");
		check(told, description, tools, "arguments");
	}

	@ParameterizedTest
	@MethodSource("files")
	void exampleOfTheDescriptionRuns(String file) {
		this.tools = List.copyOf(AwkwardTool.catalogue().get(file));
		String description = this.sandbox.describe();
		String mark = "\nFor example:\n";
		if (description.contains(mark)) {
			int begin = description.indexOf(mark) + mark.length();
			run(description.substring(begin, description.indexOf("\n\n", begin)));
		}
	}

	private static String signatures(String description) {
		return description.substring(description.indexOf(":\n\n", description.indexOf("\nTools (")) + 3);
	}

	private static AwkwardTool named(List<AwkwardTool> tools, JsonValue arguments) {
		return tools.stream().filter((tool) -> tool.name().equals(arguments.string("name"))).findFirst().orElseThrow();
	}

	private static String resource(String name) throws IOException {
		try (InputStream source = Objects.requireNonNull(AwkwardTool.class.getResourceAsStream(name))) {
			return new String(source.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	/**
	 * A value of Java, and what it is to Python by the table.
	 *
	 * @param value the value
	 * @param described as {@code describe} of a program would say it
	 */
	private record Sample(@Nullable Object value, String described) {

	}

	/**
	 * A tool of one function.
	 *
	 * @param name its name
	 * @param inputSchema the shape of its arguments
	 * @param body what it does
	 */
	private record Tool(String name, JsonValue inputSchema, UnaryOperator<JsonValue> body) implements HostTool {

		Tool(String name, UnaryOperator<JsonValue> body) {
			this(name, JsonValue.parse("{\"type\":\"object\"}"), body);
		}

		@Override
		public String description() {
			return "The test tool " + this.name + ".";
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) {
			return this.body.apply(arguments);
		}

	}

}
