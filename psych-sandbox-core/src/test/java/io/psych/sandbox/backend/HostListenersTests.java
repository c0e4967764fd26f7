package io.psych.sandbox.backend;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HostListenersTests {

	@Test
	void listenersTakeConnectionsOnLoopbackOnlyAndCloseThem() throws IOException {
		try (HostListeners listeners = HostListeners.open()) {
			assertThat(listeners.addresses()).isNotEmpty();
			for (InetSocketAddress address : listeners.addresses()) {
				assertThat(address.getAddress().isLoopbackAddress()).isTrue();
				assertThat(address.getPort()).isPositive();
				for (int i = 0; i < 3; i++) {
					try (Socket socket = connect(address)) {
						assertThat(socket.getInputStream().read()).isEqualTo(-1);
					}
				}
			}
		}
	}

	@Test
	void closeEndsThem() throws IOException {
		HostListeners listeners = HostListeners.open();
		listeners.close();
		listeners.close();
		for (InetSocketAddress address : listeners.addresses()) {
			assertThat(isRefusedInTheEnd(address)).isTrue();
		}
	}

	/** A thread that waited in accept lets go of its socket a moment after the close. */
	private static boolean isRefusedInTheEnd(InetSocketAddress address) throws IOException {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
		while (System.nanoTime() - deadline < 0) {
			try (Socket taken = connect(address)) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			}
			catch (ConnectException ex) {
				return true;
			}
		}
		return false;
	}

	private static Socket connect(InetSocketAddress address) throws IOException {
		Socket socket = new Socket();
		socket.setSoTimeout(10_000);
		socket.connect(address, 10_000);
		return socket;
	}

}
