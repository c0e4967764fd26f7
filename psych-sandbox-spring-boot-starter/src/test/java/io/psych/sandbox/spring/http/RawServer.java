package io.psych.sandbox.spring.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server on loopback that answers with whatever bytes a test has, however wrong.
 */
final class RawServer implements AutoCloseable {

	private final ServerSocket socket;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final CountDownLatch gone = new CountDownLatch(1);

	private final CountDownLatch asked = new CountDownLatch(1);

	/**
	 * Writes an answer. May go on for ever: it ends with the connection.
	 */
	@FunctionalInterface
	interface Script {

		void write(OutputStream out) throws IOException, InterruptedException;

	}

	private RawServer(ServerSocket socket, Script script) {
		this.socket = socket;
		this.threads.execute(() -> accept(script));
	}

	static RawServer start(Script script) {
		try {
			return new RawServer(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")), script);
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	static RawServer startWith(String answer) {
		return start((out) -> out.write(answer.getBytes(StandardCharsets.ISO_8859_1)));
	}

	private void accept(Script script) {
		try {
			while (true) {
				Socket connection = this.socket.accept();
				this.threads.execute(() -> serve(connection, script));
			}
		}
		catch (IOException ex) {
			// The test is over.
		}
	}

	private void serve(Socket connection, Script script) {
		try (connection) {
			readHead(connection.getInputStream());
			this.asked.countDown();
			script.write(connection.getOutputStream());
		}
		catch (IOException ex) {
			this.gone.countDown();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Read to the empty line. */
	static String readHead(InputStream in) throws IOException {
		StringBuilder head = new StringBuilder();
		while (!head.toString().endsWith("\r\n\r\n")) {
			int next = in.read();
			if (next < 0) {
				throw new IOException("no request");
			}
			head.append((char) next);
		}
		return head.toString();
	}

	URI uri() {
		return URI.create("http://127.0.0.1:" + this.socket.getLocalPort() + "/");
	}

	/** Counted down when a request is there. */
	CountDownLatch asked() {
		return this.asked;
	}

	/** Counted down when the client has left in the middle of an answer. */
	CountDownLatch gone() {
		return this.gone;
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
		this.threads.shutdownNow();
	}

}
