package io.psych.sandbox.spring.a2a;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.egress.Destination;
import io.psych.sandbox.egress.EgressDeniedException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.log.Quoted;
import io.psych.sandbox.tool.ToolCallException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads cards of either version, which are third-party text, and chooses where the agent
 * is called: only at origins that the operator named.
 *
 * @param peer the name of the peer, for messages
 * @param allowed the origins it may be called at
 */
record CardReader(String peer, Set<Destination> allowed) {

	private static final Logger logger = LoggerFactory.getLogger(CardReader.class);

	private static final String JSON_RPC = "JSONRPC";

	private static final int MOST_SKILLS = 200;

	private static final int MOST_ID = 128;

	private static final int MOST_TEXT = 2000;

	private static final int MOST_EXAMPLES = 5;

	private static final int MOST_EXAMPLE = 200;

	AgentCard read(JsonValue card) throws ToolCallException {
		if (!card.isObject()) {
			throw failed(ToolFailureKind.TOOL_ERROR, "is no JSON object");
		}
		Endpoint endpoint = endpoint(endpoints(card));
		String name = card.string("name");
		return new AgentCard((name != null) ? Texts.shortened(name, MOST_ID) : this.peer, skills(card), endpoint.url(),
				endpoint.protocol(), endpoint.tenant());
	}

	/** Whether an URL leads to where the agent may be called. */
	boolean isAllowed(URI url) {
		try {
			return this.allowed.contains(Destination.of(url));
		}
		catch (EgressDeniedException ex) {
			return false;
		}
	}

	/** All that we could speak to, wherever it is. */
	private static List<Endpoint> endpoints(JsonValue card) {
		List<Endpoint> endpoints = new ArrayList<>();
		for (JsonValue each : objects(card, "supportedInterfaces")) {
			add(endpoints, each, each.string("protocolBinding"), each.string("protocolVersion"));
		}
		String version = card.string("protocolVersion");
		String legacy = (version != null) ? version : Protocol.V0_3.version();
		String preferred = card.string("preferredTransport");
		add(endpoints, card, (preferred != null) ? preferred : JSON_RPC, legacy);
		for (JsonValue each : objects(card, "additionalInterfaces")) {
			add(endpoints, each, each.string("transport"), legacy);
		}
		return endpoints;
	}

	private static void add(List<Endpoint> endpoints, JsonValue named, @Nullable String binding,
			@Nullable String version) {
		Protocol protocol = Protocol.of(version);
		String url = named.string("url");
		if (!JSON_RPC.equals(binding) || protocol == null || url == null) {
			return;
		}
		try {
			String tenant = named.string("tenant");
			endpoints
				.add(new Endpoint(URI.create(url), protocol, (tenant != null && !tenant.isEmpty()) ? tenant : null));
		}
		catch (IllegalArgumentException ex) {
			logger.debug("An interface of an agent card has no URL", Quoted.problem(ex));
		}
	}

	/** The newest version among those that may be called. */
	private Endpoint endpoint(List<Endpoint> endpoints) throws ToolCallException {
		for (Protocol protocol : List.of(Protocol.V1_0, Protocol.V0_3)) {
			for (Endpoint endpoint : endpoints) {
				if (endpoint.protocol() == protocol && isAllowed(endpoint.url())) {
					return endpoint;
				}
			}
		}
		if (endpoints.isEmpty()) {
			throw failed(ToolFailureKind.TOOL_ERROR,
					"names no place to call it by JSON-RPC in version 1.x or 0.3 of the protocol");
		}
		throw failed(ToolFailureKind.DENIED,
				"wants it to be called at another origin, " + Texts.origin(endpoints.get(0).url())
						+ ", which psych.sandbox.tools.a2a." + this.peer + ".allowed-origins does not name");
	}

	private List<AgentCard.Skill> skills(JsonValue card) {
		Map<String, AgentCard.Skill> skills = new LinkedHashMap<>();
		for (JsonValue each : objects(card, "skills")) {
			String id = each.string("id");
			if (id == null || id.isBlank() || id.length() > MOST_ID || skills.containsKey(id)
					|| skills.size() == MOST_SKILLS) {
				logger
					.warn("A skill of the A2A peer {} is left out, it has no usable name of its own or is one too many:"
							+ " {}", this.peer, Quoted.text(String.valueOf(id)));
				continue;
			}
			String description = each.string("description");
			String name = each.string("name");
			String text = (description != null && !description.isBlank()) ? description : String.valueOf(name);
			List<String> examples = each.strings("examples");
			skills.put(id,
					new AgentCard.Skill(id, Texts.shortened(text, MOST_TEXT),
							((examples != null) ? examples : List.<String>of()).stream()
								.limit(MOST_EXAMPLES)
								.map((example) -> Texts.shortened(example, MOST_EXAMPLE))
								.toList()));
		}
		return List.copyOf(skills.values());
	}

	private static List<JsonValue> objects(JsonValue holder, String name) {
		return (holder.members().get(name) instanceof List<?> list)
				? list.stream().map(JsonValue::of).filter(JsonValue::isObject).toList() : List.of();
	}

	private ToolCallException failed(ToolFailureKind kind, String problem) {
		return new ToolCallException(kind, "The card of the A2A peer " + this.peer + " " + problem + ".");
	}

	/**
	 * A place to call.
	 *
	 * @param url the URL
	 * @param protocol what it speaks
	 * @param tenant what it calls its tenant, or {@code null}
	 */
	private record Endpoint(URI url, Protocol protocol, @Nullable String tenant) {

	}

}
