package io.psych.sandbox.spring.http;

import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.limits.ByteSize;
import org.jspecify.annotations.Nullable;

/**
 * One request to make, immutable.
 *
 * @since 0.1.0
 */
public final class HttpCall {

	static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");

	/** Below the time a tool has by default, so that the message of this one is told. */
	static final Duration TIMEOUT = Duration.ofSeconds(15);

	/** More than a reply may have: what is beyond that is kept under a handle. */
	static final ByteSize MOST_RESPONSE = ByteSize.ofMebibytes(16);

	private final String method;

	private final URI uri;

	private final Map<String, String> headers;

	private final @Nullable Credential credential;

	private final @Nullable Body body;

	private final Duration timeout;

	private final ByteSize maxResponse;

	private final @Nullable String sslBundle;

	record Body(byte[] bytes, String mediaType) {

	}

	private HttpCall(String method, URI uri, Map<String, String> headers, @Nullable Credential credential,
			@Nullable Body body, Duration timeout, ByteSize maxResponse, @Nullable String sslBundle) {
		this.method = method;
		this.uri = uri;
		this.headers = Collections.unmodifiableMap(headers);
		this.credential = credential;
		this.body = body;
		this.timeout = timeout;
		this.maxResponse = maxResponse;
		this.sslBundle = sslBundle;
	}

	/**
	 * Return a request with a timeout of 15 seconds and an answer of 16 MiB at most.
	 * @param method the method: GET, POST, PUT, PATCH or DELETE
	 * @param uri an absolute URL
	 * @return the request
	 */
	public static HttpCall of(String method, URI uri) {
		if (!METHODS.contains(method)) {
			throw new IllegalArgumentException("method must be one of " + METHODS + " but was " + method);
		}
		return new HttpCall(method, uri, Map.of(), null, null, TIMEOUT, MOST_RESPONSE, null);
	}

	/**
	 * Return this request with one more header. Like all headers but those of the body,
	 * it is not sent to another origin that a service redirects to.
	 * @param name the name
	 * @param value the value
	 * @return the request
	 * @throws IllegalArgumentException if it can't be sent, or is for the client to set
	 */
	public HttpCall header(String name, String value) {
		if (HttpFields.problemOfName(name) != null || HttpFields.isReserved(name) || !HttpFields.isValue(value)) {
			throw new IllegalArgumentException(
					"header " + name + " can't be sent: it is set by the client itself, or its name or value holds"
							+ " something else than visible ASCII characters");
		}
		Map<String, String> all = new LinkedHashMap<>(this.headers);
		all.put(name, value);
		return new HttpCall(this.method, this.uri, all, this.credential, this.body, this.timeout, this.maxResponse,
				this.sslBundle);
	}

	/**
	 * Return this request with a body.
	 * @param bytes the body
	 * @param mediaType its type, such as {@code application/json}
	 * @return the request
	 */
	public HttpCall body(byte[] bytes, String mediaType) {
		return new HttpCall(this.method, this.uri, this.headers, this.credential, new Body(bytes, mediaType),
				this.timeout, this.maxResponse, this.sslBundle);
	}

	/**
	 * Return this request with a credential.
	 * @param sent the credential
	 * @return the request
	 */
	public HttpCall credential(Credential sent) {
		return new HttpCall(this.method, this.uri, this.headers, sent, this.body, this.timeout, this.maxResponse,
				this.sslBundle);
	}

	/**
	 * Return this request with a time by which its answer is there as a whole, redirects
	 * and the look-up of names included.
	 * @param deadline the time
	 * @return the request
	 */
	public HttpCall timeout(Duration deadline) {
		if (deadline.isNegative() || deadline.isZero()) {
			throw new IllegalArgumentException("timeout must be positive but was " + deadline);
		}
		return new HttpCall(this.method, this.uri, this.headers, this.credential, this.body, deadline, this.maxResponse,
				this.sslBundle);
	}

	/**
	 * Return this request with a bound on its answer, which holds for the bytes on the
	 * wire and for what they decompress to.
	 * @param most the most bytes of it
	 * @return the request
	 */
	public HttpCall maxResponse(ByteSize most) {
		return new HttpCall(this.method, this.uri, this.headers, this.credential, this.body, this.timeout, most,
				this.sslBundle);
	}

	/**
	 * Return this request with certificates of its own.
	 * @param name the name of an SSL bundle of the application
	 * @return the request
	 */
	public HttpCall sslBundle(String name) {
		return new HttpCall(this.method, this.uri, this.headers, this.credential, this.body, this.timeout,
				this.maxResponse, name);
	}

	String method() {
		return this.method;
	}

	URI uri() {
		return this.uri;
	}

	Map<String, String> headers() {
		return this.headers;
	}

	@Nullable Credential credential() {
		return this.credential;
	}

	@Nullable Body body() {
		return this.body;
	}

	Duration timeout() {
		return this.timeout;
	}

	ByteSize maxResponse() {
		return this.maxResponse;
	}

	@Nullable String sslBundle() {
		return this.sslBundle;
	}

	/**
	 * Return method and origin: path, query, headers and body are the caller's.
	 */
	@Override
	public String toString() {
		return this.method + " " + this.uri.getScheme() + "://" + this.uri.getHost()
				+ ((this.uri.getPort() >= 0) ? ":" + this.uri.getPort() : "");
	}

}
