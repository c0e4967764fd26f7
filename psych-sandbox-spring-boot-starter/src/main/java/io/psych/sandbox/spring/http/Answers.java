package io.psych.sandbox.spring.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.ToolCallException;
import org.jspecify.annotations.Nullable;

/**
 * What a program is given of an answer: JSON as its value, text as a string, anything
 * else as its bytes.
 */
final class Answers {

	private static final int MOST_EXCERPT = 2000;

	private static final Pattern CHARSET = Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\\s\";]+)",
			Pattern.CASE_INSENSITIVE);

	private static final Set<String> TEXTS = Set.of("application/xml", "application/yaml", "application/x-yaml",
			"application/javascript", "application/x-javascript", "application/ecmascript", "application/sql",
			"application/graphql", "application/toml", "application/x-ndjson", "application/ndjson",
			"application/jsonl", "application/x-www-form-urlencoded", "application/x-sh", "application/rtf",
			"application/sparql-query", "application/ld-query", "image/svg+xml");

	private Answers() {
	}

	/**
	 * Return what a program is given of an answer.
	 * @param call the request, for messages
	 * @param answer the answer
	 * @param credential what must not be in a message, or {@code null}
	 * @return the value
	 * @throws ToolCallException if the answer is an error, or not what it says it is
	 */
	static JsonValue value(HttpCall call, HttpAnswer answer, @Nullable Credential credential) throws ToolCallException {
		if (!answer.isSuccess()) {
			throw new ToolCallException(ToolFailureKind.TOOL_ERROR, error(call, answer, credential), null);
		}
		if (answer.body().length == 0) {
			return JsonValue.NULL;
		}
		String mediaType = mediaType(answer);
		if (isJson(mediaType)) {
			return json(call, answer);
		}
		String text = isText(mediaType) ? text(answer) : null;
		if (text != null) {
			return JsonValue.of(text);
		}
		return JsonValue.of(Map.of("base64", Base64.getEncoder().encodeToString(answer.body()), "mediaType",
				mediaType.isEmpty() ? "application/octet-stream" : mediaType));
	}

	private static JsonValue json(HttpCall call, HttpAnswer answer) throws ToolCallException {
		try {
			String text = text(answer);
			if (text == null) {
				throw new ToolCallException(ToolFailureKind.TOOL_ERROR,
						"The answer to " + call + " says it is JSON, and is not even text.", null);
			}
			return JsonValue.parse(text.startsWith("\uFEFF") ? text.substring(1) : text);
		}
		catch (JsonFormatException ex) {
			throw new ToolCallException(ToolFailureKind.TOOL_ERROR,
					"The answer to " + call + " says it is JSON, and is not: " + ex.getMessage(), null);
		}
	}

	private static String error(HttpCall call, HttpAnswer answer, @Nullable Credential credential) {
		Map<String, String> parts = new LinkedHashMap<>();
		parts.put("status", call + " was answered with status " + answer.status());
		String retry = answer.header("Retry-After");
		if (retry != null) {
			parts.put("retry", ", to be tried again after " + clean(retry, 60));
		}
		boolean isReadable = isText(mediaType(answer)) || isJson(mediaType(answer));
		String text = isReadable ? text(answer) : null;
		if (text != null && !text.isBlank()) {
			// The credential goes before the cut: half of one would not be found.
			String excerpt = (credential != null) ? credential.takenOutOf(text) : text;
			parts.put("excerpt", ": " + clean(excerpt, MOST_EXCERPT));
		}
		return String.join("", parts.values());
	}

	private static String clean(String text, int most) {
		StringBuilder clean = new StringBuilder();
		text.strip().codePoints().limit(most + 1L).forEach((next) -> {
			boolean isShown = !Character.isISOControl(next) || next == '\n' || next == '\t';
			clean.appendCodePoint(isShown ? next : ' ');
		});
		return (clean.codePointCount(0, clean.length()) > most)
				? clean.substring(0, clean.offsetByCodePoints(0, most)) + "..." : clean.toString();
	}

	private static String mediaType(HttpAnswer answer) {
		String contentType = answer.header("Content-Type");
		if (contentType == null) {
			return "";
		}
		int end = contentType.indexOf(';');
		return ((end < 0) ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
	}

	static boolean isJson(String mediaType) {
		return mediaType.equals("application/json") || mediaType.equals("text/json") || mediaType.endsWith("+json");
	}

	/** What says nothing of itself is text when it can be read as such. */
	private static boolean isText(String mediaType) {
		return mediaType.isEmpty() || mediaType.startsWith("text/") || mediaType.endsWith("+xml")
				|| TEXTS.contains(mediaType);
	}

	/**
	 * Return a body as text, or {@code null} when it is not in the character set that it
	 * says: nothing of it is replaced.
	 */
	private static @Nullable String text(HttpAnswer answer) {
		String contentType = answer.header("Content-Type");
		Matcher charset = CHARSET.matcher((contentType != null) ? contentType : "");
		try {
			Charset named = charset.find() ? Charset.forName(charset.group(1)) : StandardCharsets.UTF_8;
			return named.newDecoder().decode(ByteBuffer.wrap(answer.body())).toString();
		}
		catch (CharacterCodingException | IllegalCharsetNameException | UnsupportedCharsetException ex) {
			return null;
		}
	}

}
