package io.psych.sandbox.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Properties that hold for every tree, tried with thousands of random ones.
 */
class JsonRoundTripTests {

	private static final int TREES = 3_000;

	@Test
	void whateverIsWrittenIsReadBackAsTheSameValue() {
		Random random = new Random(4711);
		for (int i = 0; i < TREES; i++) {
			JsonValue value = JsonValue.of(tree(random, 6));
			assertThat(JsonValue.parse(value.toUtf8())).isEqualTo(value);
			assertThat(JsonValue.parse(value.toPrettyJson())).isEqualTo(value);
			assertThat(JsonValue.of(value.toJava())).isEqualTo(value);
		}
	}

	@Test
	void whateverIsWrittenIsOneLineOfUtf8() {
		Random random = new Random(4712);
		for (int i = 0; i < TREES; i++) {
			JsonValue value = JsonValue.of(tree(random, 5));
			byte[] utf8 = value.toUtf8();
			assertThat(value.utf8Length()).isEqualTo(utf8.length);
			assertThat(utf8).doesNotContain((byte) '\n', (byte) '\r');
			assertThat(new String(utf8, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8)).isEqualTo(utf8);
		}
	}

	@Test
	void everyDoubleIsReadBackAsItself() {
		Random random = new Random(4713);
		for (int i = 0; i < 10_000; i++) {
			double number = Double.longBitsToDouble(random.nextLong());
			if (Double.isFinite(number)) {
				assertThat(JsonValue.parse(Double.toString(number)).toJava()).isEqualTo(number);
				assertThat(JsonValue.parse(JsonValue.of(number).toJson()).toJava()).isEqualTo(number);
			}
		}
	}

	@Test
	void noBytesMakeTheParserThrowAnythingButItsOwnException() {
		Random random = new Random(4714);
		int accepted = 0;
		for (int i = 0; i < 10_000; i++) {
			byte[] bytes = JsonValue.of(tree(random, 3)).toUtf8();
			for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
				bytes[random.nextInt(bytes.length)] = (byte) (random.nextBoolean() ? random.nextInt(256)
						: "[]{},:\"\\u0123456789eE+-.\n truefalsn".charAt(random.nextInt(35)));
			}
			accepted += isAccepted(bytes) ? 1 : 0;
		}
		assertThat(accepted).isBetween(300, 9_700);
	}

	private static boolean isAccepted(byte[] bytes) {
		try {
			JsonValue value = JsonValue.parse(bytes);
			assertThat(JsonValue.parse(value.toUtf8())).isEqualTo(value);
			return true;
		}
		catch (JsonFormatException ex) {
			return false;
		}
	}

	private static Object tree(Random random, int depth) {
		int kind = random.nextInt((depth > 0) ? 10 : 8);
		return switch (kind) {
			case 0 -> JsonValue.NULL;
			case 1 -> random.nextBoolean();
			case 2 -> random.nextLong() >> random.nextInt(64);
			case 3 ->
				new BigInteger(1 + random.nextInt(600), random).multiply(BigInteger.valueOf(random.nextInt(3) - 1));
			case 4 -> Double.longBitsToDouble(random.nextLong());
			case 5 -> new BigDecimal(new BigInteger(1 + random.nextInt(200), random), random.nextInt(800) - 400);
			case 6 -> random.nextInt(1000) / 8.0 - 60;
			case 7 -> text(random);
			case 8 -> {
				List<Object> list = new ArrayList<>();
				for (int i = random.nextInt(5); i > 0; i--) {
					list.add(tree(random, depth - 1));
				}
				yield list;
			}
			default -> {
				Map<String, Object> map = new LinkedHashMap<>();
				for (int i = random.nextInt(5); i > 0; i--) {
					map.put(i + text(random), tree(random, depth - 1));
				}
				yield map;
			}
		};
	}

	/**
	 * Characters of every length in UTF-8, controls, and surrogates without a partner.
	 */
	private static String text(Random random) {
		StringBuilder text = new StringBuilder();
		for (int i = random.nextInt(12); i > 0; i--) {
			switch (random.nextInt(6)) {
				case 0 -> text.append((char) random.nextInt(32));
				case 1 -> text.append("\"\\/\u007f\u0085\u2028\u2029".charAt(random.nextInt(7)));
				case 2 -> text.append((char) random.nextInt(0x800));
				case 3 -> text.append((char) random.nextInt(0x10000));
				case 4 -> text.appendCodePoint(0x10000 + random.nextInt(0x100000));
				default -> text.append((char) ('a' + random.nextInt(26)));
			}
		}
		return text.toString();
	}

}
