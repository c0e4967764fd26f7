package io.psych.sandbox.spring.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.zip.ZipException;

import javax.net.ssl.SSLException;

import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.egress.Destination;
import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.egress.EgressDeniedException;
import io.psych.sandbox.egress.EgressRules;
import io.psych.sandbox.tool.ToolCallException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request with all its redirects. Each hop is decided on from the start: its name is
 * checked, looked up once, each address is checked, and one of those checked is connected
 * to. May be aborted by another thread at any moment.
 */
final class Exchange implements Callable<HttpAnswer> {

	private static final Logger logger = LoggerFactory.getLogger(Exchange.class);

	static final int MOST_REDIRECTS = 5;

	private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

	private static final int SEE_OTHER = 303;

	private static final Set<Integer> POST_BECOMES_GET = Set.of(301, 302);

	private static final String GET = "GET";

	private final HttpCall call;

	private final Parties parties;

	private final Transport transport;

	private final long deadline;

	private final AtomicReference<@Nullable HttpUriRequestBase> current = new AtomicReference<>();

	private volatile boolean isAborted;

	/**
	 * Who is asked on the way.
	 *
	 * @param egress decides on destinations
	 * @param resolver looks up names
	 * @param proxies knows which destination takes a proxy
	 * @param isPublic knows which address can be reached from anywhere
	 */
	record Parties(Egress egress, HostResolver resolver, ProxySelector proxies, Predicate<InetAddress> isPublic) {

		Parties(Egress egress, ProxySelector proxies) {
			this(egress, HostResolver.SYSTEM, proxies, EgressRules::isPublic);
		}

	}

	/**
	 * What is sent to one place.
	 *
	 * @param method the method
	 * @param uri the URL
	 * @param headers the headers without the body's
	 * @param credential the credential, or {@code null} for none
	 * @param body the body, or {@code null} for none
	 * @param isRedirected whether a service sent us here
	 * @param mustBePublic whether it was a service in public
	 */
	private record Hop(String method, URI uri, Map<String, String> headers, @Nullable Credential credential,
			HttpCall.@Nullable Body body, boolean isRedirected, boolean mustBePublic) {

	}

	/**
	 * A way to a destination.
	 *
	 * @param route the way, with an address in it
	 * @param address the address of the destination, or {@code null} when a proxy looks
	 * it up
	 */
	private record Way(HttpRoute route, @Nullable InetAddress address) {

	}

	Exchange(HttpCall call, Parties parties, Transport transport) {
		this.call = call;
		this.parties = parties;
		this.transport = transport;
		this.deadline = System.nanoTime() + call.timeout().toNanos();
	}

	/**
	 * Stop, whatever is being waited for. What was sent is sent.
	 */
	void abort() {
		this.isAborted = true;
		HttpUriRequestBase request = this.current.get();
		if (request != null) {
			request.cancel();
		}
	}

	@Override
	public HttpAnswer call() throws ToolCallException {
		Hop hop = new Hop(this.call.method(), this.call.uri(), this.call.headers(), this.call.credential(),
				this.call.body(), false, false);
		for (int redirects = 0;; redirects++) {
			Destination destination = destination(hop);
			List<Way> ways = ways(hop, destination);
			checkPlaintext(hop, destination, ways);
			Arrival arrival = arrive(hop, destination, ways);
			if (arrival.answer() != null) {
				return arrival.answer();
			}
			if (redirects == MOST_REDIRECTS) {
				throw failed(ToolFailureKind.TOOL_ERROR,
						this.call + " was redirected more than " + MOST_REDIRECTS + " times.", null);
			}
			hop = next(hop, destination, arrival);
		}
	}

	private Destination destination(Hop hop) throws ToolCallException {
		try {
			Destination destination = Destination.of(hop.uri());
			this.parties.egress().check(hop.uri());
			return destination;
		}
		catch (EgressDeniedException ex) {
			throw denied(hop, ex);
		}
	}

	private ToolCallException denied(Hop hop, EgressDeniedException ex) {
		String message = String.valueOf(ex.getMessage());
		if (!hop.isRedirected()) {
			return failed(ToolFailureKind.DENIED, message, null);
		}
		return new ToolCallException(ToolFailureKind.DENIED, CallState.FAILED,
				this.call + " was made and answered with a redirect, which is not followed. " + message, null);
	}

	private List<Way> ways(Hop hop, Destination destination) throws ToolCallException {
		InetSocketAddress proxy = proxy(destination);
		HttpHost target = new HttpHost(destination.scheme(), host(destination), destination.port());
		if (proxy == null) {
			return allowed(hop, destination, resolved(destination)).stream().map((address) -> {
				HttpHost there = new HttpHost(destination.scheme(), address, host(destination), destination.port());
				return new Way(new HttpRoute(there, null, destination.isSecure()), address);
			}).toList();
		}
		if (destination.address() != null) {
			allowed(hop, destination, List.of(destination.address()));
		}
		return resolve(proxy.getHostString()).stream().map((address) -> {
			HttpHost there = new HttpHost("http", address, proxy.getHostString(), proxy.getPort());
			return new Way(new HttpRoute(target, null, there, destination.isSecure()), null);
		}).toList();
	}

	/** Without the brackets of IPv6, which the client adds where they belong. */
	private static String host(Destination destination) {
		InetAddress address = destination.address();
		return (address != null) ? address.getHostAddress() : destination.host();
	}

	/**
	 * Return the proxy, or {@code null} to connect. A SOCKS proxy of the JVM is honoured
	 * by its sockets, which then still connect to an address that was checked.
	 */
	private @Nullable InetSocketAddress proxy(Destination destination) throws ToolCallException {
		for (Proxy proxy : this.parties.proxies().select(URI.create(destination + "/"))) {
			if (proxy.type() != Proxy.Type.HTTP) {
				return null;
			}
			if (proxy.address() instanceof InetSocketAddress address) {
				return address;
			}
		}
		throw failed(ToolFailureKind.UNREACHABLE, "The proxy for " + destination + " is none this client knows.", null);
	}

	private List<InetAddress> resolved(Destination destination) throws ToolCallException {
		return (destination.address() != null) ? List.of(destination.address()) : resolve(destination.host());
	}

	private List<InetAddress> resolve(String host) throws ToolCallException {
		try {
			return this.parties.resolver().resolve(host);
		}
		catch (UnknownHostException ex) {
			throw failed(ToolFailureKind.UNREACHABLE, "The host " + host + " can't be found.", ex);
		}
	}

	/** Only what was checked goes on from here. */
	private List<InetAddress> allowed(Hop hop, Destination destination, List<InetAddress> addresses)
			throws ToolCallException {
		List<InetAddress> allowed = new ArrayList<>();
		EgressDeniedException refusal = null;
		for (InetAddress address : addresses) {
			try {
				this.parties.egress().check(hop.uri(), address);
				if (hop.mustBePublic() && !this.parties.isPublic().test(address)) {
					throw new EgressDeniedException(destination.toUri(),
							"a public service redirected to an address that is not public");
				}
				allowed.add(address);
			}
			catch (EgressDeniedException ex) {
				refusal = ex;
			}
		}
		if (allowed.isEmpty() && refusal != null) {
			throw denied(hop, refusal);
		}
		return allowed;
	}

	private static void checkPlaintext(Hop hop, Destination destination, List<Way> ways) throws ToolCallException {
		Credential credential = hop.credential();
		if (credential == null || destination.isSecure() || credential.isPlaintextAllowed()) {
			return;
		}
		boolean staysHere = ways.stream().allMatch((way) -> way.address() != null && way.address().isLoopbackAddress());
		if (!staysHere) {
			throw failed(ToolFailureKind.DENIED,
					"The credential for " + destination + " is not sent without encryption.", null);
		}
	}

	/**
	 * What came of one hop.
	 *
	 * @param answer the answer, or {@code null} when it is a redirect
	 * @param status the status
	 * @param location where to, when it is a redirect
	 * @param address the address it came from, or {@code null} when a proxy is between
	 */
	private record Arrival(@Nullable HttpAnswer answer, int status, @Nullable String location,
			@Nullable InetAddress address) {

	}

	private Arrival arrive(Hop hop, Destination destination, List<Way> ways) throws ToolCallException {
		IOException last = null;
		for (Way way : ways) {
			try {
				return send(hop, destination, way);
			}
			catch (ConnectException | ConnectTimeoutException | NoRouteToHostException ex) {
				// Nothing was sent.
				last = ex;
			}
			catch (IOException ex) {
				throw told(destination, ex);
			}
		}
		throw failed(ToolFailureKind.UNREACHABLE, destination + " can't be connected to.", last);
	}

	private Arrival send(Hop hop, Destination destination, Way way) throws IOException, ToolCallException {
		HttpUriRequestBase request = request(hop, destination);
		this.current.set(request);
		if (this.isAborted) {
			request.cancel();
		}
		long began = System.nanoTime();
		try {
			ClassicHttpResponse response = this.transport.send(request, way.route(), remaining());
			int status = response.getCode();
			Header location = response.getFirstHeader("Location");
			if (REDIRECTS.contains(status) && location != null) {
				log(destination, status, began);
				return new Arrival(null, status, location.getValue(), way.address());
			}
			byte[] body = body(response);
			log(destination, status, began);
			return new Arrival(new HttpAnswer(status, hop.uri(), headers(response), body), status, null, way.address());
		}
		finally {
			// A body that was read to its end has given its connection back. Closing the
			// answer instead would read whatever is left of it, without a bound.
			request.cancel();
		}
	}

	private void log(Destination destination, int status, long began) {
		logger.debug("{} {} answered {} after {} ms", this.call.method(), destination, status,
				Duration.ofNanos(System.nanoTime() - began).toMillis());
	}

	private static HttpUriRequestBase request(Hop hop, Destination destination) {
		String path = (hop.uri().getRawPath() != null) ? hop.uri().getRawPath() : "";
		String query = (hop.uri().getRawQuery() != null) ? "?" + hop.uri().getRawQuery() : "";
		// The host in the one form that was checked.
		URI uri = URI.create(destination + (path.isEmpty() ? "/" : path) + query);
		HttpUriRequestBase request = new HttpUriRequestBase(hop.method(), URI.create(uri.toASCIIString()));
		request.setHeader("Accept", "application/json, text/*;q=0.9, */*;q=0.8");
		hop.headers().forEach(request::setHeader);
		request.setHeader("Accept-Encoding", BodyReader.ACCEPTED_ENCODING);
		if (hop.credential() != null) {
			request.setHeader(hop.credential().header(), hop.credential().value());
		}
		if (hop.body() != null) {
			request.setEntity(new ByteArrayEntity(hop.body().bytes(), ContentType.parse(hop.body().mediaType())));
		}
		return request;
	}

	private Duration remaining() throws ToolCallException {
		Duration remaining = Duration.ofNanos(this.deadline - System.nanoTime());
		if (this.isAborted || remaining.toMillis() < 1) {
			throw timedOut();
		}
		return remaining;
	}

	ToolCallException timedOut() {
		return failed(ToolFailureKind.TIMED_OUT,
				this.call + " was not answered completely within " + this.call.timeout() + ".", null);
	}

	private byte[] body(ClassicHttpResponse response) throws IOException, ToolCallException {
		HttpEntity entity = response.getEntity();
		if (entity == null) {
			return new byte[0];
		}
		try {
			return BodyReader.read(entity.getContent(), entity.getContentEncoding(), this.call.maxResponse().bytes());
		}
		catch (BodyReader.TooLargeException ex) {
			throw failed(ToolFailureKind.RESULT_NOT_PAGED, "The answer to " + this.call + " is more than "
					+ this.call.maxResponse() + ", the most that is read of one. It was not shortened. Ask for less.",
					null);
		}
		catch (BodyReader.UnknownEncodingException ex) {
			throw failed(ToolFailureKind.TOOL_ERROR,
					"The answer to " + this.call + " is encoded in a way that was not asked for.", null);
		}
		catch (ZipException ex) {
			throw failed(ToolFailureKind.TOOL_ERROR, "The answer to " + this.call + " says it is gzip, and is not.",
					null);
		}
	}

	private static Map<String, String> headers(ClassicHttpResponse response) {
		Map<String, String> headers = new LinkedHashMap<>();
		for (Header header : response.getHeaders()) {
			headers.merge(header.getName().toLowerCase(Locale.ROOT), String.valueOf(header.getValue()),
					(first, second) -> first + ", " + second);
		}
		return headers;
	}

	private ToolCallException told(Destination destination, IOException ex) {
		if (ex instanceof SocketTimeoutException || this.isAborted) {
			return timedOut();
		}
		if (ex instanceof UnloggedConnection.ProxyRefusedException refused) {
			return failed(ToolFailureKind.UNREACHABLE,
					"The proxy did not let " + destination + " be connected to, with status " + refused.status() + ".",
					null);
		}
		if (ex instanceof SSLException) {
			return failed(ToolFailureKind.UNREACHABLE,
					"No encrypted connection to " + destination + " could be made: its certificate is not trusted or"
							+ " not its own, or it speaks no TLS that this client does.",
					ex);
		}
		if (ex instanceof ClientProtocolException || ex instanceof MessageConstraintException
				|| ex instanceof MalformedChunkCodingException) {
			// Its text may be what the service sent.
			return failed(ToolFailureKind.TOOL_ERROR, "What " + destination + " answered is not HTTP as it must be.",
					null);
		}
		return new ToolCallException(ToolFailureKind.UNREACHABLE, CallState.UNKNOWN, "The connection to " + destination
				+ " broke before the answer was there. The request may have had its effect.", ex);
	}

	private Hop next(Hop hop, Destination from, Arrival arrival) throws ToolCallException {
		URI uri = target(hop.uri(), String.valueOf(arrival.location()));
		boolean mustBePublic = hop.mustBePublic()
				|| (arrival.address() != null && this.parties.isPublic().test(arrival.address()));
		boolean staysThere = false;
		try {
			Destination to = Destination.of(uri);
			if (from.isSecure() && !to.isSecure()) {
				throw new EgressDeniedException(to.toUri(), "it gives up the encryption of " + from);
			}
			staysThere = from.isSameOrigin(to);
		}
		catch (EgressDeniedException ex) {
			throw denied(new Hop(GET, uri, Map.of(), null, null, true, mustBePublic), ex);
		}
		boolean becomesGet = (arrival.status() == SEE_OTHER)
				|| (POST_BECOMES_GET.contains(arrival.status()) && hop.method().equals("POST"));
		return new Hop(becomesGet ? GET : hop.method(), uri, staysThere ? hop.headers() : Map.of(),
				staysThere ? hop.credential() : null, becomesGet ? null : hop.body(), true, mustBePublic);
	}

	private URI target(URI base, String location) throws ToolCallException {
		try {
			String text = base.resolve(new URI(location.strip())).toString();
			int fragment = text.indexOf('#');
			return new URI((fragment < 0) ? text : text.substring(0, fragment));
		}
		catch (URISyntaxException | IllegalArgumentException ex) {
			throw failed(ToolFailureKind.TOOL_ERROR, this.call + " was redirected to what is no URL.", null);
		}
	}

	private static ToolCallException failed(ToolFailureKind kind, String message, @Nullable Throwable cause) {
		return new ToolCallException(kind, message, cause);
	}

}
