package io.psych.sandbox.spring.a2a;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import io.psych.sandbox.egress.Destination;
import io.psych.sandbox.egress.EgressDeniedException;
import io.psych.sandbox.egress.EgressRule;
import io.psych.sandbox.spring.http.CredentialResolver;
import io.psych.sandbox.spring.http.EgressHttpClient;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCatalogs;
import org.jspecify.annotations.Nullable;

/**
 * The skills of all peers as tools, looked up anew each time: those of the cards of the
 * moment, under names that last as long as this object.
 *
 * @since 0.1.0
 */
public final class A2aTools implements AutoCloseable {

	private final List<Peer> peers = new ArrayList<>();

	private final EgressHttpClient client;

	private final SkillNames names = new SkillNames();

	private final Cancellations cancellations = new Cancellations();

	private final CountDownLatch closed = new CountDownLatch(1);

	/**
	 * Create a look-up without peers.
	 * @param client makes their requests
	 */
	public A2aTools(EgressHttpClient client) {
		this.client = client;
	}

	/**
	 * Add a peer. Nothing is asked of it yet.
	 * @param name its name
	 * @param properties what is declared of it
	 * @param credentials finds what proves who calls, or {@code null} for nothing
	 * @throws IllegalArgumentException if it leads nowhere; the message continues a
	 * sentence that begins with the URL
	 */
	public void add(String name, A2aPeerProperties properties, @Nullable CredentialResolver credentials) {
		CardReader cards = new CardReader(name, origins(properties));
		JsonRpcPeer port = new JsonRpcPeer(URI.create(String.valueOf(properties.url())), cards, properties, this.client,
				this.closed);
		this.peers.add(new Peer(port, new KnownCard(port, properties.cardMaxAge(), System::nanoTime), credentials,
				properties.timeout(), ConcurrentHashMap.newKeySet(), this.cancellations, this.closed));
	}

	/**
	 * Return what is allowed because a peer needs it: exactly the origins it may be
	 * called at.
	 * @param properties what is declared of it
	 * @return the rules
	 * @throws IllegalArgumentException if it leads nowhere; the message continues a
	 * sentence that begins with the URL
	 */
	public static List<EgressRule> rules(A2aPeerProperties properties) {
		return origins(properties).stream().map(EgressRule::of).toList();
	}

	private static Set<Destination> origins(A2aPeerProperties properties) {
		Set<Destination> origins = new LinkedHashSet<>();
		origins.add(origin(String.valueOf(properties.url())));
		properties.allowedOrigins().forEach((url) -> origins.add(origin(url)));
		return origins;
	}

	/**
	 * Return the origin of a URL.
	 * @param url the URL
	 * @return the origin
	 * @throws IllegalArgumentException if it has none; the message continues a sentence
	 * that begins with the URL
	 */
	public static Destination origin(String url) {
		try {
			URI uri = new URI(url);
			if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
				throw new IllegalArgumentException("has a query or a fragment");
			}
			return Destination.of(uri);
		}
		catch (URISyntaxException ex) {
			throw new IllegalArgumentException("is no URL", ex);
		}
		catch (EgressDeniedException ex) {
			throw new IllegalArgumentException("is not http or https with a host alone: " + why(ex), ex);
		}
	}

	/** Without the full stop, since this ends up in a sentence. */
	private static String why(EgressDeniedException ex) {
		String message = String.valueOf(ex.getMessage());
		return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
	}

	/**
	 * Return the tools of the moment. Reads cards that are too old; a peer whose card is
	 * not to be had has none.
	 * @param taken the names of all other tools, which none of these will have
	 * @return the tools
	 */
	public List<HostTool> tools(Set<String> taken) {
		Map<SkillNames.Key, Found> found = new LinkedHashMap<>();
		for (Peer peer : this.peers) {
			AgentCard card = peer.card().get();
			if (card != null) {
				card.skills()
					.forEach((skill) -> found.put(new SkillNames.Key(peer.port().name(), skill.id()),
							new Found(peer, card, skill)));
			}
		}
		Set<String> others = new HashSet<>(taken);
		others.addAll(ToolCatalogs.reserved());
		List<HostTool> tools = new ArrayList<>();
		this.names.of(found.keySet(), others).forEach((key, name) -> {
			Found skill = Objects.requireNonNull(found.get(key));
			tools.add(new SkillTool(skill.peer(), skill.card(), skill.skill(), name));
		});
		return tools;
	}

	/** Ends all waiting, and waits a moment for the tasks to be cancelled. */
	@Override
	public void close() {
		this.closed.countDown();
		this.cancellations.close();
	}

	/**
	 * A skill and where it was found.
	 *
	 * @param peer its peer
	 * @param card the card it is on
	 * @param skill the skill
	 */
	private record Found(Peer peer, AgentCard card, AgentCard.Skill skill) {

	}

}
