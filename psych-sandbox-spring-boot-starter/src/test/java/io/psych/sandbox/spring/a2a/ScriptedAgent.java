package io.psych.sandbox.spring.a2a;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.psych.sandbox.json.JsonValue;

/**
 * An HTTP server that answers requests for its card, and calls, with what a test says,
 * the last answer of each kind again and again. It keeps what it was asked.
 */
final class ScriptedAgent implements AutoCloseable {

	/** Stands for the id of the request that is answered. */
	static final String ID = "$ID";

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<Request> requests = new CopyOnWriteArrayList<>();

	private final Deque<Answer> cards = new ArrayDeque<>();

	private final Deque<Answer> calls = new ArrayDeque<>();

	/**
	 * What arrived.
	 */
	record Request(String method, String path, Headers headers, String body) {

		String rpc() {
			return String.valueOf(JsonValue.parse(this.body).string("method"));
		}

	}

	/**
	 * What is answered.
	 */
	record Answer(int status, Map<String, String> headers, String body) {

		static Answer of(int status, String body) {
			return new Answer(status, Map.of(), body);
		}

	}

	ScriptedAgent() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::handle);
		this.server.start();
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	ScriptedAgent card(Answer answer) {
		synchronized (this.cards) {
			this.cards.add(answer);
		}
		return this;
	}

	/** Answer with a card of version 1.0 that names one skill. */
	ScriptedAgent card(String skill) {
		return card(Answer.of(200, cardOf(skill, url() + "/rpc")));
	}

	ScriptedAgent call(Answer answer) {
		synchronized (this.calls) {
			this.calls.add(answer);
		}
		return this;
	}

	/** Answer a call with a result. */
	ScriptedAgent result(String result) {
		return call(Answer.of(200, "{\"jsonrpc\": \"2.0\", \"id\": \"" + ID + "\", \"result\": " + result + "}"));
	}

	static String cardOf(String skill, String url) {
		return """
				{"name": "Scripted", "supportedInterfaces": [
				  {"url": "https://grpc.example.org", "protocolBinding": "GRPC", "protocolVersion": "1.0"},
				  {"url": "%s", "protocolBinding": "JSONRPC", "protocolVersion": "1.0", "tenant": "acme"}],
				 "skills": [{"id": "%s", "name": "A skill", "description": "Does something.",
				  "examples": ["Do it", "Do it now"]}]}""".formatted(url, skill);
	}

	List<Request> requests() {
		return List.copyOf(this.requests);
	}

	List<Request> calls() {
		return this.requests.stream().filter((request) -> request.method().equals("POST")).toList();
	}

	private void handle(HttpExchange exchange) throws IOException {
		try (exchange) {
			String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
			Request request = new Request(exchange.getRequestMethod(), exchange.getRequestURI().getPath(),
					exchange.getRequestHeaders(), body);
			this.requests.add(request);
			boolean isCall = request.method().equals("POST");
			Answer answer = next(isCall ? this.calls : this.cards);
			answer.headers().forEach(exchange.getResponseHeaders()::set);
			String id = isCall ? String.valueOf(JsonValue.parse(body).string("id")) : "";
			byte[] bytes = answer.body().replace(ID, id).getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(answer.status(), (bytes.length > 0) ? bytes.length : -1);
			exchange.getResponseBody().write(bytes);
		}
	}

	private static Answer next(Deque<Answer> answers) {
		synchronized (answers) {
			Answer answer = answers.getFirst();
			if (answers.size() > 1) {
				answers.removeFirst();
			}
			return answer;
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
