package io.psych.sandbox.tool;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The catalogue of awkward schemas: rendered, compiled by Python, and their types held
 * against values.
 */
@Timeout(120)
class AwkwardSchemasTests {

	private final Arguments arguments = new Arguments();

	static Stream<AwkwardTool> tools() {
		return AwkwardTool.all();
	}

	@ParameterizedTest
	@MethodSource("tools")
	void signatureShowsWhatTheCatalogueSays(AwkwardTool tool) {
		String signature = Signature.of(tool);
		assertThat(tool.shows()).allSatisfy((shown) -> assertThat(signature).contains(shown));
		assertThat(tool.hides()).allSatisfy((hidden) -> assertThat(signature).doesNotContain(hidden));
	}

	@Test
	void typesOfWholeSignaturesAreThoseOfTheValues() throws Exception {
		List<Object> texts = new ArrayList<>();
		tools().forEach((tool) -> texts.add(asked(Signature.of(tool), List.of(tool), true)));
		check(texts);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void signaturesInOneTextCompileAndTakeWhatFits(boolean inShort) throws Exception {
		List<Object> texts = new ArrayList<>();
		for (List<AwkwardTool> tools : AwkwardTool.catalogue().values()) {
			texts.add(asked(text(tools, inShort ? Detail.SHORT : Detail.LISTED), tools, false));
		}
		List<AwkwardTool> different = tools()
			.collect(Collectors.toMap(AwkwardTool::name, (tool) -> tool, (one, other) -> one, LinkedHashMap::new))
			.values()
			.stream()
			.toList();
		texts.add(asked(text(different, inShort ? Detail.SHORT : Detail.LISTED), different, false));
		check(texts);
	}

	@Test
	void descriptionOfAnyToolsCompilesAndKeepsToItsSize() throws Exception {
		List<Object> texts = new ArrayList<>();
		for (List<AwkwardTool> tools : AwkwardTool.catalogue().values()) {
			String text = ToolDescription.of("3.11.2", List.of(), Limits.defaults(), List.copyOf(tools));
			assertThat(text).hasSizeLessThanOrEqualTo(ToolDescription.MOST_CHARACTERS);
			texts.add(asked(text.substring(text.indexOf("):\n\n", text.indexOf("\nTools (")) + 4), List.of(), false));
		}
		check(texts);
	}

	/** The validator and the types must be of one mind about the values. */
	@ParameterizedTest
	@MethodSource("tools")
	void argumentsThatFitPassAndOthersAreRefused(AwkwardTool tool) {
		for (JsonValue sample : tool.samples("arguments", "fit")) {
			assertThat(problem(tool, sample)).as(sample.toJson()).isNull();
		}
		for (String kind : List.of("wrong", "refused")) {
			for (JsonValue sample : tool.samples("arguments", kind)) {
				assertThat(problem(tool, sample)).as(sample.toJson()).isNotNull();
			}
		}
	}

	private String problem(AwkwardTool tool, JsonValue sample) {
		JsonValue schema = tool.inputSchema();
		return this.arguments.problem(tool.name(), this.arguments.named(sample, schema), schema);
	}

	private static String text(List<AwkwardTool> tools, Detail detail) {
		TypeNames names = new TypeNames(tools.stream().map(AwkwardTool::name).toList());
		List<String> signatures = new ArrayList<>();
		tools.forEach((tool) -> signatures.add(Signature.of(tool, detail, names)));
		return String.join("\n\n", signatures);
	}

	private static Map<String, Object> asked(String text, List<AwkwardTool> tools, boolean exact) {
		List<Object> asked = new ArrayList<>();
		for (AwkwardTool tool : tools) {
			Map<String, Object> one = new LinkedHashMap<>();
			one.put("name", tool.name());
			for (String of : List.of("arguments", "results")) {
				one.put(of, Map.of("fit", tool.samples(of, "fit"), "wrong", tool.samples(of, "wrong")));
			}
			asked.add(one);
		}
		return Map.of("text", text, "tools", asked, "exact", exact);
	}

	private static void check(List<Object> texts) throws IOException, InterruptedException {
		JsonValue answer = PythonScript.run("check_signatures.py", JsonValue.of(texts));
		assertThat(Schemas.list(answer.members().get("problems"))).isEmpty();
		assertThat(answer.integer("checked")).isEqualTo(samples(texts));
	}

	private static long samples(List<Object> texts) {
		long samples = 0;
		for (Object text : texts) {
			boolean exact = Boolean.TRUE.equals(((Map<?, ?>) text).get("exact"));
			for (Object tool : (List<?>) ((Map<?, ?>) text).get("tools")) {
				for (String of : List.of("arguments", "results")) {
					Map<?, ?> values = (Map<?, ?>) ((Map<?, ?>) tool).get(of);
					samples += ((List<?>) values.get("fit")).size()
							+ (exact ? ((List<?>) values.get("wrong")).size() : 0);
				}
			}
		}
		return samples;
	}

}
