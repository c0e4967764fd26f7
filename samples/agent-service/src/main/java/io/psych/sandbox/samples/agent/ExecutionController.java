package io.psych.sandbox.samples.agent;

import java.io.IOException;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.UnknownProfileException;
import io.psych.sandbox.contract.RunResult;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Executes programs for clients over HTTP. What a program does wrong is part of an answer
 * with status 200: only what no execution could come of is an error.
 */
@RestController
final class ExecutionController {

	private final ObjectProvider<Sandbox> sandbox;

	private final AsyncTaskExecutor executor;

	ExecutionController(ObjectProvider<Sandbox> sandbox,
			@Qualifier("applicationTaskExecutor") AsyncTaskExecutor executor) {
		this.sandbox = sandbox;
		this.executor = executor;
	}

	@PostMapping("/api/executions")
	void execute(@RequestBody ExecutionRequest request, HttpServletResponse response)
			throws IOException, InterruptedException {
		Sandbox sandbox = this.sandbox.getIfAvailable();
		if (sandbox == null) {
			throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE,
					"No isolation backend is usable on this host; /actuator/health says why and what to do.");
		}
		response.setContentType(MediaType.APPLICATION_JSON_VALUE);
		try {
			RunResult result = new WatchedExecution(sandbox, this.executor).run(request.toRunRequest(),
					response.getOutputStream());
			response.getOutputStream().write(result.toJson().toUtf8());
		}
		catch (UnknownProfileException ex) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"No profile is named '" + ex.profile() + "'. Known profiles: " + ex.known() + ".", ex);
		}
	}

}
