package io.psych.sandbox.cli;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Level;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads option values as Spring Boot reads properties: {@code 10s}, {@code 512MB}.
 */
final class Units {

	// Eight digits of the largest unit still fit a long.
	private static final Pattern AMOUNT = Pattern.compile("(\\d{1,8})([a-zA-Z]*)");

	private static final Map<String, Duration> DURATIONS = Map.of("ms", Duration.ofMillis(1), "", Duration.ofSeconds(1),
			"s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1));

	private static final Map<String, ByteSize> BYTE_SIZES = Map.of("", ByteSize.ofBytes(1), "b", ByteSize.ofBytes(1),
			"kb", ByteSize.ofKibibytes(1), "mb", ByteSize.ofMebibytes(1), "gb", ByteSize.ofMebibytes(1024));

	private Units() {
	}

	static Duration duration(String text) {
		Matcher amount = AMOUNT.matcher(text);
		Duration unit = amount.matches() ? DURATIONS.get(amount.group(2)) : null;
		if (unit == null) {
			throw new TypeConversionException("'" + text + "' is not a time such as 10s, 500ms or 2m");
		}
		return unit.multipliedBy(Long.parseLong(amount.group(1)));
	}

	static ByteSize byteSize(String text) {
		Matcher amount = AMOUNT.matcher(text);
		ByteSize unit = amount.matches() ? BYTE_SIZES.get(amount.group(2).toLowerCase(Locale.ROOT)) : null;
		if (unit == null) {
			throw new TypeConversionException("'" + text + "' is not a size such as 512MB, 64KB or 1GB");
		}
		return ByteSize.ofBytes(unit.bytes() * Long.parseLong(amount.group(1)));
	}

	static Level level(String text) {
		return Arrays.stream(Level.values())
			.filter((level) -> level != Level.NONE && level.id().equals(text))
			.findFirst()
			.orElseThrow(() -> new TypeConversionException("'" + text + "' is not a level; known: " + levels()));
	}

	private static String levels() {
		return Arrays.stream(Level.values())
			.filter((level) -> level != Level.NONE)
			.map(Level::id)
			.collect(Collectors.joining(", "));
	}

}
