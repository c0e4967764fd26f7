package io.psych.sandbox.spring.a2a;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.spring.http.Credential;
import io.psych.sandbox.spring.http.EgressHttpClient;
import io.psych.sandbox.spring.http.HttpAnswer;
import io.psych.sandbox.spring.http.HttpCall;
import io.psych.sandbox.tool.ToolCallException;
import org.jspecify.annotations.Nullable;

/**
 * A peer that is spoken to by JSON-RPC 2.0 over HTTP, in either version of the protocol.
 */
final class JsonRpcPeer implements A2aPeer {

	/** Time to read a card, tries included: a turn waits for it. */
	private static final Duration CARD_TIMEOUT = Duration.ofSeconds(5);

	private static final int CARD_TRIES = 3;

	private static final long FIRST_PAUSE_MILLIS = 100;

	private static final ByteSize MOST_CARD = ByteSize.ofMebibytes(1);

	private static final int MOST_MESSAGE = 2000;

	private static final String JSON = "application/json";

	private static final String VERSION_HEADER = "A2A-Version";

	private static final Pattern MAX_AGE = Pattern.compile("\\bmax-age=(\\d{1,9})\\b");

	private final String name;

	private final URI url;

	private final CardReader cards;

	private final EgressHttpClient client;

	private final ByteSize maxResponse;

	private final @Nullable String sslBundle;

	/** Open as long as anybody may wait. */
	private final CountDownLatch closed;

	JsonRpcPeer(URI url, CardReader cards, A2aPeerProperties properties, EgressHttpClient client,
			CountDownLatch closed) {
		this.name = cards.peer();
		this.url = url;
		this.cards = cards;
		this.client = client;
		this.maxResponse = ByteSize.ofBytes(properties.maxResponseSize().toBytes());
		this.sslBundle = properties.sslBundle();
		this.closed = closed;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public CardReading card(@Nullable CardReading known) throws ToolCallException, InterruptedException {
		long end = System.nanoTime() + CARD_TIMEOUT.toNanos();
		long pause = FIRST_PAUSE_MILLIS;
		for (int tries = 1;; tries++) {
			try {
				return tryCard(known, end);
			}
			catch (ToolCallException ex) {
				boolean mayPass = ex.kind() == ToolFailureKind.UNREACHABLE
						&& end - System.nanoTime() > TimeUnit.MILLISECONDS.toNanos(pause);
				if (tries == CARD_TRIES || !mayPass || this.closed.await(pause, TimeUnit.MILLISECONDS)) {
					throw ex;
				}
				pause *= 2;
			}
		}
	}

	private CardReading tryCard(@Nullable CardReading known, long end) throws ToolCallException, InterruptedException {
		String base = this.url.toString();
		if (base.endsWith(".json")) {
			return read(this.url, known, get(this.url, known, end));
		}
		String folder = base + (base.endsWith("/") ? "" : "/") + ".well-known/";
		URI current = URI.create(folder + "agent-card.json");
		HttpAnswer answer = get(current, known, end);
		if (answer.status() != 404) {
			return read(current, known, answer);
		}
		URI older = URI.create(folder + "agent.json");
		return read(older, known, get(older, known, end));
	}

	private HttpAnswer get(URI uri, @Nullable CardReading known, long end)
			throws ToolCallException, InterruptedException {
		Duration remaining = Duration.ofNanos(end - System.nanoTime());
		if (remaining.toMillis() < 1) {
			throw new ToolCallException(ToolFailureKind.TIMED_OUT,
					"The card of the A2A peer " + this.name + " was not there within " + CARD_TIMEOUT + ".");
		}
		HttpCall call = withBundle(HttpCall.of("GET", uri)).header("Accept", JSON)
			.header(VERSION_HEADER, Protocol.V1_0.version())
			.timeout(remaining)
			.maxResponse(MOST_CARD);
		String tag = (known != null) ? known.tag() : null;
		return this.client.send((tag != null) ? call.header("If-None-Match", tag) : call);
	}

	private CardReading read(URI asked, @Nullable CardReading known, HttpAnswer answer) throws ToolCallException {
		// What is not asked for at the peer is not its card, wherever a redirect leads.
		if (!this.cards.isAllowed(answer.uri())) {
			throw new ToolCallException(ToolFailureKind.DENIED, "The card of the A2A peer " + this.name
					+ " was redirected to another origin, " + Texts.origin(answer.uri()) + ".");
		}
		if (answer.status() == 304 && known != null) {
			return new CardReading(known.card(), known.tag(), maxAge(answer));
		}
		if (!answer.isSuccess()) {
			throw refused("GET " + Texts.origin(asked), answer.status(), "the card of the A2A peer " + this.name);
		}
		String tag = answer.header("ETag");
		boolean isSendable = tag != null && tag.length() < 1000 && tag.chars().allMatch((c) -> c > 0x20 && c < 0x7f);
		return new CardReading(this.cards.read(json(answer, null)), isSendable ? tag : null, maxAge(answer));
	}

	private static @Nullable Duration maxAge(HttpAnswer answer) {
		String control = answer.header("Cache-Control");
		if (control == null) {
			return null;
		}
		if (control.contains("no-cache") || control.contains("no-store")) {
			return Duration.ZERO;
		}
		Matcher age = MAX_AGE.matcher(control);
		return age.find() ? Duration.ofSeconds(Long.parseLong(age.group(1))) : null;
	}

	@Override
	public AgentReply send(AgentCard card, AgentMessage message, Terms terms)
			throws ToolCallException, InterruptedException {
		Map<String, @Nullable Object> params = card.protocol().toSend(UUID.randomUUID().toString(), message);
		JsonValue result = call(card, card.protocol().send(), params, terms);
		return understood(result, card.protocol()::sent);
	}

	@Override
	public AgentReply task(AgentCard card, String task, Terms terms) throws ToolCallException, InterruptedException {
		return about(card, card.protocol().get(), task, terms);
	}

	@Override
	public AgentReply cancel(AgentCard card, String task, Terms terms) throws ToolCallException, InterruptedException {
		return about(card, card.protocol().cancel(), task, terms);
	}

	private AgentReply about(AgentCard card, String method, String task, Terms terms)
			throws ToolCallException, InterruptedException {
		JsonValue result = call(card, method, card.protocol().toName(task), terms);
		AgentReply reply = understood(result, card.protocol()::task);
		if (!task.equals(reply.taskId())) {
			throw notUnderstood("is about another task");
		}
		return reply;
	}

	private JsonValue call(AgentCard card, String method, Map<String, @Nullable Object> params, Terms terms)
			throws ToolCallException, InterruptedException {
		String id = UUID.randomUUID().toString();
		if (card.tenant() != null) {
			params.put("tenant", card.tenant());
		}
		Map<String, @Nullable Object> request = new LinkedHashMap<>();
		request.put("jsonrpc", "2.0");
		request.put("id", id);
		request.put("method", method);
		request.put("params", params);
		HttpCall call = withBundle(HttpCall.of("POST", card.url())).header("Accept", JSON)
			.body(JsonValue.of(request).toUtf8(), JSON)
			.timeout(terms.timeout())
			.maxResponse(this.maxResponse);
		if (card.protocol() != Protocol.V0_3) {
			call = call.header(VERSION_HEADER, card.protocol().version());
		}
		Credential credential = terms.credential();
		HttpAnswer answer = this.client.send((credential != null) ? call.credential(credential) : call);
		if (!this.cards.isAllowed(answer.uri())) {
			throw new ToolCallException(ToolFailureKind.DENIED, CallState.UNKNOWN,
					"The call was answered with a redirect to another origin, " + Texts.origin(answer.uri())
							+ ", whose answer is not taken.",
					null);
		}
		return result(answer, id, credential);
	}

	private JsonValue result(HttpAnswer answer, String id, @Nullable Credential credential) throws ToolCallException {
		if (answer.status() == 401 || answer.status() == 403) {
			throw refused("POST " + Texts.origin(answer.uri()), answer.status(), "the A2A peer " + this.name);
		}
		JsonValue json;
		try {
			json = json(answer, credential);
		}
		catch (ToolCallException ex) {
			// The status says more than a body that is no JSON.
			throw answer.isSuccess() ? ex
					: refused("POST " + Texts.origin(answer.uri()), answer.status(), "the A2A peer " + this.name);
		}
		JsonValue error = json.member("error");
		if (error != null && error.isObject()) {
			String message = error.string("message");
			String text = (message != null) ? message : "";
			throw new ToolCallException(ToolFailureKind.TOOL_ERROR,
					"The A2A peer " + this.name + " answered with error " + error.integer("code") + ": "
							+ Texts.shortened((credential != null) ? credential.takenOutOf(text) : text, MOST_MESSAGE));
		}
		JsonValue result = json.member("result");
		if (!answer.isSuccess()) {
			throw refused("POST " + Texts.origin(answer.uri()), answer.status(), "the A2A peer " + this.name);
		}
		if (result == null || !id.equals(json.string("id"))) {
			throw notUnderstood("is no answer of JSON-RPC to what was asked");
		}
		return result;
	}

	private JsonValue json(HttpAnswer answer, @Nullable Credential credential) throws ToolCallException {
		try {
			return JsonValue.parse(answer.body());
		}
		catch (JsonFormatException ex) {
			String why = String.valueOf(ex.getMessage());
			throw notUnderstood("is not JSON: " + ((credential != null) ? credential.takenOutOf(why) : why));
		}
	}

	private static ToolCallException refused(String request, int status, String whose) {
		ToolFailureKind kind = switch (status) {
			case 401, 403 -> ToolFailureKind.DENIED;
			case 429, 502, 503, 504 -> ToolFailureKind.UNREACHABLE;
			default -> ToolFailureKind.TOOL_ERROR;
		};
		return new ToolCallException(kind, request + " for " + whose + " was answered with status " + status + ".");
	}

	private AgentReply understood(JsonValue result, Reader reader) throws ToolCallException {
		try {
			return reader.read(result);
		}
		catch (IllegalArgumentException ex) {
			throw notUnderstood(String.valueOf(ex.getMessage()));
		}
	}

	private ToolCallException notUnderstood(String problem) {
		return new ToolCallException(ToolFailureKind.TOOL_ERROR,
				"What the A2A peer " + this.name + " answered " + problem + ".");
	}

	private HttpCall withBundle(HttpCall call) {
		return (this.sslBundle != null) ? call.sslBundle(this.sslBundle) : call;
	}

	/**
	 * Reads a result.
	 */
	@FunctionalInterface
	private interface Reader {

		AgentReply read(JsonValue result);

	}

}
