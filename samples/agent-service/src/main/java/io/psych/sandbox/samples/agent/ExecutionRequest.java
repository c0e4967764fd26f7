package io.psych.sandbox.samples.agent;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.contract.InputFile;
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
 * @param files files to lie in its working folder, by their names, or {@code null}
 */
record ExecutionRequest(@Nullable String program, @Nullable String tenant, @Nullable String run,
		@Nullable String profile, @Nullable Map<String, GivenFile> files) {

	RunRequest toRunRequest() {
		if (this.program == null || this.program.isBlank()) {
			throw refused("program is missing or blank. Send {\"program\": \"print(1 + 1)\"}.");
		}
		List<InputFile> inputs = new ArrayList<>();
		if (this.files != null) {
			this.files.forEach((name, file) -> inputs.add(file.toInputFile(name)));
		}
		try {
			return RunRequest.of(this.program)
				.withScope(new Scope(this.tenant, this.run, null))
				.withProfile(this.profile)
				.withInputs(inputs);
		}
		catch (IllegalArgumentException ex) {
			throw refused(String.valueOf(ex.getMessage()));
		}
	}

	private static ResponseStatusException refused(String problem) {
		return new ResponseStatusException(HttpStatus.BAD_REQUEST, problem);
	}

	/**
	 * A file, by one of three.
	 *
	 * @param handle the handle of an attachment of the same run
	 * @param text its content as text
	 * @param base64 its content as Base64
	 */
	record GivenFile(@Nullable String handle, @Nullable String text, @Nullable String base64) {

		InputFile toInputFile(String name) {
			if (this.handle != null && this.text == null && this.base64 == null) {
				return new InputFile.Attached(name, this.handle);
			}
			if (this.handle == null && this.text != null && this.base64 == null) {
				return new InputFile.Bytes(name, this.text.getBytes(StandardCharsets.UTF_8));
			}
			if (this.handle == null && this.text == null && this.base64 != null) {
				try {
					return new InputFile.Bytes(name, Base64.getDecoder().decode(this.base64));
				}
				catch (IllegalArgumentException ex) {
					throw refused("file " + name + " is not Base64: " + ex.getMessage() + ".");
				}
			}
			throw refused("file " + name + " must have one of handle, text and base64.");
		}

	}

}
