package io.psych.sandbox.contract;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import io.psych.sandbox.terms.Grant;
import io.psych.sandbox.terms.Spec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

class RunRequestTests {

	@Test
	void ofAsksForNothingBeyondTheDeploymentsTerms() {
		assertThat(RunRequest.of("1 + 1"))
			.isEqualTo(new RunRequest("1 + 1", Scope.NONE, Spec.NONE, List.of(), Map.of()));
	}

	@Test
	void eachChangeLeavesTheRestAsItWas() {
		Scope scope = new Scope("acme", "run", "turn");
		Requirement require = new Requirement(Level.ISOLATED, Set.of());
		List<InputFile> inputs = List.of(new InputFile.Attached("a.txt", "handle"));
		RunRequest request = RunRequest.of("1")
			.withScope(scope)
			.withProfile("long")
			.withLimits(Limits.defaults())
			.withRequire(require)
			.withNetwork(true)
			.withInputs(inputs)
			.withAttributes(Map.of("user", 7));
		Spec spec = new Spec("none", "long", Limits.defaults(), require, true, false, Grant.ALL, Grant.ALL);
		assertThat(request).isEqualTo(new RunRequest("1", scope, spec, inputs, Map.of("user", 7)));
		assertThat(request.withProfile(null).spec()).isEqualTo(spec.withProfile(null));
		assertThat(request.withSpec(Spec.of("orders")))
			.isEqualTo(new RunRequest("1", scope, Spec.of("orders"), inputs, Map.of("user", 7)));
	}

	@Test
	void inputsCannotBeChangedFromOutside() {
		List<InputFile> inputs = new ArrayList<>(List.of(new InputFile.Attached("a.txt", "handle")));
		RunRequest request = RunRequest.of("1").withInputs(inputs);
		inputs.clear();
		assertThat(request.inputs()).hasSize(1).isUnmodifiable();
	}

	@Test
	void attributesCannotBeChangedFromOutside() {
		Map<String, Object> attributes = new LinkedHashMap<>(Map.of("user", 7));
		RunRequest request = RunRequest.of("1").withAttributes(attributes);
		attributes.put("role", "admin");
		assertThat(request.attributes()).containsOnlyKeys("user").isUnmodifiable();
	}

	@Test
	void programMustNotBeNull() {
		assertThatNullPointerException().isThrownBy(() -> RunRequest.of(null)).withMessage("program must not be null");
	}

	@Test
	void bindingsOfNothingOfferNothingAndAnswerEveryCall() {
		assertThat(Bindings.NONE.names()).isEmpty();
		assertThat(Bindings.NONE.call("any", JsonValue.NULL))
			.isEqualTo(new CallOutcome.Failed(ToolFailureKind.NOT_OFFERED, "No tool is offered to this program."));
	}

}
