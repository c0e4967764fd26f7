package io.psych.sandbox.spring.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

import io.psych.sandbox.egress.Destination;
import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.egress.EgressDeniedException;
import io.psych.sandbox.egress.EgressRule;
import io.psych.sandbox.egress.EgressRules;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolSchemas;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.StringUtils;

/**
 * Makes tools of what is declared in configuration, and refuses at once what could never
 * work.
 *
 * @since 0.1.0
 */
public final class HttpTools {

	static final String PREFIX = "psych.sandbox.tools.http.";

	/** What is shown in place of a secret. */
	private static final String HIDDEN = "******";

	private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

	private static final JsonValue NO_ARGUMENTS = JsonValue
		.parse("{\"type\": \"object\", \"properties\": {}, \"additionalProperties\": false}");

	/** An answer is held in memory, as bytes and as a value. */
	private static final long MOST_RESPONSE = 256L * 1024 * 1024;

	private final Egress egress;

	private final EgressHttpClient client;

	private final ResourceLoader resources;

	private final Function<String, @Nullable CredentialResolver> credentials;

	private final @Nullable SslBundles bundles;

	/**
	 * Create a new maker of tools.
	 * @param egress decides on their destinations
	 * @param client makes their requests
	 * @param resources where schemas are read from
	 * @param credentials finds a credential by its name, {@code null} for none
	 * @param bundles the SSL bundles, or {@code null} when there are none
	 */
	public HttpTools(Egress egress, EgressHttpClient client, ResourceLoader resources,
			Function<String, @Nullable CredentialResolver> credentials, @Nullable SslBundles bundles) {
		this.egress = egress;
		this.client = client;
		this.resources = resources;
		this.credentials = credentials;
		this.bundles = bundles;
	}

	/**
	 * Return what is allowed because a tool needs it: exactly its scheme, host and port.
	 * @param tools the tools by name
	 * @return the rules
	 * @throws HttpToolException if the URL of one is none
	 */
	public static List<EgressRule> rules(Map<String, HttpToolProperties> tools) {
		List<EgressRule> rules = new ArrayList<>();
		tools
			.forEach((name, properties) -> rules.add(EgressRule.of(url(new Declared(name, properties)).destination())));
		return rules;
	}

	/**
	 * Return the tools.
	 * @param tools what is declared of them, by name
	 * @return the tools, in the same order
	 * @throws HttpToolException if one could never work
	 */
	public List<HostTool> create(Map<String, HttpToolProperties> tools) {
		List<HostTool> created = new ArrayList<>();
		tools.forEach((name, properties) -> created.add(create(new Declared(name, properties))));
		return List.copyOf(created);
	}

	/**
	 * A tool as it is declared.
	 *
	 * @param name its name
	 * @param properties what is declared of it
	 */
	private record Declared(String name, HttpToolProperties properties) {

		HttpToolException refused(String property, @Nullable String value, String problem, String fix) {
			return new HttpToolException(this.name, property, value, problem, fix);
		}

		<T> T parsed(String property, String value, String fix, Supplier<T> parser) {
			try {
				return parser.get();
			}
			catch (IllegalArgumentException ex) {
				throw refused(property, value, String.valueOf(ex.getMessage()), fix);
			}
		}

	}

	private HostTool create(Declared declared) {
		HttpToolProperties properties = declared.properties();
		if (!StringUtils.hasText(properties.description())) {
			throw declared.refused("description", properties.description(),
					"tells a model nothing of what the tool is for", "Set it to one sentence.");
		}
		if (!HttpCall.METHODS.contains(properties.method())) {
			throw declared.refused("method", properties.method(), "is no method a tool can have",
					"Set it to GET, POST, PUT, PATCH or DELETE.");
		}
		if (properties.timeout().isNegative() || properties.timeout().isZero()) {
			throw declared.refused("timeout", properties.timeout().toString(), "leaves no time for any answer",
					"Set it to 1s or more.");
		}
		long most = properties.maxResponseSize().toBytes();
		if (most < 1 || most > MOST_RESPONSE) {
			throw declared.refused("max-response-size", properties.maxResponseSize().toString(),
					"is nothing at all, or more than is held in memory", "Set it to a size from 1B to 256MB.");
		}
		JsonValue inputSchema = (properties.inputSchema() != null)
				? schema(declared, "input-schema", properties.inputSchema()) : NO_ARGUMENTS;
		if (!"object".equals(inputSchema.string("type"))) {
			throw declared.refused("input-schema", properties.inputSchema(),
					"has not the type object, which arguments always have", "Add type: object to the schema.");
		}
		JsonValue outputSchema = (properties.outputSchema() != null)
				? schema(declared, "output-schema", properties.outputSchema()) : null;
		HttpTool.Plan plan = plan(declared, inputSchema);
		CredentialResolver credential = credential(declared, plan.url().destination());
		checkBundle(declared);
		checkDestination(declared, plan.url().destination());
		return new HttpTool(declared.name(), properties, properties.description(), inputSchema, outputSchema, plan,
				credential, this.client);
	}

	private JsonValue schema(Declared declared, String property, String text) {
		String fix = "Write a JSON Schema as JSON or YAML, or name a resource that holds one, such as"
				+ " classpath:schema.json.";
		JsonValue schema = declared.parsed(property, text, fix, () -> StructuredText.parse(text, this.resources));
		String problem = ToolSchemas.problem(schema);
		if (problem != null) {
			throw declared.refused(property, text, problem, fix);
		}
		return schema;
	}

	private static UrlTemplate url(Declared declared) {
		String text = declared.properties().url();
		String fix = "Set it to an absolute URL such as https://api.example.org/orders/{id}.";
		if (!StringUtils.hasText(text)) {
			throw declared.refused("url", text, "leads nowhere", fix);
		}
		// User info is refused, and not shown.
		String shown = text.contains("@") ? HIDDEN : text;
		return declared.parsed("url", shown, fix, () -> UrlTemplate.parse(text));
	}

	private HttpTool.Plan plan(Declared declared, JsonValue inputSchema) {
		HttpToolProperties properties = declared.properties();
		UrlTemplate url = url(declared);
		checkKnown(declared, "url", properties.url(), inputSchema, url.pathArguments());
		checkKnown(declared, "url", properties.url(), inputSchema, url.queryArguments());
		for (String name : url.pathArguments()) {
			checkInPath(declared, inputSchema, name);
		}
		Map<String, TextTemplate> query = templates(declared, "query", properties.query(), inputSchema);
		Map<String, TextTemplate> headers = headers(declared, inputSchema);
		Set<String> placed = new LinkedHashSet<>(url.pathArguments());
		placed.addAll(url.queryArguments());
		query.values().forEach((template) -> placed.addAll(template.arguments()));
		headers.values().forEach((template) -> placed.addAll(template.arguments()));
		BodyTemplate body = body(declared, inputSchema, placed);
		if (body == null || !body.takesTheRest()) {
			Set<String> unplaced = new TreeSet<>(names(inputSchema));
			unplaced.removeAll(placed);
			unplaced.removeAll((body != null) ? body.arguments() : Set.of());
			if (!unplaced.isEmpty()) {
				throw declared.refused("input-schema", properties.inputSchema(),
						"has arguments that go nowhere in the request: " + unplaced,
						"Name each in braces in the url, query, headers or body, or remove it from the schema.");
			}
		}
		return new HttpTool.Plan(url.withQuery(query), headers, body);
	}

	private static void checkKnown(Declared declared, String property, @Nullable String value, JsonValue schema,
			Set<String> arguments) {
		Set<String> known = names(schema);
		for (String name : arguments) {
			if (!known.contains(name)) {
				throw declared.refused(property, value,
						"names the argument {" + name + "}, and the input schema has none of that name",
						"Add " + name + " to the properties of " + PREFIX + declared.name()
								+ ".input-schema, or write braces that are none of an argument twice.");
			}
		}
	}

	private static void checkInPath(Declared declared, JsonValue schema, String name) {
		List<String> required = schema.strings("required");
		if (required == null || !required.contains(name)) {
			throw declared.refused("url", declared.properties().url(),
					"has the argument {" + name + "} in its path, and it may be missing",
					"Add " + name + " to required in " + PREFIX + declared.name() + ".input-schema.");
		}
		JsonValue properties = schema.member("properties");
		JsonValue property = (properties != null) ? properties.member(name) : null;
		String type = (property != null) ? property.string("type") : null;
		if ("object".equals(type) || "array".equals(type)) {
			throw declared.refused("url", declared.properties().url(),
					"has the argument {" + name + "} in its path, and it is an " + type,
					"Put it into the query or the body, or make it a string, a number or a boolean.");
		}
	}

	private static Map<String, TextTemplate> templates(Declared declared, String property, Map<String, String> texts,
			JsonValue schema) {
		Map<String, TextTemplate> templates = new LinkedHashMap<>();
		texts.forEach((name, text) -> {
			String full = property + "." + name;
			TextTemplate template = declared.parsed(full, text, "Write an argument as its name in braces.",
					() -> TextTemplate.parse(text));
			checkKnown(declared, full, text, schema, template.arguments());
			templates.put(name, template);
		});
		return templates;
	}

	private static Map<String, TextTemplate> headers(Declared declared, JsonValue schema) {
		Map<String, TextTemplate> headers = templates(declared, "headers", declared.properties().headers(), schema);
		headers.forEach((name, template) -> {
			String full = "headers." + name;
			// What proves who calls is shown by none of these.
			if (HttpFields.isCredential(name)) {
				throw declared.refused(full, HIDDEN, "proves who calls, and would be readable where tools are shown",
						"Move it to psych.sandbox.credentials.<name>.value, and name that with " + PREFIX
								+ declared.name() + ".credential.");
			}
			String text = declared.properties().headers().get(name);
			if (HttpFields.problemOfName(name) != null || HttpFields.isReserved(name)) {
				throw declared.refused(full, text, "is no header, or one that the client sets itself", "Remove it.");
			}
			if (!HttpFields.isValue(template.fill((argument) -> ""))) {
				throw declared.refused(full, text, "holds something else than visible ASCII characters",
						"Write it in ASCII.");
			}
		});
		return headers;
	}

	private @Nullable BodyTemplate body(Declared declared, JsonValue inputSchema, Set<String> placed) {
		HttpToolProperties properties = declared.properties();
		String text = properties.body();
		if (text != null) {
			if (properties.method().equals("GET")) {
				throw declared.refused("body", text, "a request with method GET has none",
						"Remove it, or set " + PREFIX + declared.name() + ".method to POST.");
			}
			BodyTemplate body = declared.parsed("body", text, "Write JSON or YAML, with arguments as \"{name}\".",
					() -> BodyTemplate.of(StructuredText.parse(text, this.resources), properties.bodyFormat()));
			checkKnown(declared, "body", text, inputSchema, body.arguments());
			return body;
		}
		boolean isOpen = !Boolean.FALSE.equals(inputSchema.members().get("additionalProperties"));
		boolean hasMore = !placed.containsAll(names(inputSchema)) || isOpen;
		return (WITH_BODY.contains(properties.method()) && hasMore) ? BodyTemplate.rest(placed, properties.bodyFormat())
				: null;
	}

	private static Set<String> names(JsonValue schema) {
		JsonValue properties = schema.member("properties");
		return (properties != null) ? properties.members().keySet() : Set.of();
	}

	private @Nullable CredentialResolver credential(Declared declared, Destination destination) {
		String name = declared.properties().credential();
		if (name == null) {
			return null;
		}
		CredentialResolver resolver = this.credentials.apply(name);
		if (resolver == null) {
			throw declared.refused("credential", name, "names no credential there is",
					"Declare psych.sandbox.credentials." + name
							+ ".value, or a bean of that name that is a CredentialResolver.");
		}
		boolean isOpen = !destination.isSecure()
				&& (destination.address() == null || !destination.address().isLoopbackAddress())
				&& !destination.host().equals("localhost");
		if (isOpen && resolver instanceof FixedCredential fixed && !fixed.credential().isPlaintextAllowed()) {
			throw declared.refused("credential", name, "would be sent without encryption to " + destination,
					"Use https, or set psych.sandbox.credentials." + name
							+ ".allow-plaintext to true where the network in between is trusted.");
		}
		return resolver;
	}

	private void checkBundle(Declared declared) {
		String name = declared.properties().sslBundle();
		if (name == null) {
			return;
		}
		try {
			if (this.bundles != null) {
				this.bundles.getBundle(name);
				return;
			}
		}
		catch (NoSuchSslBundleException ex) {
			// Told below.
		}
		throw declared.refused("ssl-bundle", name, "names no SSL bundle there is",
				"Declare it below spring.ssl.bundle, or remove the property.");
	}

	/** What a name resolves to is not known yet; an address is. */
	private void checkDestination(Declared declared, Destination destination) {
		if (destination.address() == null || !(this.egress instanceof EgressRules rules)) {
			return;
		}
		try {
			rules.check(destination.toUri());
		}
		catch (EgressDeniedException ex) {
			throw declared.refused("url", declared.properties().url(),
					"leads to an address that is not public, where no tool goes unless that is said",
					"Add an entry to psych.sandbox.egress.allow with destination " + destination
							+ " and allowed-addresses " + destination.address().getHostAddress() + ".");
		}
	}

}
