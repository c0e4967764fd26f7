package io.psych.sandbox.samples.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.Map;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.attachment.Attachments;
import io.psych.sandbox.attachment.Content;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.runlog.RunRecord;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.io.InputStreamResource;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * What happened in a run, and what its programs left behind. There is no login: a real
 * service takes the tenant from it, and never from the request.
 */
@RestController
final class RunController {

	private final RunLog log;

	private final Attachments attachments;

	private final ObjectProvider<Sandbox> sandbox;

	RunController(RunLog log, Attachments attachments, ObjectProvider<Sandbox> sandbox) {
		this.log = log;
		this.attachments = attachments;
		this.sandbox = sandbox;
	}

	@GetMapping(path = "/api/runs/{run}", produces = MediaType.APPLICATION_JSON_VALUE)
	byte[] run(@PathVariable String run, @RequestParam(required = false) @Nullable String tenant) {
		RunRecord record = RunRecord.of(this.log, RunKey.of(scope(tenant, run), ""));
		if (record.lastNumber() == 0) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND, "Nothing is recorded of a run of that name.");
		}
		Map<String, @Nullable Object> json = new LinkedHashMap<>(record.toJson().members());
		Sandbox available = this.sandbox.getIfAvailable();
		Limits limits = (available != null) ? available.limits() : Limits.defaults();
		json.put("callsLeft", record.callsLeft(limits.calls()));
		return JsonValue.of(json).toUtf8();
	}

	@GetMapping("/api/attachments/{handle}")
	ResponseEntity<InputStreamResource> attachment(@PathVariable String handle,
			@RequestParam(required = false) @Nullable String tenant,
			@RequestParam(required = false) @Nullable String run) throws IOException {
		Content content = this.attachments.find(scope(tenant, run), handle);
		if (content == null) {
			// The same answer whether nobody has it or somebody else does
			throw new ResponseStatusException(HttpStatus.NOT_FOUND, "This run left nothing behind under that handle.");
		}
		try {
			String name = content.attachment().name();
			return ResponseEntity.ok()
				.contentType(MediaType.parseMediaType(content.attachment().mediaType()))
				.contentLength(content.attachment().bytes())
				.header(HttpHeaders.CONTENT_DISPOSITION,
						ContentDisposition.attachment()
							.filename(name.substring(name.lastIndexOf('/') + 1), StandardCharsets.UTF_8)
							.build()
							.toString())
				// A program wrote it: no browser may take it for a page of this service
				.header("X-Content-Type-Options", "nosniff")
				.header("Content-Security-Policy", "sandbox; default-src 'none'")
				.body(new InputStreamResource(content.open()));
		}
		catch (NoSuchFileException ex) {
			throw new ResponseStatusException(HttpStatus.GONE, "It is not kept any more.", ex);
		}
	}

	private static Scope scope(@Nullable String tenant, @Nullable String run) {
		try {
			return new Scope(tenant, run, null);
		}
		catch (IllegalArgumentException ex) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST, ex.getMessage(), ex);
		}
	}

}
