package io.psych.sandbox.spring.http;

import java.io.IOException;
import java.net.Socket;

import javax.net.ssl.SSLSocket;

import org.apache.hc.client5.http.impl.io.DefaultManagedHttpClientConnection;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.jspecify.annotations.Nullable;

/**
 * A connection that logs neither headers nor bytes, whatever the log's level: a
 * credential is among them. It also tells the refusal of a proxy from an answer of the
 * service, which the client itself hands on as one.
 */
final class UnloggedConnection extends DefaultManagedHttpClientConnection {

	private static final int OK = 200;

	private boolean isTunnelling;

	UnloggedConnection(String id, Http1Config config) {
		super(id, null, null, config, null, null, null, null);
	}

	@Override
	public void bind(Socket socket) throws IOException {
		bind(new SocketHolder(socket));
	}

	@Override
	public void bind(SSLSocket sslSocket, Socket socket) throws IOException {
		bind(new SocketHolder(sslSocket, socket));
	}

	@Override
	public void sendRequestHeader(ClassicHttpRequest request) throws HttpException, IOException {
		this.isTunnelling = Method.CONNECT.isSame(request.getMethod());
		super.sendRequestHeader(request);
	}

	@Override
	public @Nullable ClassicHttpResponse receiveResponseHeader() throws HttpException, IOException {
		ClassicHttpResponse response = super.receiveResponseHeader();
		if (this.isTunnelling && response.getCode() >= OK && response.getCode() != OK) {
			throw new ProxyRefusedException(response.getCode());
		}
		return response;
	}

	@Override
	protected void onRequestSubmitted(@Nullable ClassicHttpRequest request) {
		// Not logged.
	}

	@Override
	protected void onResponseReceived(@Nullable ClassicHttpResponse response) {
		// Not logged.
	}

	/**
	 * Thrown when a proxy does not open a tunnel.
	 */
	static final class ProxyRefusedException extends IOException {

		private final int status;

		ProxyRefusedException(int status) {
			super("status " + status);
			this.status = status;
		}

		int status() {
			return this.status;
		}

	}

}
