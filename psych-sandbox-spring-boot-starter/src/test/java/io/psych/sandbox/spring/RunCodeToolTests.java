package io.psych.sandbox.spring;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.CapturedStream;
import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.InputFile;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;

/**
 * Tests for {@link RunCodeTool}.
 */
class RunCodeToolTests {

	private static final RunResult REFUSED = RunResult.refused("x1",
			Failure.of(FailureKind.BACKEND_NOT_READY, "no process could be started"), Duration.ofMillis(3),
			IsolationReport.nothingStarted("none", "no process could be started"));

	private final Sandbox sandbox = mock(Sandbox.class);

	private final RunCodeTool tool = new RunCodeTool(this.sandbox);

	@Test
	void takesOneProgramAndFilesForIt() {
		assertThat(this.tool.name()).isEqualTo("run_code");
		assertThat(this.tool.inputSchema().string("type")).isEqualTo("object");
		assertThat(this.tool.inputSchema().member("properties").members()).containsOnlyKeys("program", "files");
		assertThat(this.tool.inputSchema().strings("required")).containsExactly("program");
		assertThat(this.tool.inputSchema().members()).containsEntry("additionalProperties", false);
	}

	@Test
	void descriptionIsThatOfTheMoment() {
		given(this.sandbox.describe()).willReturn("two tools", "one tool");
		assertThat(this.tool.description()).isEqualTo("two tools");
		assertThat(this.tool.description()).isEqualTo("one tool");
	}

	@Test
	void callSendsProgramWithAttributes() {
		RunRequest request = RunRequest.of("print(1)\n").withAttributes(Map.of("tenant", "acme"));
		given(this.sandbox.run(request)).willReturn(REFUSED);
		String answer = this.tool.call("{\"program\": \"print(1)\\n\"}", Map.of("tenant", "acme"));
		JsonValue record = JsonValue.parse(answer);
		assertThat(record.members()).containsOnlyKeys(REFUSED.toJson().members().keySet());
		assertThat(record.member("failure")).isEqualTo(REFUSED.toJson().member("failure"));
		assertThat(record.string("isolation")).isEqualTo(REFUSED.isolation().level().id());
	}

	@Test
	void callHandsFilesOnByTheirHandles() {
		RunRequest request = RunRequest.of("1").withInputs(List.of(new InputFile.Attached("a.csv", "artifact-1")));
		given(this.sandbox.run(request)).willReturn(REFUSED);
		assertThat(this.tool.call("{\"program\": \"1\", \"files\": {\"a.csv\": \"artifact-1\"}}", Map.of()))
			.contains("backend_not_ready");
	}

	@Test
	void callTellsOfWhatIsKeptWhatTheModelDoesNotSeeWhole() {
		String execution = "0".repeat(32);
		RunResult result = new RunResult(execution, new CapturedStream("all", false, 3, 0),
				new CapturedStream("head tail", true, 100, 91), JsonValue.of("x".repeat(2_000)), null, Duration.ZERO,
				null, true, REFUSED.isolation(), List.of(), Map.of(),
				List.of(new Attachment("stdout", "stdout-" + execution + "-0", "text/plain", 3, true),
						new Attachment("stderr", "stderr-" + execution + "-1", "text/plain", 100, true),
						new Attachment("value", "value-" + execution + "-2", "application/json", 2_002, true),
						new Attachment("stdout", "artifact-" + execution + "-3", "text/csv", 7, true)),
				List.of(), List.of());
		given(this.sandbox.run(RunRequest.of("1"))).willReturn(result);
		given(this.sandbox.limits()).willReturn(Limits.defaults().withStream(ByteSize.ofBytes(2_001)));
		JsonValue record = JsonValue.parse(this.tool.call("{\"program\": \"1\"}", Map.of()));
		assertThat(record.member("value").isNull()).isTrue();
		assertThat(record.string("valuePreview")).startsWith("\"xxx").contains("bytes left out").endsWith("xxx\"");
		assertThat(record.member("attachments").toJson()).contains("stderr-", "value-", "artifact-")
			.doesNotContain("stdout-");
		given(this.sandbox.limits()).willReturn(Limits.defaults().withStream(ByteSize.ofBytes(2_002)));
		record = JsonValue.parse(this.tool.call("{\"program\": \"1\"}", Map.of()));
		assertThat(record.member("value")).isEqualTo(result.value());
		assertThat(record.member("attachments").toJson()).doesNotContain("value-");
	}

	@Test
	void runHandsTheRequestOn() {
		given(this.sandbox.run(any(RunRequest.class))).willReturn(REFUSED);
		assertThat(this.tool.run(RunRequest.of("1").withProfile("batch"))).isSameAs(REFUSED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "print(1)", "null", "[]", "\"print(1)\"", "{}", "{\"code\": \"print(1)\"}",
			"{\"program\": 1}", "{\"program\": null}", "{\"program\": \"1\", \"profile\": \"batch\"}",
			"{\"program\": \"1\", \"files\": {\"a\": 1}}" })
	void callWhenArgumentsAreOthersSaysWhatToSend(String arguments) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.tool.call(arguments, Map.of()))
			.withMessageContaining("run_code")
			.withMessageContaining("Send one JSON object: {\"program\": ");
		verifyNoInteractions(this.sandbox);
	}

}
