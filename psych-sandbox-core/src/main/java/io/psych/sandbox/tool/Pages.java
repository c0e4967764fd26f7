package io.psych.sandbox.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads a text in parts, by window or by pattern. Only what is looked at is held.
 * Patterns run on RE2/J, whose time grows with the text and never with the pattern's
 * cleverness.
 */
final class Pages {

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

	/** Between two characters there are at most three bytes of one. */
	private static final int MOST_CONTINUATION = 3;

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

	private final int window;

	private final LongSupplier nanoTime;

	/**
	 * Create a new instance.
	 * @param ceiling the bytes one reply may have
	 * @param nanoTime tells the time
	 */
	Pages(long ceiling, LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.window = (int) Math.max(BYTES_OF_REPLY, Math.min(MOST_WINDOW, ceiling / BYTES_OF_REPLY));
	}

	/**
	 * Return the shape of the arguments.
	 * @param handle what a handle is, for the model
	 * @return a JSON Schema
	 */
	static JsonValue input(String handle) {
		return JsonValue
			.parse("""
					{
						"type": "object",
						"properties": {
							"handle": {"type": "string", "description": "%s"},
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
					}"""
				.formatted(handle, MOST_WINDOW, MOST_PATTERN, MOST_MATCHES, MOST_CONTEXT));
	}

	/**
	 * Read a part of a text.
	 * @param text the text
	 * @param arguments by {@link #input}
	 * @return the part, by {@link #OUTPUT}
	 * @throws ToolCallException if the pattern is none
	 * @throws IOException if the text can't be read
	 */
	JsonValue read(Text text, JsonValue arguments) throws ToolCallException, IOException {
		Long asked = arguments.integer("offset");
		long offset = Math.min((asked != null) ? asked : 0, text.size());
		String pattern = arguments.string("pattern");
		Map<String, @Nullable Object> part = new LinkedHashMap<>();
		long next;
		if (pattern == null) {
			int length = Math.min(BuiltInTools.number(arguments, "length", 65_536), this.window);
			// A window smaller than the character it begins with would never get further.
			Window window = Window.of(text, offset, length + MOST_CONTINUATION + 1);
			long begin = window.boundary(offset);
			next = window.boundary(Math.min(begin + length, text.size()));
			next = (next > begin || begin == text.size()) ? next : window.after(begin);
			part.put("text", window.text(begin, next));
		}
		else {
			List<Map<String, Object>> matches = new ArrayList<>();
			next = search(text, offset, compile(pattern), arguments, matches);
			part.put("matches", matches);
		}
		part.put("next", (next < text.size()) ? next : null);
		part.put("total", text.size());
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
	private long search(Text text, long from, Pattern pattern, JsonValue arguments, List<Map<String, Object>> matches)
			throws IOException {
		int most = BuiltInTools.number(arguments, "matches", 100);
		int context = BuiltInTools.number(arguments, "context", 80);
		int searched = (int) Math.max(1, Math.min(MOST_SEARCHED, MOST_STEPS / pattern.programSize()));
		Window window = Window.around(text, from, Math.max(MOST_LOOK_BACK, context), searched + MOST_MATCH + context);
		long base = window.boundary(Math.max(0, from - MOST_LOOK_BACK));
		long end = window.boundary(Math.min(text.size(), from + searched + MOST_MATCH));
		long stop = (end < text.size()) ? from + searched : text.size() + 1;
		long deadline = this.nanoTime.getAsLong() + PATIENCE.toNanos();
		Matcher matcher = pattern.matcher(window.bytes(base, end));
		long at = from;
		int room = this.window;
		while (at <= end && matcher.find((int) (at - base)) && base + matcher.start() < stop) {
			long start = base + matcher.start();
			long last = base + matcher.end();
			long shownFrom = window.boundary(Math.max(0, start - context));
			long shownTo = window.boundary(Math.min(text.size(), Math.min(last, start + this.window / 2) + context));
			room -= (int) (shownTo - shownFrom);
			if (matches.size() == most || (room < 0 && !matches.isEmpty())) {
				return start;
			}
			Map<String, Object> match = new LinkedHashMap<>();
			match.put("offset", start);
			match.put("length", last - start);
			match.put("text", window.text(shownFrom, shownTo));
			// What ends where the searching ended may go on behind it
			match.put("cut", shownTo < last || (last == end && end < text.size()));
			matches.add(match);
			at = (last > start) ? last : window.after(last);
			if (this.nanoTime.getAsLong() - deadline > 0) {
				return Math.min(at, text.size());
			}
		}
		return Math.min(Math.max(at, Math.min(stop, text.size())), text.size());
	}

	/**
	 * A text as bytes of UTF-8.
	 */
	interface Text {

		/** Return its size in bytes. */
		long size();

		/** Return some of its bytes; fewer than asked for only at its end. */
		byte[] read(long offset, int most) throws IOException;

	}

	/**
	 * The part of a text that is looked at. Offsets are those of the text.
	 *
	 * @param bytes the bytes
	 * @param from where they begin
	 */
	private record Window(byte[] bytes, long from) {

		/**
		 * Return a window that begins early enough to find the character at an offset.
		 */
		static Window of(Text text, long offset, int length) throws IOException {
			return around(text, offset, MOST_CONTINUATION, length);
		}

		static Window around(Text text, long offset, int before, int after) throws IOException {
			long from = Math.max(0, offset - before - MOST_CONTINUATION);
			return new Window(text.read(from, (int) (offset - from) + after + MOST_CONTINUATION), from);
		}

		/** Return the place between two characters at or before an offset. */
		long boundary(long offset) {
			int at = Math.min((int) (offset - this.from), this.bytes.length);
			while (at > 0 && at < this.bytes.length && (this.bytes[at] & 0xC0) == 0x80) {
				at--;
			}
			return this.from + at;
		}

		/** Return the place after the character at an offset, or beyond the end. */
		long after(long offset) {
			int at = (int) (offset - this.from) + 1;
			while (at < this.bytes.length && (this.bytes[at] & 0xC0) == 0x80) {
				at++;
			}
			return this.from + at;
		}

		byte[] bytes(long begin, long end) {
			return Arrays.copyOfRange(this.bytes, (int) (begin - this.from), (int) (end - this.from));
		}

		String text(long begin, long end) {
			return new String(this.bytes, (int) (begin - this.from), (int) (end - begin), StandardCharsets.UTF_8);
		}

	}

}
