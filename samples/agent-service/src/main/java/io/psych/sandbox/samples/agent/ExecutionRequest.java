package io.psych.sandbox.samples.agent;

import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.Scope;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * The body of {@code POST /api/executions}.
 *
 * @param program the text of the program
 * @param tenant whose execution it is, or {@code null}
 * @param run the agent run it belongs to, or {@code null}
 * @param profile name of the profile whose limits apply, or {@code null} for the default
 * limits
 */
record ExecutionRequest(@Nullable String program, @Nullable String tenant, @Nullable String run,
		@Nullable String profile) {

	RunRequest toRunRequest() {
		if (this.program == null || this.program.isBlank()) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"program is missing or blank. Send {\"program\": \"print(1 + 1)\"}.");
		}
		return RunRequest.of(this.program).withScope(new Scope(this.tenant, this.run, null)).withProfile(this.profile);
	}

}
