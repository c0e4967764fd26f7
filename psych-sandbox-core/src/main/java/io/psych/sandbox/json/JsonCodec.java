package io.psych.sandbox.json;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * Reads and writes JSON trees with Jackson's streams, within bounds.
 */
final class JsonCodec {

	/** Deeper than anything a tool returns, shallow enough for every stack. */
	static final int MAX_DEPTH = 200;

	/** CPython refuses to convert longer integers (sys.get_int_max_str_digits). */
	static final int MAX_NUMBER_LENGTH = 4300;

	private static final BigInteger TOO_LARGE = BigInteger.TEN.pow(MAX_NUMBER_LENGTH);

	/** A double spans about 1e308; an exponent far beyond it only costs memory. */
	private static final int MAX_EXPONENT = 10_000;

	/** What a number of the most digits has beside them: signs, zeros, an exponent. */
	private static final int NUMBER_SIGNS = 32;

	private static final JsonFactory FACTORY = JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder()
			.maxNestingDepth(MAX_DEPTH)
			.maxNumberLength(MAX_NUMBER_LENGTH + NUMBER_SIGNS)
			.maxStringLength(Integer.MAX_VALUE)
			.maxNameLength(1 << 16)
			.build())
		.streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(MAX_DEPTH + 1).build())
		.build();

	private static final PrettyPrinter PRETTY = new DefaultPrettyPrinter()
		.withObjectIndenter(new DefaultIndenter("  ", "\n"))
		.withArrayIndenter(new DefaultIndenter("  ", "\n"));

	private JsonCodec() {
	}

	static @Nullable Object read(byte[] utf8) {
		try {
			// Jackson itself takes UTF-16 and UTF-32, overlong forms and what is beyond
			// U+10FFFF.
			return read(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)));
		}
		catch (CharacterCodingException ex) {
			throw new JsonFormatException("the bytes are not UTF-8", ex);
		}
	}

	static @Nullable Object read(CharBuffer text) {
		try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text.array(), text.arrayOffset(),
				text.remaining())) {
			if (parser.nextToken() == null) {
				throw new JsonFormatException("there is no JSON value");
			}
			Object value = value(parser);
			if (parser.nextToken() != null) {
				throw new JsonFormatException("there is more than one JSON value");
			}
			return value;
		}
		catch (JacksonException ex) {
			throw new JsonFormatException(ex.getOriginalMessage(), ex);
		}
	}

	private static @Nullable Object value(JsonParser parser) {
		return switch (parser.currentToken()) {
			case START_OBJECT -> object(parser);
			case START_ARRAY -> array(parser);
			case VALUE_STRING -> wellFormed(parser.getString());
			case VALUE_NUMBER_INT -> integer(parser.getString());
			case VALUE_NUMBER_FLOAT -> decimal(parser.getString());
			case VALUE_TRUE -> Boolean.TRUE;
			case VALUE_FALSE -> Boolean.FALSE;
			case VALUE_NULL -> null;
			default -> throw new JsonFormatException("unexpected " + parser.currentToken());
		};
	}

	private static Map<String, @Nullable Object> object(JsonParser parser) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		for (String name = parser.nextName(); name != null; name = parser.nextName()) {
			// Jackson itself refuses this in characters only since 3.1.8.
			if (!wellFormed(name).equals(name)) {
				throw new JsonFormatException("the name of a member has an unpaired surrogate");
			}
			parser.nextToken();
			put(members, name, value(parser));
		}
		return Collections.unmodifiableMap(members);
	}

	private static List<@Nullable Object> array(JsonParser parser) {
		List<@Nullable Object> elements = new ArrayList<>();
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			elements.add(value(parser));
		}
		return Collections.unmodifiableList(elements);
	}

	/** Add a member to an object that must not have one of that name. */
	static void put(Map<String, @Nullable Object> members, String name, @Nullable Object value) {
		String key = wellFormed(name);
		if (members.containsKey(key)) {
			throw new JsonFormatException("an object has two members of the name " + key);
		}
		members.put(key, value);
	}

	private static Number integer(String text) {
		// Eighteen digits always fit a long, sign included.
		return (text.length() <= 18) ? (Number) Long.valueOf(text) : number(new BigInteger(text));
	}

	private static Number decimal(String text) {
		int exponent = Math.max(text.indexOf('e'), text.indexOf('E'));
		if (exponent >= 0 && text.length() - exponent > 7) {
			throw new JsonFormatException("the exponent of the number " + text + " is out of range");
		}
		return number(new BigDecimal(text), text);
	}

	private static Number number(BigDecimal exact, String text) {
		if (exact.precision() > MAX_NUMBER_LENGTH) {
			throw new JsonFormatException("a number has more than " + MAX_NUMBER_LENGTH + " digits");
		}
		if (Math.abs((long) exact.scale()) > MAX_EXPONENT) {
			throw new JsonFormatException("the exponent of the number " + text + " is out of range");
		}
		// A double also keeps the sign of -0.0, which a BigDecimal has not.
		double rounded = Double.parseDouble(text);
		if (Double.isFinite(rounded) && new BigDecimal(Double.toString(rounded)).compareTo(exact) == 0) {
			return rounded;
		}
		// What is written without a fraction or an exponent is read as an integer.
		return (exact.scale() == 0) ? number(exact.unscaledValue()) : exact;
	}

	/** Bring a number into one of the four forms a tree has. */
	static Object number(Number number) {
		if (number instanceof Double || number instanceof Float) {
			double value = number.doubleValue();
			return Double.isFinite(value) ? (Object) value : number.toString();
		}
		if (number instanceof BigInteger integer) {
			return number(integer);
		}
		if (number instanceof BigDecimal decimal) {
			return number(decimal, decimal.toString());
		}
		if (number instanceof Long || number instanceof Integer || number instanceof Short || number instanceof Byte
				|| number instanceof AtomicLong || number instanceof AtomicInteger) {
			return number.longValue();
		}
		throw new JsonFormatException("a " + number.getClass().getName() + " has no JSON form");
	}

	private static Number number(BigInteger integer) {
		if (integer.bitLength() <= 63) {
			return integer.longValue();
		}
		if (integer.abs().compareTo(TOO_LARGE) >= 0) {
			throw new JsonFormatException("an integer has more than " + MAX_NUMBER_LENGTH + " digits");
		}
		return integer;
	}

	static byte[] write(@Nullable Object tree, boolean pretty) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		ObjectWriteContext context = pretty ? new PrettyContext() : ObjectWriteContext.empty();
		try (JsonGenerator generator = FACTORY.createGenerator(context, bytes)) {
			write(tree, generator);
		}
		return bytes.toByteArray();
	}

	private static void write(@Nullable Object value, JsonGenerator generator) {
		if (value instanceof Map<?, ?> map) {
			generator.writeStartObject();
			map.forEach((name, member) -> {
				generator.writeName((String) name);
				write(member, generator);
			});
			generator.writeEndObject();
		}
		else if (value instanceof List<?> list) {
			generator.writeStartArray();
			list.forEach((element) -> write(element, generator));
			generator.writeEndArray();
		}
		else if (value instanceof String string) {
			generator.writeString(string);
		}
		else if (value instanceof Number number) {
			generator.writeNumber(number.toString());
		}
		else if (value instanceof Boolean bool) {
			generator.writeBoolean(bool);
		}
		else {
			generator.writeNull();
		}
	}

	/** Replace unpaired surrogates, which UTF-8 can't carry. */
	static String wellFormed(String text) {
		StringBuilder mended = null;
		for (int i = 0; i < text.length(); i++) {
			char current = text.charAt(i);
			if (!Character.isSurrogate(current)) {
				continue;
			}
			if (Character.isHighSurrogate(current) && i + 1 < text.length()
					&& Character.isLowSurrogate(text.charAt(i + 1))) {
				i++;
				continue;
			}
			mended = (mended != null) ? mended : new StringBuilder(text);
			mended.setCharAt(i, '\uFFFD');
		}
		return (mended != null) ? mended.toString() : text;
	}

	/**
	 * A context whose only difference is indentation.
	 */
	private static final class PrettyContext extends ObjectWriteContext.Base {

		@Override
		public PrettyPrinter getPrettyPrinter() {
			return PRETTY;
		}

		@Override
		public boolean hasPrettyPrinter() {
			return true;
		}

	}

}
