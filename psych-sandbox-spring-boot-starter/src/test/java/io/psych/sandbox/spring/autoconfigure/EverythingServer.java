package io.psych.sandbox.spring.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

	/** Start it as an HTTP server on a free port. */
	static EverythingServer http() throws Exception {
		List<String> command = command("streamableHttp");
		int port = freePort();
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.to(new File("/dev/null")));
		builder.environment().put("PORT", String.valueOf(port));
		EverythingServer server = new EverythingServer(builder.start(), port);
		server.awaitStart();
		return server;
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
					process.onExit().get(10, TimeUnit.SECONDS);
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

	private void awaitStart() throws Exception {
		long end = System.nanoTime() + START.toNanos();
		while (!accepts()) {
			if (this.process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() - end > 0) {
				close();
				throw new IllegalStateException(
						"The server accepts no connection; it ended with " + this.process.exitValue());
			}
		}
	}

	private boolean accepts() {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port), 1000);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	@Override
	public void close() throws Exception {
		this.process.destroy();
		if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
			this.process.destroyForcibly().waitFor();
		}
	}

}
