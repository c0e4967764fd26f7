package io.psych.sandbox.tool;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.psych.sandbox.contract.ResultHandle;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The results of one program's calls that are too large for a reply, and the reading of
 * them in parts. A handle names one of them here and nothing anywhere else. Patterns run
 * on RE2/J, whose time grows with the text and never with the pattern's cleverness.
 */
final class StoredResults {

	static final String DESCRIPTION = "Reads a result that was too large for one reply, by window or by pattern. Offsets"
			+ " and lengths are bytes of UTF-8; a window begins and ends between characters, so that all windows joined"
			+ " are the result.";

	private static final int MOST_WINDOW = 1024 * 1024;

	private static final int MOST_SEARCHED = 1024 * 1024;

	/**
	 * The time one search takes is how far it goes times the size of the pattern, some
	 * nanoseconds each, and nothing interrupts it.
	 */
	private static final long MOST_STEPS = 50_000_000;

	/** After so long no further match is looked for; {@code next} says where to go on. */
	private static final Duration PATIENCE = Duration.ofSeconds(3);

	private static final int MOST_LOOK_BACK = 64;

	/** A character can take six bytes of JSON, and there is more than text in a reply. */
	private static final int BYTES_OF_REPLY = 8;

	private static final int MOST_MATCHES = 1_000;

	private static final int MOST_CONTEXT = 4 * 1024;

	/** Longer matches are found where they begin, and may be cut. */
	private static final int MOST_MATCH = 64 * 1024;

	/** Compiling takes time and memory by the length of a pattern, and of its counts. */
	private static final int MOST_PATTERN = 1_000;

	static final JsonValue INPUT = JsonValue.parse("""
			{
				"type": "object",
				"properties": {
					"handle": {"type": "string", "description": "What the call returned instead of its result."},
					"offset": {"type": "integer", "minimum": 0, "default": 0,
						"description": "Where to begin; what `next` said."},
					"length": {"type": "integer", "minimum": 1, "maximum": %d, "default": 65536,
						"description": "The size of the window; may be less, by what one reply holds."},
					"pattern": {"type": "string", "maxLength": %d,
						"description": "Return matches of this regular expression (RE2 syntax) instead of a window."},
					"matches": {"type": "integer", "minimum": 1, "maximum": %d, "default": 100},
					"context": {"type": "integer", "minimum": 0, "maximum": %d, "default": 80,
						"description": "How much to show around each match."}
				},
				"required": ["handle"],
				"additionalProperties": false
			}""".formatted(MOST_WINDOW, MOST_PATTERN, MOST_MATCHES, MOST_CONTEXT));

	static final JsonValue OUTPUT = JsonValue.parse("""
			{
				"type": "object",
				"properties": {
					"text": {"type": "string", "description": "The window; absent with a pattern."},
					"matches": {
						"type": "array",
						"description": "The matches; absent without a pattern.",
						"items": {
							"type": "object",
							"properties": {
								"offset": {"type": "integer"},
								"length": {"type": "integer"},
								"text": {"type": "string", "description": "The match with what is around it."},
								"cut": {"type": "boolean", "description": "Whether the match is longer than shown."}
							},
							"required": ["offset", "length", "text", "cut"]
						}
					},
					"next": {"type": ["integer", "null"], "description": "The offset to go on from, null at the end."},
					"total": {"type": "integer", "description": "The bytes of the whole result."}
				},
				"required": ["next", "total"]
			}""");

	private final Map<String, byte[]> results = new ConcurrentHashMap<>();

	private final AtomicInteger number = new AtomicInteger();

	private final int window;

	private final LongSupplier nanoTime;

	/**
	 * Create a store.
	 * @param ceiling the bytes one reply may have
	 */
	StoredResults(long ceiling) {
		this(ceiling, System::nanoTime);
	}

	StoredResults(long ceiling, LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.window = (int) Math.max(BYTES_OF_REPLY, Math.min(MOST_WINDOW, ceiling / BYTES_OF_REPLY));
	}

	/**
	 * Keep a result.
	 * @param value the result
	 * @return its handle
	 */
	ResultHandle keep(JsonValue value) {
		String text = (value.toJava() instanceof String string) ? string : null;
		byte[] kept = (text != null) ? text.getBytes(StandardCharsets.UTF_8) : value.toUtf8();
		ResultHandle handle = new ResultHandle("result-" + this.number.incrementAndGet(), kept.length,
				(text != null) ? "text" : "json");
		this.results.put(handle.id(), kept);
		return handle;
	}

	/**
	 * Read a part of a result.
	 * @param arguments by {@link #INPUT}
	 * @return the part, by {@link #OUTPUT}
	 * @throws ToolCallException if there is no such result, or the pattern is none
	 */
	JsonValue read(JsonValue arguments) throws ToolCallException {
		byte[] result = this.results.get(String.valueOf(arguments.string("handle")));
		if (result == null) {
			throw new ToolCallException(ToolFailureKind.DENIED,
					"No call of this program returned that handle. Pass what a call of this program returned.");
		}
		int offset = Math.min(BuiltInTools.number(arguments, "offset", 0), result.length);
		String pattern = arguments.string("pattern");
		Map<String, @Nullable Object> part = new LinkedHashMap<>();
		int next;
		if (pattern == null) {
			int begin = boundary(result, offset);
			next = boundary(result, Math
				.min(begin + Math.min(BuiltInTools.number(arguments, "length", 65_536), this.window), result.length));
			// A window smaller than the character it begins with would never get further.
			next = (next > begin || begin == result.length) ? next : after(result, begin);
			part.put("text", text(result, begin, next));
		}
		else {
			List<Map<String, Object>> matches = new ArrayList<>();
			next = search(result, offset, compile(pattern), arguments, matches);
			part.put("matches", matches);
		}
		part.put("next", (next < result.length) ? next : null);
		part.put("total", result.length);
		return JsonValue.of(part);
	}

	private static Pattern compile(String pattern) throws ToolCallException {
		try {
			return LinearPatterns.compile(pattern);
		}
		catch (PatternSyntaxException ex) {
			throw new ToolCallException(ToolFailureKind.BAD_ARGUMENTS, "The pattern is no regular expression of RE2 ("
					+ ex.getDescription() + "); it has no backreferences and no lookaround.", ex);
		}
	}

	/**
	 * Search a window for matches that begin in it. The windows of two calls overlap by
	 * the longest match, and what lies before is seen by anchors and word boundaries.
	 * @return where to go on
	 */
	private int search(byte[] result, int from, Pattern pattern, JsonValue arguments,
			List<Map<String, Object>> matches) {
		int most = BuiltInTools.number(arguments, "matches", 100);
		int context = BuiltInTools.number(arguments, "context", 80);
		int base = boundary(result, Math.max(0, from - MOST_LOOK_BACK));
		int searched = (int) Math.max(1, Math.min(MOST_SEARCHED, MOST_STEPS / pattern.programSize()));
		int end = boundary(result, Math.min(result.length, from + searched + MOST_MATCH));
		int stop = (end < result.length) ? from + searched : result.length + 1;
		long deadline = this.nanoTime.getAsLong() + PATIENCE.toNanos();
		Matcher matcher = pattern.matcher(Arrays.copyOfRange(result, base, end));
		int at = from;
		int room = this.window;
		while (at <= end && matcher.find(at - base) && base + matcher.start() < stop) {
			int start = base + matcher.start();
			int last = base + matcher.end();
			int shownFrom = boundary(result, Math.max(0, start - context));
			int shownTo = boundary(result, Math.min(result.length, Math.min(last, start + this.window / 2) + context));
			room -= shownTo - shownFrom;
			if (matches.size() == most || (room < 0 && !matches.isEmpty())) {
				return start;
			}
			Map<String, Object> match = new LinkedHashMap<>();
			match.put("offset", start);
			match.put("length", last - start);
			match.put("text", text(result, shownFrom, shownTo));
			// What ends where the searching ended may go on behind it
			match.put("cut", shownTo < last || (last == end && end < result.length));
			matches.add(match);
			at = (last > start) ? last : after(result, last);
			if (this.nanoTime.getAsLong() - deadline > 0) {
				return Math.min(at, result.length);
			}
		}
		return Math.min(Math.max(at, Math.min(stop, result.length)), result.length);
	}

	private static String text(byte[] result, int begin, int end) {
		return new String(result, begin, end - begin, StandardCharsets.UTF_8);
	}

	/** Return the place between two characters at or before an offset. */
	private static int boundary(byte[] utf8, int offset) {
		int at = offset;
		while (at > 0 && at < utf8.length && (utf8[at] & 0xC0) == 0x80) {
			at--;
		}
		return at;
	}

	/** Return the place after the character at an offset, or beyond the end. */
	private static int after(byte[] utf8, int offset) {
		int at = offset + 1;
		while (at < utf8.length && (utf8[at] & 0xC0) == 0x80) {
			at++;
		}
		return at;
	}

}
