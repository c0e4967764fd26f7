package io.psych.sandbox.samples.agent;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;

import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.EntityExchangeResult;
import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * What the service answered to one request over HTTP.
 *
 * @param status the status
 * @param mediaType the media type of the body
 * @param body the body
 */
record Answer(int status, MediaType mediaType, String body) {

	static Answer toGet(RestTestClient client, String path) {
		return of(client.get().uri(path));
	}

	static Answer toPost(RestTestClient client, String path, Object body) {
		return of(client.post().uri(path).contentType(MediaType.APPLICATION_JSON).body(body));
	}

	static Answer toProgram(RestTestClient client, String program) {
		return toPost(client, "/api/executions", Map.of("program", program));
	}

	private static Answer of(RestTestClient.RequestHeadersSpec<?> request) {
		EntityExchangeResult<byte[]> result = request.exchange().returnResult(byte[].class);
		return new Answer(result.getStatus().value(), result.getResponseHeaders().getContentType(),
				new String(result.getResponseBody(), StandardCharsets.UTF_8));
	}

	/** Read what a JSONPath points to. */
	<T> T at(String path) {
		return JsonPath.read(this.body, path);
	}

	String text(String path) {
		return at(path);
	}

}
