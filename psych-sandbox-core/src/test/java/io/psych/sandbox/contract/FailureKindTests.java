package io.psych.sandbox.contract;

import java.util.Arrays;
import java.util.Locale;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class FailureKindTests {

	@Test
	void kindsAreTheClosedSetOfThirteen() {
		assertThat(FailureKind.values()).extracting(FailureKind::id)
			.containsExactly("program_exception", "timeout", "aborted", "worker_exit", "invalid_output", "output_limit",
					"isolation_unavailable", "network_not_allowed", "backend_not_ready", "policy_refused", "cancelled",
					"provider_error", "artifacts_unavailable");
	}

	@ParameterizedTest
	@EnumSource
	void idIsTheNameInLowerCase(FailureKind kind) {
		assertThat(kind.id()).isEqualTo(kind.name().toLowerCase(Locale.ROOT));
	}

	@ParameterizedTest
	@EnumSource
	void guidanceIsAFewSentencesOfItsOwn(FailureKind kind) {
		assertThat(kind.guidance()).hasSizeBetween(40, 400).endsWith(".").doesNotContain("\n", "  ");
		assertThat(Arrays.stream(FailureKind.values()).map(FailureKind::guidance)).containsOnlyOnce(kind.guidance());
	}

	@ParameterizedTest
	@EnumSource(names = { "ISOLATION_UNAVAILABLE", "NETWORK_NOT_ALLOWED", "BACKEND_NOT_READY", "POLICY_REFUSED" })
	void guidanceOfARefusalSaysThatNothingWasExecuted(FailureKind kind) {
		assertThat(kind.guidance()).startsWith("The program was not executed");
	}

	@Test
	void kindsOfToolFailuresAreTheClosedSetAProgramBranchesOn() {
		assertThat(ToolFailureKind.values()).extracting(ToolFailureKind::id)
			.containsExactly("approval_required", "unreachable", "tool_error", "budget_spent", "not_offered",
					"bad_arguments", "denied", "timed_out", "cancelled", "binding_result_not_paged");
	}

	@Test
	void toolFailureThatMayHaveHadItsEffectIsNeverCalledRefused() {
		assertThat(ToolFailureKind.TIMED_OUT.state()).isEqualTo(CallState.UNKNOWN);
		assertThat(ToolFailureKind.CANCELLED.state()).isEqualTo(CallState.UNKNOWN);
		assertThat(ToolFailureKind.TOOL_ERROR.state()).isEqualTo(CallState.FAILED);
		assertThat(ToolFailureKind.NOT_OFFERED.state()).isEqualTo(CallState.REFUSED);
	}

}
