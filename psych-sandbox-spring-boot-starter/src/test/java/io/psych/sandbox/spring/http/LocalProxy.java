package io.psych.sandbox.spring.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A real HTTP proxy on loopback that reaches one server, whatever it is asked for.
 */
final class LocalProxy implements AutoCloseable {

	private final ServerSocket socket;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<String> heads = new CopyOnWriteArrayList<>();

	private final int target;

	private final int refusal;

	private LocalProxy(ServerSocket socket, int target, int refusal) {
		this.socket = socket;
		this.target = target;
		this.refusal = refusal;
		this.threads.execute(this::accept);
	}

	static LocalProxy to(LocalServer server) throws IOException {
		return new LocalProxy(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")), server.port(), 0);
	}

	static LocalProxy refusing(int status) throws IOException {
		return new LocalProxy(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")), 0, status);
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.socket.accept();
				this.threads.execute(() -> serve(client));
			}
		}
		catch (IOException ex) {
			// The test is over.
		}
	}

	private void serve(Socket client) {
		try (client) {
			String head = RawServer.readHead(client.getInputStream());
			this.heads.add(head);
			if (this.refusal != 0) {
				String body = "an answer of the proxy";
				write(client.getOutputStream(),
						"HTTP/1.1 " + this.refusal + " No\r\nLocation: https://elsewhere.test/\r\nContent-Length: "
								+ body.length() + "\r\n\r\n" + body);
				return;
			}
			try (Socket server = new Socket(InetAddress.getByName("127.0.0.1"), this.target)) {
				if (head.startsWith("CONNECT ")) {
					write(client.getOutputStream(), "HTTP/1.1 200 OK\r\n\r\n");
				}
				else {
					URI uri = URI.create(head.split(" ")[1]);
					write(server.getOutputStream(), head.replaceFirst(" \\S+ ", " " + uri.getRawPath() + " ")
						.replaceFirst("(?i)\r\nConnection: keep-alive", "\r\nConnection: close"));
				}
				this.threads.execute(() -> pipe(client, server));
				pipe(server, client);
			}
		}
		catch (IOException ex) {
			// One of the two has left.
		}
	}

	private static void pipe(Socket from, Socket to) {
		try {
			InputStream in = from.getInputStream();
			in.transferTo(to.getOutputStream());
			to.shutdownOutput();
		}
		catch (IOException ex) {
			// One of the two has left.
		}
	}

	private static void write(OutputStream out, String text) throws IOException {
		out.write(text.getBytes(StandardCharsets.ISO_8859_1));
		out.flush();
	}

	ProxySelector selector() {
		return ProxySelector.of(new InetSocketAddress("127.0.0.1", port()));
	}

	int port() {
		return this.socket.getLocalPort();
	}

	/** What the proxy itself was sent. */
	List<String> heads() {
		return this.heads;
	}

	/** A selector that would send everything to a SOCKS proxy. */
	static ProxySelector socks() {
		return new ProxySelector() {

			@Override
			public List<Proxy> select(URI uri) {
				return List.of(new Proxy(Proxy.Type.SOCKS, InetSocketAddress.createUnresolved("socks.test", 1080)));
			}

			@Override
			public void connectFailed(URI uri, SocketAddress address, IOException ex) {
				throw new AssertionError(ex);
			}

		};
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
		this.threads.shutdownNow();
	}

}
