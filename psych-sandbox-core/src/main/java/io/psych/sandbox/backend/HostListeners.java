package io.psych.sandbox.backend;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Listeners of this host that a child without a network can't reach: one on the loopback
 * address of each family the host has. They take connections and close them.
 *
 * @since 0.1.0
 */
public final class HostListeners implements AutoCloseable {

	private final List<ServerSocket> sockets;

	private HostListeners(List<ServerSocket> sockets) {
		this.sockets = List.copyOf(sockets);
	}

	/**
	 * Begin to listen.
	 * @return the listeners
	 */
	public static HostListeners open() {
		List<ServerSocket> sockets = new ArrayList<>();
		for (String address : new String[] { "127.0.0.1", "::1" }) {
			try {
				ServerSocket socket = new ServerSocket();
				socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
				sockets.add(socket);
				Thread thread = new Thread(() -> accept(socket), "psych-sandbox-listener");
				thread.setDaemon(true);
				thread.start();
			}
			catch (IOException ex) {
				// The host has no such family; grading is told by the control, which
				// fails.
			}
		}
		return new HostListeners(sockets);
	}

	private static void accept(ServerSocket socket) {
		while (!socket.isClosed()) {
			try {
				socket.accept().close();
			}
			catch (IOException ex) {
				// Closed, or out of descriptors for a moment: the next accept will tell.
			}
		}
	}

	/**
	 * Return where the listeners are.
	 * @return an address and port each
	 */
	public List<InetSocketAddress> addresses() {
		return this.sockets.stream()
			.map((socket) -> new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort()))
			.toList();
	}

	@Override
	public void close() throws IOException {
		for (ServerSocket socket : this.sockets) {
			socket.close();
		}
	}

}
