package io.psych.sandbox.spring.http;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.tool.ToolCapability;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * A tool that is one HTTP request, as it is declared in configuration. An argument is
 * written as its name in braces; it can be in the path and the query of the URL, in
 * headers and in the body.
 *
 * @param description What the tool is for, told to the model.
 * @param method Method of the request: GET, POST, PUT, PATCH or DELETE.
 * @param url URL of the request. Scheme, host and port hold no argument.
 * @param inputSchema JSON Schema of the arguments, as JSON or YAML, or where to read it:
 * "classpath:" or "file:" and a name. Without it the tool takes no arguments.
 * @param outputSchema JSON Schema of the result, in the same forms. Not known when not
 * set.
 * @param query Parameters of the query, by their name. A parameter whose argument is not
 * given is left out, and one that is an array is repeated.
 * @param headers Headers of the request, by their name. A header whose argument is not
 * given is left out. What proves who calls belongs into a credential.
 * @param body Body of the request, as JSON or YAML. A text that is one argument becomes
 * its value, and is left out where it is not given. For POST, PUT and PATCH the arguments
 * that are in no other place when not set.
 * @param bodyFormat Format the body is sent in.
 * @param credential Name of a credential below "psych.sandbox.credentials", or of a bean
 * that is a CredentialResolver.
 * @param capabilities What the tool can do that matters to whether a program may call it.
 * @param timeout Time until the whole answer is there. If a duration suffix is not
 * specified, seconds will be used.
 * @param maxResponseSize Bytes one answer may have, on the wire and decompressed.
 * @param sslBundle Name of the SSL bundle whose certificates are used.
 * @since 0.1.0
 */
public record HttpToolProperties(@Nullable String description, @DefaultValue("GET") String method, @Nullable String url,
		@Nullable String inputSchema, @Nullable String outputSchema, @DefaultValue Map<String, String> query,
		@DefaultValue Map<String, String> headers, @Nullable String body, @DefaultValue("json") BodyFormat bodyFormat,
		@Nullable String credential, @DefaultValue Set<ToolCapability> capabilities,
		@DefaultValue("15s") @DurationUnit(ChronoUnit.SECONDS) Duration timeout,
		@DefaultValue("16MB") DataSize maxResponseSize, @Nullable String sslBundle) {

	public HttpToolProperties {
		method = method.strip().toUpperCase(Locale.ROOT);
		// In the order they were written.
		query = Collections.unmodifiableMap(new LinkedHashMap<>(query));
		headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
		capabilities = Collections.unmodifiableSet(new LinkedHashSet<>(capabilities));
	}

	/**
	 * How a body is sent.
	 */
	public enum BodyFormat {

		/** As JSON. */
		JSON,

		/** As the fields of an HTML form. */
		FORM

	}

	/** Without headers, query and body, which may hold what nobody else should read. */
	@Override
	public String toString() {
		return "HttpToolProperties[" + this.method + " " + this.url + "]";
	}

}
