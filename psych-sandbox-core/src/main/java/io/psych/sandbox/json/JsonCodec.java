package io.psych.sandbox.json;

import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * Reads JSON trees with Jackson's streams, within bounds, and writes those that people
 * read.
 */
final class JsonCodec {

	/** Deeper than anything a tool returns, shallow enough for every stack. */
	static final int MAX_DEPTH = 200;

	/** CPython refuses to convert longer integers (sys.get_int_max_str_digits). */
	static final int MAX_NUMBER_LENGTH = 4300;

	private static final BigInteger TOO_LARGE = BigInteger.TEN.pow(MAX_NUMBER_LENGTH);

	/** A double spans about 1e308; an exponent far beyond it only costs memory. */
	private static final int MAX_EXPONENT = 10_000;

	/**
	 * Far more than a tool answers with. As heap it is some 100 MiB at the worst, where a
	 * text of 16 MiB without this bound could be 500.
	 */
	static final int MAX_VALUES = 1_000_000;

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

	static @Nullable Object read(byte[] utf8, int offset, int length, int mostValues) {
		// What most frames are. As ASCII that begins like this it can't be taken for
		// anything else.
		if (length > 1 && utf8[offset] == '{' && utf8[offset + 1] != 0 && PlainBytes.isAscii(utf8, offset, length)) {
			try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), utf8, offset, length)) {
				return new TreeReader(parser, mostValues).read();
			}
			catch (JacksonException ex) {
				throw new JsonFormatException(ex.getOriginalMessage(), ex);
			}
		}
		// Jackson itself takes UTF-16 and UTF-32, overlong forms and what is beyond
		// U+10FFFF. A new decoder reports what is malformed.
		return read(new InputStreamReader(new ByteArrayInputStream(utf8, offset, length),
				StandardCharsets.UTF_8.newDecoder()), mostValues);
	}

	static @Nullable Object read(Reader text, int mostValues) {
		try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
			return new TreeReader(parser, mostValues).read();
		}
		catch (JacksonException ex) {
			throw new JsonFormatException((ex.getCause() instanceof CharacterCodingException)
					? "the bytes are not UTF-8" : ex.getOriginalMessage(), ex);
		}
	}

	/**
	 * Return an object's members for keeping: unmodifiable, and no larger than need be.
	 */
	static Map<String, @Nullable Object> compact(Map<String, @Nullable Object> members) {
		return switch (members.size()) {
			case 0 -> Collections.emptyMap();
			case 1 -> {
				Map.Entry<String, @Nullable Object> member = members.entrySet().iterator().next();
				yield Collections.singletonMap(member.getKey(), member.getValue());
			}
			default -> Collections.unmodifiableMap(members);
		};
	}

	/**
	 * Return an array's elements for keeping: unmodifiable, and no larger than need be.
	 */
	static List<@Nullable Object> compact(List<@Nullable Object> elements) {
		return switch (elements.size()) {
			case 0 -> Collections.emptyList();
			case 1 -> Collections.singletonList(elements.get(0));
			default -> Collections.unmodifiableList(Arrays.asList(elements.toArray()));
		};
	}

	/** Add a member to an object that must not have one of that name. */
	static void put(Map<String, @Nullable Object> members, String name, @Nullable Object value) {
		String key = wellFormed(name);
		if (members.containsKey(key)) {
			throw new JsonFormatException("an object has two members of the name " + key);
		}
		members.put(key, value);
	}

	static Number number(BigDecimal exact, String text) {
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

	static Number number(BigInteger integer) {
		if (integer.bitLength() <= 63) {
			return integer.longValue();
		}
		if (integer.abs().compareTo(TOO_LARGE) >= 0) {
			throw new JsonFormatException("an integer has more than " + MAX_NUMBER_LENGTH + " digits");
		}
		return integer;
	}

	static void writePretty(@Nullable Object tree, OutputStream target) {
		try (JsonGenerator generator = FACTORY.createGenerator(new PrettyContext(), target)) {
			write(tree, generator);
		}
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
