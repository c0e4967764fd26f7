package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import io.psych.sandbox.terms.Grant;
import io.psych.sandbox.terms.Narrowing;
import io.psych.sandbox.terms.Spec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the policy of a tenant, a Spec and a profile make of an execution.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TermsOfExecutionTests {

	private static final Spec READER = Spec.of("reader")
		.withProfile("small")
		.withTools(Grant.of("search", "echo"))
		.withBindings(Grant.of("echo"));

	/** Counts what a program may call without calling it. */
	private static final String OFFERED = "[name for name in TOOLS if name in ('search', 'echo', 'price')]";

	@TempDir
	static Path folder;

	private final TestTools tools = new TestTools();

	private Sandbox sandbox;

	@BeforeAll
	void build() throws IOException {
		// A temporary folder is its owner's alone, and programs run as somebody else.
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.sandbox = Sandbox.builder()
			.backend("process")
			.folder(folder)
			.tools(this.tools.catalog())
			.networkAllowed(true)
			.profile("small", Limits.defaults().withValue(ByteSize.ofBytes(1000)))
			.spec(Spec.of("reader"))
			.spec(READER)
			.spec(Spec.of("writer"))
			.tenantPolicy(TermsOfExecutionTests::policy)
			.build();
	}

	@AfterAll
	void close() {
		if (this.sandbox != null) {
			this.sandbox.close();
		}
	}

	private static Narrowing policy(Scope scope) {
		return switch (String.valueOf(scope.tenant())) {
			case "refused" -> Narrowing.refused("The tenant has no programs left this month.");
			case "broken" -> throw new IllegalStateException("a secret of the policy");
			case "undecided" -> null;
			case "offline" -> Narrowing.NONE.withoutNetwork();
			case "strict" -> Narrowing.NONE.withRequire(new Requirement(Level.PROCESS, Set.of(Guarantee.FILESYSTEM)));
			case "poor" -> Narrowing.NONE.withLimits(Limits.widest()
				.withCalls(new CallLimits(1, 1, ByteSize.ofBytes(100), ByteSize.ofBytes(100), ByteSize.ofBytes(200),
						ByteSize.ofBytes(0))));
			case "choosy" -> Narrowing.NONE.withGrant(Grant.of("search", "price"));
			case "generous" -> Narrowing.NONE.withLimits(Limits.widest());
			default -> Narrowing.NONE;
		};
	}

	private RunResult run(String tenant, Spec spec, String program) {
		return this.sandbox.run(RunRequest.of(program).withScope(new Scope(tenant, null, null)).withSpec(spec));
	}

	private static FailureKind kind(RunResult result) {
		assertThat(result.failure()).as("failure of %s", result.toJson()).isNotNull();
		return result.failure().kind();
	}

	@Test
	void specsAreFoundByTheirNameTheLastOneOfAName() {
		assertThat(this.sandbox.specs()).containsOnly(Map.entry("reader", READER),
				Map.entry("writer", Spec.of("writer")));
		assertThat(this.sandbox.spec("reader")).isEqualTo(READER);
		assertThatExceptionOfType(UnknownSpecException.class).isThrownBy(() -> this.sandbox.spec("raeder"))
			.withMessage("There is no Spec 'raeder' (psych.sandbox.specs has [reader, writer]).")
			.satisfies((ex) -> {
				assertThat(ex.spec()).isEqualTo("raeder");
				assertThat(ex.known()).containsExactlyInAnyOrder("reader", "writer");
			});
	}

	@Test
	void aProgramIsOfferedTheBindingsOfItsSpec() {
		assertThat(run("any", Spec.NONE, OFFERED).value()).isEqualTo(JsonValue.of(List.of("search", "echo", "price")));
		assertThat(run("any", READER, OFFERED).value()).isEqualTo(JsonValue.of(List.of("echo")));
		assertThat(run("any", READER, "await echo(value=1)").value()).isEqualTo(JsonValue.of(1));
	}

	@Test
	void whatIsNotGrantedIsNeitherCalledNorListedNorDescribed() {
		RunResult result = run("any", READER,
				"""
						answers = []
						for call in (lambda: call_tool('search', {'query': 'x'}), lambda: call_tool('get_tool_info', {'name': 'search'})):
						    try:
						        await call()
						    except ToolError as error:
						        answers.append(error.kind)
						listed = await list_tools()
						[answers, [tool['name'] for tool in listed['tools']], 'search' in globals()]""");
		assertThat(result.value())
			.isEqualTo(JsonValue.parse("[[\"not_offered\", \"bad_arguments\"], [\"echo\"], false]"));
		assertThat(this.tools.received).noneMatch((call) -> call.startsWith("search") && call.contains("\"x\""));
	}

	@Test
	void theDescriptionForAnAgentListsWhatItsProgramsMayCall() {
		assertThat(this.sandbox.describe()).contains("async def search(", "async def price(", "async def echo(");
		assertThat(this.sandbox.describe(Scope.NONE, READER)).contains("async def echo(")
			.doesNotContain("async def search(", "async def price(");
		assertThat(this.sandbox.describe(new Scope("choosy", null, null), Spec.NONE))
			.contains("async def search(", "async def price(")
			.doesNotContain("async def echo(");
		assertThat(this.sandbox.describe(Scope.NONE, READER.withLimits(Limits.widest().withCpu(Duration.ofSeconds(3)))))
			.contains("3 s of CPU");
		assertThatExceptionOfType(UnknownProfileException.class)
			.isThrownBy(() -> this.sandbox.describe(Scope.NONE, Spec.NONE.withProfile("smal")));
	}

	@Test
	void aDirectCallOfTheModelIsNotBoundByTheBindingsOfPrograms() {
		CallOutcome outcome = this.sandbox.tools()
			.call("search", JsonValue.parse("{\"query\": \"direct\"}"), Scope.NONE, Map.of());
		assertThat(outcome).isInstanceOf(CallOutcome.Value.class);
	}

	@Test
	void theGrantsOfTenantAndSpecAreIntersected() {
		assertThat(run("choosy", Spec.NONE, OFFERED).value()).isEqualTo(JsonValue.of(List.of("search", "price")));
		assertThat(run("choosy", READER, OFFERED).value()).isEqualTo(JsonValue.of(List.of()));
		assertThat(run("choosy", READER.withBindings(READER.tools()), OFFERED).value())
			.isEqualTo(JsonValue.of(List.of("search")));
	}

	@ParameterizedTest
	@CsvSource({ "990, true", "998, true", "999, false" })
	void noStageRaisesALimitOfTheProfile(int characters, boolean fits) {
		Spec asking = READER.withLimits(Limits.widest().withValue(ByteSize.ofMebibytes(1)));
		RunResult result = run("generous", asking, "'x' * " + characters);
		assertThat(result.succeeded()).as("%s", result.toJson()).isEqualTo(fits);
		assertThat(fits || kind(result) == FailureKind.OUTPUT_LIMIT).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "48, true", "49, false" })
	void aSpecLowersALimitOfTheProfile(int characters, boolean fits) {
		Spec spec = READER.withLimits(Limits.widest().withValue(ByteSize.ofBytes(50)));
		assertThat(run("any", spec, "'x' * " + characters).succeeded()).isEqualTo(fits);
	}

	@Test
	void aTenantLowersTheBudgetOfCalls() {
		RunResult result = run("poor", Spec.NONE, """
				await echo(value=1)
				try:
				    await echo(value=2)
				except ToolError as error:
				    kind = error.kind
				kind""");
		assertThat(result.value()).isEqualTo(JsonValue.of("budget_spent"));
	}

	@Test
	void aTenantThatIsRefusedIsToldWhyAndNothingIsStarted() {
		RunResult result = run("refused", Spec.NONE, "1");
		assertThat(kind(result)).isEqualTo(FailureKind.POLICY_REFUSED);
		assertThat(result.failure().message()).isEqualTo("The tenant has no programs left this month.");
		assertThat(result.isolation().level()).isEqualTo(Level.NONE);
	}

	@ParameterizedTest
	@CsvSource({ "broken", "undecided" })
	void aPolicyThatDoesNotDecideRefuses(String tenant) {
		RunResult result = run(tenant, Spec.NONE, "1");
		assertThat(kind(result)).isEqualTo(FailureKind.POLICY_REFUSED);
		assertThat(result.failure().message())
			.isEqualTo("The policy of the tenant could not decide on this execution.");
	}

	@Test
	void aTenantWithoutNetworkIsRefusedOnlyWhereItIsAskedFor() {
		RunResult refused = run("offline", Spec.NONE.withNetwork(true), "1");
		assertThat(kind(refused)).isEqualTo(FailureKind.NETWORK_NOT_ALLOWED);
		assertThat(refused.failure().message()).contains("the policy of its tenant does not grant");
		assertThat(run("offline", Spec.NONE, "1").succeeded()).isTrue();
		assertThat(run("any", Spec.NONE.withNetwork(true), "1").succeeded()).isTrue();
	}

	@Test
	void whatATenantRequiresAndThisBackendCannotGiveIsARefusal() {
		RunResult result = run("strict", Spec.NONE, "print('ran')");
		assertThat(kind(result)).isEqualTo(FailureKind.ISOLATION_UNAVAILABLE);
		assertThat(result.failure().message()).contains("guarantee filesystem must be enforced");
		assertThat(result.stdout().text()).isEmpty();
	}

	@Test
	void aSpecThatWasNotPublishedIsCheckedForItsProfileToo() {
		Spec spec = Spec.of("new").withProfile("smal");
		assertThatExceptionOfType(UnknownProfileException.class).isThrownBy(() -> run("refused", spec, "1"))
			.withMessageContaining("'smal'")
			.withMessageContaining("[small]");
		assertThat(run("any", spec.withProfile("small").withLimits(Limits.widest().withCpu(Duration.ofSeconds(2))), "7")
			.value()).isEqualTo(JsonValue.of(7));
	}

}
