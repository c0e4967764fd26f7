package io.psych.sandbox.spring.http;

import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.psych.sandbox.egress.Destination;
import io.psych.sandbox.egress.EgressDeniedException;
import io.psych.sandbox.tool.ToolCallException;

/**
 * A URL with arguments in segments of its path and in values of its query. Scheme, host
 * and port have none, and no argument can add a segment, leave one out or end the path:
 * what it holds is percent-encoded, and where some servers decode before they look at
 * segments, refused.
 */
final class UrlTemplate {

	private static final Pattern ORIGIN = Pattern
		.compile("(?<scheme>[Hh][Tt][Tt][Pp][Ss]?)://(?<host>\\[[^\\]/?#]*\\]|[^/?#:@\\[\\]]+)(?<port>:\\d{1,5})?");

	private static final Pattern WITHIN_ORIGIN = Pattern.compile("[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*");

	/** Servers refuse longer ones, each with a number of its own. */
	private static final int MOST_LENGTH = 8000;

	private static final String HEX = "0123456789ABCDEF";

	private final Destination destination;

	private final List<TextTemplate> segments;

	private final Map<String, List<TextTemplate>> query;

	private UrlTemplate(Destination destination, List<TextTemplate> segments, Map<String, List<TextTemplate>> query) {
		this.destination = destination;
		this.segments = segments;
		this.query = query;
	}

	/**
	 * Read a template.
	 * @param text the text
	 * @return the template
	 * @throws IllegalArgumentException if it is none; the message continues a sentence
	 * that begins with the text
	 */
	static UrlTemplate parse(String text) {
		List<TextTemplate.Part> parts = new ArrayList<>(TextTemplate.parse(text).parts());
		String first = (parts.isEmpty() || parts.get(0).isArgument()) ? "" : parts.get(0).text();
		if (parts.size() > 1 && WITHIN_ORIGIN.matcher(first).matches()) {
			throw new IllegalArgumentException(
					"has an argument in its host or port, where it could choose another service");
		}
		Matcher origin = ORIGIN.matcher(first);
		if (!origin.lookingAt()) {
			throw new IllegalArgumentException(
					"is not a URL such as https://api.example.org/orders/{id}; it begins with http or https and a host,"
							+ " and has no user info");
		}
		String rest = first.substring(origin.end());
		if (!rest.isEmpty() && "/?".indexOf(rest.charAt(0)) < 0) {
			throw new IllegalArgumentException("has something behind its host that is neither a path nor a query");
		}
		Destination destination = destination(origin);
		parts.set(0, new TextTemplate.Part(rest, false));
		return split(destination, parts, text.contains("#"));
	}

	private static UrlTemplate split(Destination destination, List<TextTemplate.Part> parts, boolean hasFragment) {
		if (hasFragment) {
			throw new IllegalArgumentException("has a fragment, which is never sent");
		}
		List<List<TextTemplate.Part>> byQuery = split(parts, '?', 2);
		List<TextTemplate> segments = new ArrayList<>();
		for (List<TextTemplate.Part> segment : split(byQuery.get(0), '/', Integer.MAX_VALUE)) {
			segments.add(segment(segment));
		}
		if (segments.size() > 1) {
			// What is before the first slash of a path.
			segments.remove(0);
		}
		Map<String, List<TextTemplate>> query = new LinkedHashMap<>();
		if (byQuery.size() > 1) {
			for (List<TextTemplate.Part> parameter : split(byQuery.get(1), '&', Integer.MAX_VALUE)) {
				addParameter(query, parameter);
			}
		}
		return new UrlTemplate(destination, List.copyOf(segments), query);
	}

	private static Destination destination(Matcher origin) {
		String host = origin.group("host");
		String port = (origin.group("port") != null) ? origin.group("port") : "";
		try {
			String ascii = host.startsWith("[") ? host : IDN.toASCII(host, IDN.USE_STD3_ASCII_RULES);
			return Destination.of(new URI(origin.group("scheme") + "://" + ascii + port));
		}
		catch (EgressDeniedException | URISyntaxException | IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"has a host or port that is none: a host is a name of letters, digits, dashes and dots, or an"
							+ " address",
					ex);
		}
	}

	private static TextTemplate segment(List<TextTemplate.Part> parts) {
		List<TextTemplate.Part> encoded = new ArrayList<>();
		for (TextTemplate.Part part : parts) {
			encoded.add(part.isArgument() ? part : new TextTemplate.Part(encodedAlready(part.text()), false));
		}
		TextTemplate segment = new TextTemplate(encoded);
		String literal = decoded(segment.fill((name) -> "x"));
		if (literal.equals(".") || literal.equals("..")) {
			throw new IllegalArgumentException("has a segment that is . or ..; write the path it amounts to");
		}
		return segment;
	}

	private static void addParameter(Map<String, List<TextTemplate>> query, List<TextTemplate.Part> parts) {
		List<List<TextTemplate.Part>> pair = split(parts, '=', 2);
		if (pair.get(0).size() != 1 || pair.get(0).get(0).isArgument()) {
			throw new IllegalArgumentException("has an argument in the name of a query parameter, or no name at all");
		}
		List<TextTemplate.Part> value = new ArrayList<>();
		for (TextTemplate.Part part : (pair.size() > 1) ? pair.get(1) : List.<TextTemplate.Part>of()) {
			value.add(part.isArgument() ? part : new TextTemplate.Part(encodedAlready(part.text()), false));
		}
		query.computeIfAbsent(encodedAlready(pair.get(0).get(0).text()), (name) -> new ArrayList<>())
			.add(new TextTemplate(value));
	}

	/** What an operator writes is percent-encoded where it must be, but for IRIs. */
	private static String encodedAlready(String literal) {
		try {
			return new URI("x:/" + literal).toASCIIString().substring("x:/".length());
		}
		catch (URISyntaxException ex) {
			throw new IllegalArgumentException("has a character that must be percent-encoded", ex);
		}
	}

	private static String decoded(String literal) {
		return URI.create("x:/" + literal).getPath().substring(1);
	}

	/** Split the literal parts at a character, and leave the arguments whole. */
	private static List<List<TextTemplate.Part>> split(List<TextTemplate.Part> parts, char at, int most) {
		List<List<TextTemplate.Part>> pieces = new ArrayList<>();
		pieces.add(new ArrayList<>());
		for (TextTemplate.Part part : parts) {
			String text = part.text();
			int from = 0;
			while (!part.isArgument() && pieces.size() < most && text.indexOf(at, from) >= 0) {
				int end = text.indexOf(at, from);
				add(pieces, new TextTemplate.Part(text.substring(from, end), false));
				pieces.add(new ArrayList<>());
				from = end + 1;
			}
			add(pieces, new TextTemplate.Part(text.substring(from), part.isArgument()));
		}
		return pieces;
	}

	private static void add(List<List<TextTemplate.Part>> pieces, TextTemplate.Part part) {
		if (!part.text().isEmpty()) {
			pieces.get(pieces.size() - 1).add(part);
		}
	}

	/**
	 * Return this URL with further parameters behind its own.
	 * @param parameters the value of each, by its name
	 * @return the URL
	 */
	UrlTemplate withQuery(Map<String, TextTemplate> parameters) {
		Map<String, List<TextTemplate>> all = new LinkedHashMap<>(this.query);
		parameters.forEach((name, value) -> {
			List<TextTemplate.Part> encoded = value.parts()
				.stream()
				.map((part) -> part.isArgument() ? part : new TextTemplate.Part(encoded(part.text()), false))
				.toList();
			List<TextTemplate> values = new ArrayList<>(all.getOrDefault(encoded(name), List.of()));
			values.add(new TextTemplate(encoded));
			all.put(encoded(name), values);
		});
		return new UrlTemplate(this.destination, this.segments, all);
	}

	Destination destination() {
		return this.destination;
	}

	Set<String> pathArguments() {
		Set<String> names = new LinkedHashSet<>();
		this.segments.forEach((segment) -> names.addAll(segment.arguments()));
		return names;
	}

	Set<String> queryArguments() {
		Set<String> names = new LinkedHashSet<>();
		this.query.values().forEach((values) -> values.forEach((value) -> names.addAll(value.arguments())));
		return names;
	}

	/**
	 * Return the URL of a call. A parameter whose argument was not given is left out; one
	 * that is an array is repeated for each element.
	 * @param arguments the arguments
	 * @return the URL
	 * @throws ToolCallException if an argument has no place in it
	 */
	URI expand(CallArguments arguments) throws ToolCallException {
		StringBuilder url = new StringBuilder(this.destination.toString());
		for (TextTemplate segment : this.segments) {
			url.append('/').append(segment(segment, arguments));
		}
		char separator = '?';
		for (Map.Entry<String, List<TextTemplate>> parameter : this.query.entrySet()) {
			for (TextTemplate value : parameter.getValue()) {
				for (String text : values(value, arguments)) {
					url.append(separator).append(parameter.getKey()).append('=').append(text);
					separator = '&';
				}
			}
		}
		if (url.length() > MOST_LENGTH) {
			throw CallArguments.bad(String.join("`, `", longest(arguments)),
					"makes a URL of " + url.length() + " characters, and it may have " + MOST_LENGTH);
		}
		return URI.create(url.toString());
	}

	private List<String> longest(CallArguments arguments) {
		Set<String> names = new LinkedHashSet<>(pathArguments());
		names.addAll(queryArguments());
		return names.stream()
			.filter(arguments::isGiven)
			.sorted((left, right) -> arguments.text(right).length() - arguments.text(left).length())
			.limit(1)
			.toList();
	}

	private static String segment(TextTemplate segment, CallArguments arguments) throws ToolCallException {
		StringBuilder decoded = new StringBuilder();
		for (TextTemplate.Part part : segment.parts()) {
			decoded.append(part.isArgument() ? arguments.scalar(part.text()) : decoded(part.text()));
		}
		for (String name : segment.arguments()) {
			check(name, arguments, decoded.toString());
		}
		return segment.fill((name) -> encoded(arguments.text(name)));
	}

	private static void check(String name, CallArguments arguments, String segment) throws ToolCallException {
		if (!arguments.isGiven(name)) {
			throw CallArguments.bad(name, "is missing, and is part of the path");
		}
		if (segment.isEmpty()) {
			throw CallArguments.bad(name, "is empty, and is a segment of the path");
		}
		if (segment.chars().anyMatch(Character::isISOControl)) {
			throw CallArguments.bad(name, "holds a control character, and is part of the path");
		}
		// Encoded as %2F, a slash is one character of a segment. There are servers that
		// decode it first, and then walk up.
		for (String step : segment.split("[/\\\\]", -1)) {
			if (step.equals(".") || step.equals("..")) {
				throw CallArguments.bad(name, "makes a segment of the path " + step);
			}
		}
	}

	private static List<String> values(TextTemplate value, CallArguments arguments) {
		if (!arguments.areGiven(value.arguments())) {
			return List.of();
		}
		String only = value.only();
		if (only != null) {
			return arguments.texts(only).stream().map(UrlTemplate::encoded).toList();
		}
		return List.of(value.fill((name) -> encoded(arguments.text(name))));
	}

	/**
	 * Return a text with everything percent-encoded that may mean something in a URL (RFC
	 * 3986, section 2.3).
	 * @param text the text
	 * @return the text, encoded
	 */
	static String encoded(String text) {
		StringBuilder encoded = new StringBuilder();
		for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
			char character = (char) (next & 0xff);
			boolean isUnreserved = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
					|| (character >= '0' && character <= '9') || "-._~".indexOf(character) >= 0;
			if (isUnreserved) {
				encoded.append(character);
			}
			else {
				encoded.append('%').append(HEX.charAt(character >> 4)).append(HEX.charAt(character & 0xf));
			}
		}
		return encoded.toString();
	}

}
