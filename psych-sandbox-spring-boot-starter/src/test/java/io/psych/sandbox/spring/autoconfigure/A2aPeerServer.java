package io.psych.sandbox.spring.autoconfigure;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Assumptions;

/**
 * An agent on the server of the A2A SDK for JavaScript, in a process of its own.
 */
final class A2aPeerServer implements AutoCloseable {

	private static final Duration START = Duration.ofSeconds(60);

	private final Process process;

	private final int port;

	private A2aPeerServer(Process process, int port) {
		this.process = process;
		this.port = port;
	}

	/** Start it on a free port, for a version of the protocol. */
	static A2aPeerServer start(String version) throws Exception {
		Path folder = Path.of(System.getProperty("psych.a2a-peer", ""));
		Assumptions.assumeTrue(Files.isDirectory(folder.resolve("node_modules/@a2a-js/sdk")),
				() -> "The SDK of A2A is not in " + folder + "; ./verify installs it");
		Process process = new ProcessBuilder("node", script().toString(), folder.toString(), version)
			.redirectError(ProcessBuilder.Redirect.to(new File("/dev/null")))
			.start();
		A2aPeerServer server = null;
		try {
			BufferedReader output = process.inputReader();
			String port = CompletableFuture.supplyAsync(() -> firstLine(output))
				.get(START.toSeconds(), TimeUnit.SECONDS);
			server = new A2aPeerServer(process, Integer.parseInt(port));
			return server;
		}
		finally {
			if (server == null) {
				process.destroyForcibly().waitFor();
			}
		}
	}

	private static Path script() throws URISyntaxException {
		URL script = A2aPeerServer.class.getResource("/io/psych/sandbox/spring/a2a/agent.mjs");
		return Path.of(Objects.requireNonNull(script).toURI());
	}

	private static String firstLine(BufferedReader output) {
		try {
			return String.valueOf(output.readLine());
		}
		catch (IOException ex) {
			return "no line: " + ex;
		}
	}

	String url() {
		return "http://localhost:" + this.port;
	}

	/** The properties that make it a peer, and let its address be called. */
	String[] properties(String name, int index) {
		return new String[] { "psych.sandbox.tools.a2a." + name + ".url=" + url(),
				"psych.sandbox.egress.allow[" + index + "].destination=" + url(),
				"psych.sandbox.egress.allow[" + index + "].allowed-addresses=127.0.0.1" };
	}

	/** The methods it was asked for. */
	List<String> methods() {
		return seen().strings("methods");
	}

	/** The tasks whose state it was asked for, as often as it was. */
	List<String> polled() {
		return seen().strings("polled");
	}

	/** The tasks it was asked to cancel. */
	List<String> cancelled() {
		return seen().strings("cancelled");
	}

	/** What each request for a method said of who calls. */
	List<String> authorizations() {
		return seen().strings("authorization");
	}

	private JsonValue seen() {
		try {
			return JsonValue.parse(HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(URI.create(url() + "/seen")).timeout(START).build(),
						HttpResponse.BodyHandlers.ofString())
				.body());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	@Override
	public void close() throws Exception {
		this.process.destroy();
		if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
			this.process.destroyForcibly().waitFor();
		}
	}

}
