package io.psych.sandbox.spring.http;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What a header may be called and hold.
 */
final class HttpFields {

	private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	/** No line break can be in it, nor what one end may read as one. */
	private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]*");

	/** What a request is delimited, routed and encoded by. */
	private static final Set<String> RESERVED = Set.of("host", "content-length", "transfer-encoding", "connection",
			"keep-alive", "upgrade", "te", "trailer", "expect", "proxy-authorization", "proxy-connection",
			"proxy-authenticate", "accept-encoding", "content-encoding", "http2-settings", "max-forwards");

	private static final Set<String> CREDENTIALS = Set.of("authorization", "cookie", "x-api-key", "api-key");

	private HttpFields() {
	}

	/**
	 * Return what is wrong with the name of a header.
	 * @param name the name
	 * @return what is wrong, continuing a sentence that begins with the name, or
	 * {@code null}
	 */
	static @Nullable String problemOfName(String name) {
		return TOKEN.matcher(name).matches() ? null : "is no name of a header";
	}

	static boolean isReserved(String name) {
		return RESERVED.contains(name.toLowerCase(Locale.ROOT));
	}

	static boolean isCredential(String name) {
		return CREDENTIALS.contains(name.toLowerCase(Locale.ROOT));
	}

	static boolean isValue(String value) {
		return VALUE.matcher(value).matches();
	}

}
