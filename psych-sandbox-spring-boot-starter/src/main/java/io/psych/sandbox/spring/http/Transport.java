package io.psych.sandbox.spring.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.cookie.StandardCookieSpec;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * HTTP and nothing else: connects to the address it is given, and follows no redirect,
 * looks up no name, keeps no cookie, answers no challenge, tries nothing twice.
 * Connections are kept for a while and used again for the same name at the same address.
 */
final class Transport {

	private static final String ROUTE = Transport.class.getName() + ".route";

	private static final int MOST_CONNECTIONS = 256;

	private static final int MOST_CONNECTIONS_PER_ROUTE = 64;

	/** A server's headers are held before anything of them is counted elsewhere. */
	private static final int MOST_HEADER_LINE = 16 * 1024;

	private static final int MOST_HEADERS = 200;

	private static final TimeValue KEPT_IDLE = TimeValue.ofSeconds(30);

	private static final TimeValue KEPT_AT_ALL = TimeValue.ofMinutes(5);

	private static final Http1Config PROTOCOL = Http1Config.custom()
		.setMaxLineLength(MOST_HEADER_LINE)
		.setMaxHeaderCount(MOST_HEADERS)
		.build();

	private static final DnsResolver NONE = new DnsResolver() {

		@Override
		public InetAddress[] resolve(String host) throws UnknownHostException {
			throw new UnknownHostException("a name reached the transport unresolved");
		}

		@Override
		public String resolveCanonicalHostname(String host) throws UnknownHostException {
			throw new UnknownHostException("a name reached the transport unresolved");
		}

	};

	private final PoolingHttpClientConnectionManager connections;

	private final CloseableHttpClient client;

	Transport(TlsSocketStrategy tls, Duration connectTimeout) {
		AtomicLong ids = new AtomicLong();
		this.connections = PoolingHttpClientConnectionManagerBuilder.create().setConnectionFactory((socket) -> {
			UnloggedConnection connection = new UnloggedConnection("psych-sandbox-http-" + ids.incrementAndGet(),
					PROTOCOL);
			if (socket != null) {
				connection.bind(socket);
			}
			return connection;
		})
			.setDnsResolver(NONE)
			.setTlsSocketStrategy(tls)
			.setMaxConnTotal(MOST_CONNECTIONS)
			.setMaxConnPerRoute(MOST_CONNECTIONS_PER_ROUTE)
			.setDefaultConnectionConfig(ConnectionConfig.custom()
				.setConnectTimeout(Timeout.of(connectTimeout))
				// A request on a connection that the server has just closed fails, and
				// must not be repeated: it might have had its effect.
				.setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS)
				.setTimeToLive(KEPT_AT_ALL)
				.build())
			.build();
		this.client = HttpClients.custom()
			.setConnectionManager(this.connections)
			.setRoutePlanner((target, context) -> (HttpRoute) context.getAttribute(ROUTE))
			.setUserAgent("psych-sandbox")
			.disableRedirectHandling()
			.disableAutomaticRetries()
			.disableCookieManagement()
			.disableAuthCaching()
			.disableContentCompression()
			.disableConnectionState()
			.build();
	}

	/**
	 * Send a request.
	 * @param request the request, which another thread may cancel
	 * @param route the way, with the addresses to connect to
	 * @param remaining the time the server may take for each piece of its answer
	 * @return the answer; when its body was not read to the end, the request must be
	 * cancelled
	 * @throws IOException if it could not be sent, or there was no answer
	 */
	ClassicHttpResponse send(HttpUriRequestBase request, HttpRoute route, Duration remaining) throws IOException {
		this.connections.closeExpired();
		this.connections.closeIdle(KEPT_IDLE);
		Timeout timeout = Timeout.of(remaining);
		request.setConfig(RequestConfig.custom()
			.setConnectionRequestTimeout(timeout)
			.setResponseTimeout(timeout)
			.setAuthenticationEnabled(false)
			.setCookieSpec(StandardCookieSpec.IGNORE)
			.setContentCompressionEnabled(false)
			.setProtocolUpgradeEnabled(false)
			.setRedirectsEnabled(false)
			.build());
		HttpClientContext context = HttpClientContext.create();
		context.setAttribute(ROUTE, route);
		return this.client.executeOpen(route.getTargetHost(), request, context);
	}

	/**
	 * Close what is not in use; what is, ends by itself.
	 */
	void retire() {
		this.connections.closeIdle(TimeValue.ZERO_MILLISECONDS);
	}

	/**
	 * Close all at once.
	 */
	void close() {
		this.client.close(CloseMode.IMMEDIATE);
	}

}
