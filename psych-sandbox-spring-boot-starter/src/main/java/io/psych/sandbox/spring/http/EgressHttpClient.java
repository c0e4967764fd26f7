package io.psych.sandbox.spring.http;

import java.net.ProxySelector;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.tool.ToolCallException;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HttpsSupport;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;

/**
 * The HTTP client of the host's tools. Whatever it connects to was allowed by name and by
 * address, after each redirect anew. It holds to the deadline of a request even where a
 * name server or a service only drips, and to interruption: the request runs on another
 * thread, and the caller leaves it behind.
 * <p>
 * Through an HTTP proxy it is the proxy that looks up names. Then only the name is
 * checked here, and addresses are for the proxy to refuse.
 *
 * @since 0.1.0
 */
public final class EgressHttpClient implements AutoCloseable {

	/** Time to connect to one address when nothing else is said. */
	public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

	/**
	 * More requests than that are refused, not queued: a queue would outlast deadlines.
	 */
	private static final int MOST_REQUESTS = 256;

	private static final long KEPT_SECONDS = 30;

	private static final String DEFAULT_BUNDLE = "";

	private final Exchange.Parties parties;

	private final @Nullable SslBundles bundles;

	private final Duration connectTimeout;

	private final Map<String, Transport> transports = new ConcurrentHashMap<>();

	/** The bundles whose changes we are told of. */
	private final Set<String> watched = ConcurrentHashMap.newKeySet();

	private final ExecutorService threads;

	/**
	 * Create a new client.
	 * @param egress decides on every destination
	 * @param proxies knows which destination takes a proxy
	 * @param bundles the SSL bundles that requests may name, or {@code null} when there
	 * are none
	 * @param connectTimeout time to connect to one address
	 */
	public EgressHttpClient(Egress egress, ProxySelector proxies, @Nullable SslBundles bundles,
			Duration connectTimeout) {
		this(new Exchange.Parties(egress, proxies), bundles, connectTimeout);
	}

	EgressHttpClient(Exchange.Parties parties, @Nullable SslBundles bundles, Duration connectTimeout) {
		this.parties = parties;
		this.bundles = bundles;
		this.connectTimeout = connectTimeout;
		AtomicLong numbers = new AtomicLong();
		this.threads = new ThreadPoolExecutor(0, MOST_REQUESTS, KEPT_SECONDS, TimeUnit.SECONDS,
				new SynchronousQueue<>(), (task) -> {
					Thread thread = new Thread(task, "psych-sandbox-http-" + numbers.incrementAndGet());
					thread.setDaemon(true);
					return thread;
				});
	}

	/**
	 * Make a request.
	 * @param call the request
	 * @return the whole answer, whatever its status
	 * @throws ToolCallException if there is none: {@code DENIED} when the destination or
	 * one that was redirected to is not allowed, {@code UNREACHABLE}, {@code TIMED_OUT},
	 * {@code RESULT_NOT_PAGED} when it is too large, {@code TOOL_ERROR} when it is broken
	 * @throws InterruptedException if the thread was interrupted; the connection is
	 * closed
	 */
	public HttpAnswer send(HttpCall call) throws ToolCallException, InterruptedException {
		Exchange exchange = new Exchange(call, this.parties, transport(call));
		FutureTask<HttpAnswer> task = new FutureTask<>(exchange);
		try {
			this.threads.execute(task);
			return task.get(call.timeout().toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			throw new ToolCallException(ToolFailureKind.UNREACHABLE,
					call + " was not made: as many requests as may be are under way.", null);
		}
		catch (TimeoutException ex) {
			throw exchange.timedOut();
		}
		catch (ExecutionException ex) {
			throw failure(call, ex.getCause());
		}
		finally {
			exchange.abort();
			task.cancel(true);
		}
	}

	private static ToolCallException failure(HttpCall call, @Nullable Throwable cause) {
		if (cause instanceof ToolCallException failure) {
			return failure;
		}
		if (cause instanceof Error error) {
			throw error;
		}
		return new ToolCallException(ToolFailureKind.TOOL_ERROR, call + " could not be made.", cause);
	}

	private Transport transport(HttpCall call) {
		String bundle = (call.sslBundle() != null) ? call.sslBundle() : DEFAULT_BUNDLE;
		return this.transports.computeIfAbsent(bundle,
				(name) -> new Transport(name.isEmpty() ? DefaultClientTlsStrategy.createSystemDefault() : tls(name),
						this.connectTimeout));
	}

	private TlsSocketStrategy tls(String name) {
		if (this.bundles == null) {
			throw new IllegalStateException("there are no SSL bundles, and a request names " + name);
		}
		SslBundle bundle = this.bundles.getBundle(name);
		if (this.watched.add(name)) {
			this.bundles.addBundleUpdateHandler(name, (updated) -> retire(name));
		}
		SslOptions options = bundle.getOptions();
		return new DefaultClientTlsStrategy(bundle.createSslContext(), options.getEnabledProtocols(),
				options.getCiphers(), SSLBufferMode.STATIC, HttpsSupport.getDefaultHostnameVerifier());
	}

	/** New certificates are for new connections. */
	private void retire(String bundle) {
		Transport retired = this.transports.remove(bundle);
		if (retired != null) {
			retired.retire();
		}
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
		this.transports.values().forEach(Transport::close);
		this.transports.clear();
	}

	@Override
	public String toString() {
		return "EgressHttpClient";
	}

}
