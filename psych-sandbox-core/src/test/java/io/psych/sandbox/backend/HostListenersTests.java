package io.psych.sandbox.backend;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> connect(address));
		}
	}

	private static Socket connect(InetSocketAddress address) throws IOException {
		Socket socket = new Socket();
		socket.setSoTimeout(10_000);
		socket.connect(address, 10_000);
		return socket;
	}

}
