package io.psych.sandbox.spring.http;

import java.net.URI;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The whole answer to a request, whatever its status.
 *
 * @param status the status code
 * @param uri where it came from, after redirects
 * @param headers the headers by lower-case name; several of one name are joined by commas
 * @param body the body, decompressed
 * @since 0.1.0
 */
public record HttpAnswer(int status, URI uri, Map<String, String> headers, byte[] body) {

	/**
	 * Return one header.
	 * @param name its name
	 * @return the value, or {@code null} when there is none
	 */
	public @Nullable String header(String name) {
		return this.headers.get(name.toLowerCase(Locale.ROOT));
	}

	/**
	 * Return whether the status says that the request was done.
	 * @return whether it is 2xx
	 */
	public boolean isSuccess() {
		return this.status >= 200 && this.status < 300;
	}

	@Override
	public String toString() {
		return "HttpAnswer[" + this.status + ", " + this.body.length + " bytes]";
	}

}
