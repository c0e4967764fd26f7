package io.psych.sandbox.spring.http;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.egress.Destination;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;
import io.psych.sandbox.tool.ToolCapability;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tool that is one HTTP request.
 */
final class HttpTool implements HostTool {

	private static final Logger logger = LoggerFactory.getLogger(HttpTool.class);

	private static final int MOST_HEADER = 8000;

	private final String name;

	private final HttpToolProperties properties;

	private final String description;

	private final JsonValue inputSchema;

	private final @Nullable JsonValue outputSchema;

	private final Plan plan;

	private final @Nullable CredentialResolver credentials;

	private final EgressHttpClient client;

	/**
	 * Where the arguments go.
	 *
	 * @param url the URL, query included
	 * @param headers the headers by name
	 * @param body the body, or {@code null} for none
	 */
	record Plan(UrlTemplate url, Map<String, TextTemplate> headers, @Nullable BodyTemplate body) {

		Plan {
			headers = new LinkedHashMap<>(headers);
		}

		Set<String> arguments() {
			Set<String> names = new LinkedHashSet<>(this.url.pathArguments());
			names.addAll(this.url.queryArguments());
			this.headers.values().forEach((header) -> names.addAll(header.arguments()));
			if (this.body != null) {
				names.addAll(this.body.arguments());
			}
			return names;
		}

	}

	HttpTool(String name, HttpToolProperties properties, String description, JsonValue inputSchema,
			@Nullable JsonValue outputSchema, Plan plan, @Nullable CredentialResolver credentials,
			EgressHttpClient client) {
		this.name = name;
		this.properties = properties;
		this.description = description;
		this.inputSchema = inputSchema;
		this.outputSchema = outputSchema;
		this.plan = plan;
		this.credentials = credentials;
		this.client = client;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String description() {
		return this.description;
	}

	@Override
	public JsonValue inputSchema() {
		return this.inputSchema;
	}

	@Override
	public @Nullable JsonValue outputSchema() {
		return this.outputSchema;
	}

	@Override
	public String origin() {
		return HttpTools.PREFIX + this.name;
	}

	@Override
	public Set<ToolCapability> capabilities() {
		return this.properties.capabilities();
	}

	Destination destination() {
		return this.plan.url().destination();
	}

	/**
	 * Return the URL of the call. Where an argument has no place in it, the call will
	 * fail for that before it connects, and the destination alone is named.
	 */
	@Override
	public List<URI> destinations(JsonValue arguments) {
		try {
			return List.of(this.plan.url().expand(new CallArguments(arguments)));
		}
		catch (ToolCallException ex) {
			return List.of(destination().toUri());
		}
	}

	@Override
	public JsonValue call(JsonValue given, ToolCallContext context) throws ToolCallException, InterruptedException {
		CallArguments arguments = new CallArguments(given);
		HttpCall call = HttpCall.of(this.properties.method(), this.plan.url().expand(arguments))
			.timeout(this.properties.timeout())
			.maxResponse(ByteSize.ofBytes(this.properties.maxResponseSize().toBytes()));
		for (Map.Entry<String, TextTemplate> header : this.plan.headers().entrySet()) {
			String value = header(header.getValue(), arguments);
			call = (value != null) ? call.header(header.getKey(), value) : call;
		}
		call = withBody(call, arguments);
		if (this.properties.sslBundle() != null) {
			call = call.sslBundle(this.properties.sslBundle());
		}
		Credential credential = (this.credentials != null) ? credential(this.credentials, call, context) : null;
		HttpCall sent = (credential != null) ? call.credential(credential) : call;
		return Answers.value(sent, this.client.send(sent), credential);
	}

	private static @Nullable String header(TextTemplate header, CallArguments arguments) throws ToolCallException {
		if (!arguments.areGiven(header.arguments())) {
			return null;
		}
		for (String name : header.arguments()) {
			String value = arguments.scalar(name);
			if (!HttpFields.isValue(value) || value.length() > MOST_HEADER) {
				throw CallArguments.bad(name,
						"has its place in a header, which holds visible ASCII characters, at most " + MOST_HEADER);
			}
		}
		return header.fill(arguments::text);
	}

	private HttpCall withBody(HttpCall call, CallArguments arguments) throws ToolCallException {
		BodyTemplate body = this.plan.body();
		if (body == null || !body.takesTheRest()) {
			for (String unused : arguments.without(this.plan.arguments()).keySet()) {
				// The schema lets it pass, and the request has no place for it.
				throw CallArguments.bad(unused, "is none that " + this.name + " does anything with");
			}
		}
		if (body == null) {
			return call;
		}
		HttpCall.Body filled = body.fill(arguments);
		return call.body(filled.bytes(), filled.mediaType());
	}

	private Credential credential(CredentialResolver resolver, HttpCall call, ToolCallContext context)
			throws ToolCallException {
		Credential credential;
		try {
			credential = resolver.resolve(context.scope(), call.uri());
		}
		catch (RuntimeException ex) {
			// Whatever its text and trace hold, they are about a secret.
			logger.warn("The credential {} of tool {} could not be had: {}", this.properties.credential(), this.name,
					ex.getClass().getName());
			throw new ToolCallException(ToolFailureKind.DENIED,
					"The credential for " + this.name + " could not be had, and the call was not made.", null);
		}
		if (credential == null) {
			throw new ToolCallException(ToolFailureKind.DENIED,
					"There is no credential for " + this.name + " on behalf of this caller. The call was not made.",
					null);
		}
		return credential;
	}

	@Override
	public String toString() {
		return origin();
	}

}
