package io.psych.sandbox.terms;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.LimitException;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class SpecTests {

	private static final Spec ORDERS = Spec.of("orders")
		.withProfile("batch")
		.withLimits(Limits.widest().withCpu(Duration.ofSeconds(2)).withProcesses(4))
		.withRequire(new Requirement(Level.ISOLATED, Set.of(Guarantee.PROCESS_TREE, Guarantee.CPU)))
		.withNetwork(true)
		.withPreserve(true)
		.withTools(Grant.of("list_orders", "get_order"))
		.withBindings(Grant.of("get_order"));

	@Test
	void ofAsksForNothingAndNarrowsNothing() {
		Spec spec = Spec.of("plain");
		assertThat(spec).isEqualTo(new Spec("plain", null, null, null, false, false, Grant.ALL, Grant.ALL));
		assertThat(spec.narrowing()).isEqualTo(Narrowing.NONE.withoutNetwork());
		assertThat(Spec.NONE).isEqualTo(Spec.of("none"));
	}

	@Test
	void narrowingHasTheBindingsAndNotTheTools() {
		Narrowing narrowing = ORDERS.narrowing();
		assertThat(narrowing.grant()).isEqualTo(Grant.of("get_order"));
		assertThat(narrowing.limits()).isEqualTo(ORDERS.limits());
		assertThat(narrowing.require()).isEqualTo(ORDERS.require());
		assertThat(narrowing.network()).isTrue();
		assertThat(narrowing.preserve()).isTrue();
		assertThat(narrowing.refusal()).isNull();
	}

	@Test
	void toJsonHasItsMembersInOneOrderAndLeavesOutWhatIsNotSaid() {
		assertThat(ORDERS.toJson().toJson())
			.isEqualTo("{\"name\":\"orders\",\"profile\":\"batch\",\"limits\":{\"cpu\":\"PT2S\",\"processes\":4},"
					+ "\"require\":{\"level\":\"isolated\",\"guarantees\":[\"cpu\",\"process-tree\"]},"
					+ "\"network\":true,\"preserve\":true,\"tools\":[\"get_order\",\"list_orders\"],"
					+ "\"bindings\":[\"get_order\"]}");
		assertThat(Spec.of("plain").toJson().toJson()).isEqualTo("{\"name\":\"plain\"}");
	}

	// Digests are stored with runs: a change of these two is a change of every digest
	// there is.
	@Test
	void digestNeverChanges() {
		assertThat(Spec.NONE.digest()).isEqualTo("568aab2702ff1dbfebe9b119a5bcbacbf8d84a6d21cbfa229230d2a455f8b073");
		assertThat(ORDERS.digest()).isEqualTo("1e1429c1e2e6acaeae417cd9302f0cf717016a421e14b889abd7fba0285d043c");
	}

	@Test
	void digestIsTheSameWhateverTheOrderOfSets() {
		Spec other = ORDERS.withTools(Grant.ALL)
			.withTools(Grant.of(List.of("list_orders", "get_order", "list_orders")))
			.withBindings(Grant.of("get_order"))
			.withRequire(new Requirement(Level.ISOLATED, Set.of(Guarantee.CPU, Guarantee.PROCESS_TREE)));
		assertThat(other).isEqualTo(ORDERS).hasSameHashCodeAs(ORDERS);
		assertThat(other.digest()).isEqualTo(ORDERS.digest());
	}

	@Test
	void whatMeansTheSameHasTheSameDigest() {
		Spec plain = Spec.of("plain");
		assertThat(plain.withLimits(Limits.widest())).isEqualTo(plain);
		assertThat(plain.withRequire(Requirement.floor())).isEqualTo(plain);
		assertThat(plain.withTools(Grant.of("a")).withBindings(Grant.of("a")))
			.isEqualTo(plain.withTools(Grant.of("a")));
	}

	@Test
	void eachPartChangesTheDigest() {
		assertThat(Stream
			.of(ORDERS, Spec.of("other"), ORDERS.withProfile("other"), ORDERS.withProfile(null),
					ORDERS.withLimits(null), ORDERS.withLimits(Limits.widest().withCpu(Duration.ofSeconds(3))),
					ORDERS.withRequire(null), ORDERS.withNetwork(false), ORDERS.withPreserve(false),
					ORDERS.withTools(Grant.ALL), ORDERS.withBindings(Grant.NONE), ORDERS.withBindings(ORDERS.tools()))
			.map(Spec::digest)).doesNotHaveDuplicates().allMatch((digest) -> digest.matches("[0-9a-f]{64}"));
	}

	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void everySpecComesBackFromJsonAsItWas(long seed) {
		Spec spec = RandomTerms.spec(new Random(seed));
		Spec read = Spec.of(JsonValue.parse(spec.toJson().toJson()));
		assertThat(read).isEqualTo(spec);
		assertThat(read.digest()).isEqualTo(spec.digest());
	}

	static LongStream seeds() {
		return LongStream.range(0, 300);
	}

	@Test
	void differentSpecsHaveDifferentJson() {
		Map<Spec, String> digests = new HashMap<>();
		seeds().mapToObj((seed) -> RandomTerms.spec(new Random(seed)))
			.forEach((spec) -> digests.put(spec, spec.digest()));
		assertThat(digests).hasSizeGreaterThan(200);
		assertThat(digests.values()).doesNotHaveDuplicates();
	}

	@Test
	void jsonMayLeaveOutWhatFollowsFromTheRest() {
		Spec spec = Spec.of(JsonValue.parse("""
				{"limits": {"wallTime": "PT10S", "workspace": 1024, "capture": 2048,
				            "calls": {"perRun": 3, "total": 4096}},
				 "tools": ["b", "a"], "name": "hand-written", "require": {"guarantees": ["cpu"]}}"""));
		assertThat(spec.limits()).isNotNull();
		assertThat(spec.limits().toolTimeout()).hasSeconds(10);
		assertThat(spec.limits().fileSize().bytes()).isEqualTo(1024);
		assertThat(spec.limits().stream().bytes()).isEqualTo(2048);
		assertThat(spec.limits().calls().perExecution()).isEqualTo(3);
		assertThat(spec.limits().calls().result().bytes()).isEqualTo(4096);
		assertThat(spec.limits().intersect(Limits.defaults()).cpu()).isEqualTo(Limits.defaults().cpu());
		assertThat(spec.require()).isEqualTo(new Requirement(Level.PROCESS, Set.of(Guarantee.CPU)));
		assertThat(spec.bindings()).isEqualTo(spec.tools()).isEqualTo(Grant.of("a", "b"));
	}

	@ParameterizedTest(name = "{0} {1}")
	@MethodSource
	void jsonOfAnotherShapeIsRefusedByItsPath(String path, String json) {
		assertThatExceptionOfType(SpecException.class).isThrownBy(() -> Spec.of(JsonValue.parse(json)))
			.satisfies((refused) -> assertThat(refused.part()).isEqualTo(path))
			.withMessageContaining(path);
	}

	static Stream<Arguments> jsonOfAnotherShapeIsRefusedByItsPath() {
		return Stream.of(arguments("name", "{}"), arguments("name", "{\"name\": 1}"), arguments("name", "[]"),
				arguments("backend", "{\"name\": \"s\", \"backend\": \"process\"}"),
				arguments("credential", "{\"name\": \"s\", \"credential\": null}"),
				arguments("profile", "{\"name\": \"s\", \"profile\": 1}"),
				arguments("profile", "{\"name\": \"s\", \"profile\": null}"),
				arguments("network", "{\"name\": \"s\", \"network\": \"true\"}"),
				arguments("preserve", "{\"name\": \"s\", \"preserve\": 1}"),
				arguments("tools", "{\"name\": \"s\", \"tools\": \"all\"}"),
				arguments("tools", "{\"name\": \"s\", \"tools\": [1]}"),
				arguments("bindings", "{\"name\": \"s\", \"bindings\": {}}"),
				arguments("limits", "{\"name\": \"s\", \"limits\": []}"),
				arguments("limits.ram", "{\"name\": \"s\", \"limits\": {\"ram\": 1}}"),
				arguments("limits.cpu", "{\"name\": \"s\", \"limits\": {\"cpu\": 10}}"),
				arguments("limits.cpu", "{\"name\": \"s\", \"limits\": {\"cpu\": \"10s\"}}"),
				arguments("limits.value", "{\"name\": \"s\", \"limits\": {\"value\": -1}}"),
				arguments("limits.value", "{\"name\": \"s\", \"limits\": {\"value\": 1.5}}"),
				arguments("limits.processes", "{\"name\": \"s\", \"limits\": {\"processes\": 2147483648}}"),
				arguments("limits.calls.ever", "{\"name\": \"s\", \"limits\": {\"calls\": {\"ever\": 1}}}"),
				arguments("limits.artifacts.ever", "{\"name\": \"s\", \"limits\": {\"artifacts\": {\"ever\": 1}}}"),
				arguments("require.grade", "{\"name\": \"s\", \"require\": {\"grade\": \"enforced\"}}"),
				arguments("require.level", "{\"name\": \"s\", \"require\": {\"level\": \"none\"}}"),
				arguments("require.guarantees", "{\"name\": \"s\", \"require\": {\"guarantees\": [\"luck\"]}}"));
	}

	@Test
	void jsonWithALimitThatCannotHoldIsRefusedByItsName() {
		JsonValue json = JsonValue.parse("{\"name\": \"s\", \"limits\": {\"cpu\": \"PT0S\"}}");
		assertThatExceptionOfType(LimitException.class).isThrownBy(() -> Spec.of(json))
			.withMessageStartingWith("cpu is PT0S");
	}

	@Test
	void aRefusalShowsOfAHugeValueOnlyItsBeginning() {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("name", "s");
		json.put("profile", List.of("\uD83D\uDE00".repeat(10_000)));
		assertThatExceptionOfType(SpecException.class).isThrownBy(() -> Spec.of(JsonValue.of(json)))
			.satisfies((refused) -> assertThat(refused.value()).hasSizeLessThan(300).endsWith("..."));
	}

	@Test
	void aBindingThatItsToolsDoNotGrantIsRefusedWithBothNames() {
		Spec spec = Spec.of("orders").withTools(Grant.of("get_order"));
		assertThatExceptionOfType(SpecException.class)
			.isThrownBy(() -> spec.withBindings(Grant.of("delete_order", "get_order")))
			.withMessage(
					"Spec 'orders': bindings is '[delete_order, get_order]', but its tools [get_order] do not grant"
							+ " delete_order. Add it to tools, or remove it from bindings.")
			.satisfies((refused) -> {
				assertThat(refused.spec()).isEqualTo("orders");
				assertThat(refused.part()).isEqualTo("bindings");
				assertThat(refused.value()).isEqualTo("[delete_order, get_order]");
			});
		assertThatExceptionOfType(SpecException.class).isThrownBy(() -> spec.withBindings(Grant.ALL))
			.withMessageContaining("Spec 'orders': bindings is 'all'");
		assertThat(spec.withBindings(Grant.of("get_order")).bindings()).isEqualTo(Grant.of("get_order"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "tools", "bindings" })
	void theReservedNameIsRefusedWithTheNameOfTheSpec(String part) {
		String json = "{\"name\": \"s\", \"%s\": [\"a\", \"run_code\"]}".formatted(part);
		assertThatExceptionOfType(SpecException.class).isThrownBy(() -> Spec.of(JsonValue.parse(json)))
			.withMessageStartingWith("Spec 's': " + part + " is '[a, run_code]', but the name run_code is reserved");
	}

	@Test
	void withToolsKeepsOfTheBindingsThoseAmongThem() {
		Spec spec = Spec.of("s").withTools(Grant.of("a", "b"));
		assertThat(spec.bindings()).isEqualTo(Grant.of("a", "b"));
		assertThat(spec.withBindings(Grant.of("b")).withTools(Grant.of("b", "c")).bindings()).isEqualTo(Grant.of("b"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a\nb", "half \uD83D" })
	void aNameThatCouldBecomeAnotherOneIsRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> Spec.of(name))
			.withMessageStartingWith("the name of a Spec must not ");
		assertThatIllegalArgumentException().isThrownBy(() -> Spec.of("s").withProfile(name))
			.withMessageStartingWith("profile of Spec 's' must not ");
	}

}
