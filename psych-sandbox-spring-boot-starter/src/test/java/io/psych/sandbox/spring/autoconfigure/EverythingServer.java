package io.psych.sandbox.spring.autoconfigure;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Assumptions;

/**
 * The reference server of MCP, {@code @modelcontextprotocol/server-everything}, in a
 * process of its own.
 */
final class EverythingServer implements AutoCloseable {

	private static final String SCRIPT = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";

	private static final String LISTENING = "listening on ";

	private static final Duration START = Duration.ofSeconds(60);

	private final Process process;

	private final int port;

	private EverythingServer(Process process, int port) {
		this.process = process;
		this.port = port;
	}

	/** The command that runs it, for a transport. */
	static List<String> command(String transport) {
		Path script = Path.of(System.getProperty("psych.mcp-everything", "")).resolve(SCRIPT);
		Assumptions.assumeTrue(Files.exists(script),
				() -> "The MCP reference server is not at " + script + "; ./verify installs it");
		return List.of("node", script.toString(), transport);
	}

	/**
	 * Start it as an HTTP server on a port that the kernel chooses, so that nobody else
	 * can have taken it meanwhile. It does not tell which, so we have it told.
	 */
	static EverythingServer http() throws Exception {
		List<String> command = new ArrayList<>(command("streamableHttp"));
		command.addAll(1, List.of("--require", script("listening.cjs").toString()));
		ProcessBuilder builder = new ProcessBuilder(command)
			.redirectError(ProcessBuilder.Redirect.to(new File("/dev/null")));
		builder.environment().put("PORT", "0");
		Process process = builder.start();
		CompletableFuture<Integer> port = new CompletableFuture<>();
		Thread reader = new Thread(() -> read(process, port), "output-of-" + process.pid());
		reader.setDaemon(true);
		reader.start();
		try {
			return new EverythingServer(process, port.get(START.toSeconds(), TimeUnit.SECONDS));
		}
		catch (ExecutionException | TimeoutException ex) {
			process.destroyForcibly().waitFor();
			throw ex;
		}
	}

	/** Reads to the end, or the server would wait for somebody who does. */
	private static void read(Process process, CompletableFuture<Integer> port) {
		try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
			output.lines()
				.filter((line) -> line.startsWith(LISTENING))
				.forEach((line) -> port.complete(Integer.valueOf(line.substring(LISTENING.length()))));
		}
		catch (UncheckedIOException | IOException ex) {
			// It was ended.
		}
		port.completeExceptionally(new IllegalStateException("The server ended before it listened"));
	}

	private static Path script(String name) throws URISyntaxException {
		return Path.of(Objects.requireNonNull(EverythingServer.class.getResource(name)).toURI());
	}

	/**
	 * Wait until no client's server is left. One that stays is ended here and fails the
	 * test.
	 */
	static void awaitEndOfAllOverStdio() {
		ProcessHandle.current()
			.descendants()
			.filter((process) -> process.info().commandLine().orElse("").contains(SCRIPT))
			.forEach((process) -> {
				try {
					process.onExit().get(30, TimeUnit.SECONDS);
				}
				catch (InterruptedException | ExecutionException | TimeoutException ex) {
					process.destroyForcibly();
					throw new AssertionError("The MCP server " + process.pid() + " was left behind", ex);
				}
			});
	}

	String url() {
		return "http://localhost:" + this.port;
	}

	@Override
	public void close() throws Exception {
		this.process.destroy();
		if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
			this.process.destroyForcibly().waitFor();
		}
	}

}
