package io.psych.sandbox.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Builds the tree of one text, and counts its values as they come: two characters of a
 * text can cost a hundred bytes of heap, so a bound on its length alone bounds too
 * little.
 */
final class TreeReader {

	private final JsonParser parser;

	private final int mostValues;

	private int values;

	TreeReader(JsonParser parser, int mostValues) {
		this.parser = parser;
		this.mostValues = mostValues;
	}

	@Nullable Object read() {
		if (this.parser.nextToken() == null) {
			throw new JsonFormatException("there is no JSON value");
		}
		Object value = value();
		if (this.parser.nextToken() != null) {
			throw new JsonFormatException("there is more than one JSON value");
		}
		return value;
	}

	private @Nullable Object value() {
		if (++this.values > this.mostValues) {
			throw new JsonFormatException("there are more than " + this.mostValues + " values");
		}
		return switch (this.parser.currentToken()) {
			case START_OBJECT -> object();
			case START_ARRAY -> array();
			case VALUE_STRING -> JsonCodec.wellFormed(this.parser.getString());
			case VALUE_NUMBER_INT -> integer(this.parser.getString());
			case VALUE_NUMBER_FLOAT -> decimal(this.parser.getString());
			case VALUE_TRUE -> Boolean.TRUE;
			case VALUE_FALSE -> Boolean.FALSE;
			case VALUE_NULL -> null;
			default -> throw new JsonFormatException("unexpected " + this.parser.currentToken());
		};
	}

	private Map<String, @Nullable Object> object() {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		for (String name = this.parser.nextName(); name != null; name = this.parser.nextName()) {
			// Jackson itself refuses this in characters only since 3.1.8.
			if (!JsonCodec.wellFormed(name).equals(name)) {
				throw new JsonFormatException("the name of a member has an unpaired surrogate");
			}
			this.parser.nextToken();
			JsonCodec.put(members, name, value());
		}
		return JsonCodec.compact(members);
	}

	private List<@Nullable Object> array() {
		List<@Nullable Object> elements = new ArrayList<>();
		while (this.parser.nextToken() != JsonToken.END_ARRAY) {
			elements.add(value());
		}
		return JsonCodec.compact(elements);
	}

	private static Object integer(String text) {
		// Eighteen digits always fit a long, sign included.
		return (text.length() <= 18) ? Long.valueOf(text) : JsonCodec.number(new BigInteger(text));
	}

	private static Object decimal(String text) {
		int exponent = Math.max(text.indexOf('e'), text.indexOf('E'));
		if (exponent >= 0 && text.length() - exponent > 7) {
			throw new JsonFormatException("the exponent of the number " + text + " is out of range");
		}
		return JsonCodec.number(new BigDecimal(text), text);
	}

}
