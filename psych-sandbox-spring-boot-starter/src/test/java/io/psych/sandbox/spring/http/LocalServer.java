package io.psych.sandbox.spring.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.net.ssl.SSLContext;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import org.jspecify.annotations.Nullable;

/**
 * A real HTTP server on a loopback address, which keeps what it was asked.
 */
final class LocalServer implements AutoCloseable {

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<Request> requests = new CopyOnWriteArrayList<>();

	/**
	 * What arrived.
	 */
	record Request(String method, URI uri, Headers headers, String body, int clientPort) {

	}

	private LocalServer(HttpServer server, HttpHandler handler) {
		this.server = server;
		server.setExecutor(this.threads);
		server.createContext("/", (exchange) -> {
			String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
			this.requests.add(new Request(exchange.getRequestMethod(), exchange.getRequestURI(),
					exchange.getRequestHeaders(), body, exchange.getRemoteAddress().getPort()));
			try (exchange) {
				handler.handle(exchange);
			}
		});
		server.start();
	}

	static LocalServer start(HttpHandler handler) {
		return start("127.0.0.1", 0, handler);
	}

	static LocalServer start(String address, int port, HttpHandler handler) {
		try {
			return new LocalServer(HttpServer.create(new InetSocketAddress(InetAddress.getByName(address), port), 0),
					handler);
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	static LocalServer startSecure(SSLContext certificates, HttpHandler handler) {
		try {
			HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
			server.setHttpsConfigurator(new HttpsConfigurator(certificates));
			return new LocalServer(server, handler);
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	/** Answer with a body of a type. */
	static void answer(HttpExchange exchange, int status, @Nullable String contentType, byte[] body)
			throws IOException {
		if (contentType != null) {
			exchange.getResponseHeaders().add("Content-Type", contentType);
		}
		exchange.sendResponseHeaders(status, (body.length > 0) ? body.length : -1);
		if (body.length > 0) {
			exchange.getResponseBody().write(body);
		}
	}

	static void answer(HttpExchange exchange, int status, @Nullable String contentType, String body)
			throws IOException {
		answer(exchange, status, contentType, body.getBytes(StandardCharsets.UTF_8));
	}

	static void redirect(HttpExchange exchange, int status, String location) throws IOException {
		exchange.getResponseHeaders().add("Location", location);
		exchange.sendResponseHeaders(status, -1);
	}

	int port() {
		return this.server.getAddress().getPort();
	}

	/** Return a URL of this server, by its address. */
	URI uri(String path) {
		String scheme = (this.server instanceof HttpsServer) ? "https" : "http";
		return URI.create(scheme + "://" + this.server.getAddress().getHostString() + ":" + port() + path);
	}

	List<Request> requests() {
		return this.requests;
	}

	Request only() {
		if (this.requests.size() != 1) {
			throw new AssertionError("not one request but " + this.requests);
		}
		return this.requests.get(0);
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
