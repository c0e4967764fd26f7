package io.psych.sandbox.spring.a2a;

import java.net.URI;

/**
 * Third-party text in descriptions and messages.
 */
final class Texts {

	private Texts() {
	}

	/**
	 * Return a text without control characters, and not longer than it may be.
	 * @param text the text
	 * @param most the most characters
	 * @return the text
	 */
	static String shortened(String text, int most) {
		StringBuilder clean = new StringBuilder();
		text.strip().codePoints().limit(most).forEach((next) -> {
			boolean isShown = !Character.isISOControl(next) || next == '\n' || next == '\t';
			clean.appendCodePoint(isShown ? next : ' ');
		});
		return (text.strip().codePointCount(0, text.strip().length()) > most) ? clean + "..." : clean.toString();
	}

	/**
	 * Return scheme, host and port: all of a URL that is shown.
	 * @param url the URL
	 * @return its origin
	 */
	static String origin(URI url) {
		return url.getScheme() + "://" + url.getHost() + ((url.getPort() >= 0) ? ":" + url.getPort() : "");
	}

}
