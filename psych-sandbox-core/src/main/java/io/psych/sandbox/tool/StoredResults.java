package io.psych.sandbox.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import io.psych.sandbox.contract.ResultHandle;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;

/**
 * The results of one program's calls that are too large for a reply, and the reading of
 * them in parts. A handle names one of them here and nothing anywhere else.
 */
final class StoredResults {

	static final String DESCRIPTION = "Reads a result that was too large for one reply, by window or by pattern. Offsets"
			+ " and lengths are bytes of UTF-8; a window begins and ends between characters, so that all windows joined"
			+ " are the result.";

	static final JsonValue INPUT = Pages.input("What the call returned instead of its result.");

	private final Map<String, byte[]> results = new ConcurrentHashMap<>();

	private final AtomicInteger number = new AtomicInteger();

	private final Pages pages;

	/**
	 * Create a store.
	 * @param ceiling the bytes one reply may have
	 */
	StoredResults(long ceiling) {
		this(ceiling, System::nanoTime);
	}

	StoredResults(long ceiling, LongSupplier nanoTime) {
		this.pages = new Pages(ceiling, nanoTime);
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
	 * @return the part
	 * @throws ToolCallException if there is no such result, or the pattern is none
	 */
	JsonValue read(JsonValue arguments) throws ToolCallException {
		byte[] result = this.results.get(String.valueOf(arguments.string("handle")));
		if (result == null) {
			throw new ToolCallException(ToolFailureKind.DENIED,
					"No call of this program returned that handle. Pass what a call of this program returned.");
		}
		try {
			return this.pages.read(new Kept(result), arguments);
		}
		catch (IOException ex) {
			throw new IllegalStateException("what is in memory can be read", ex);
		}
	}

	/**
	 * A result.
	 *
	 * @param bytes all of it
	 */
	private record Kept(byte[] bytes) implements Pages.Text {

		@Override
		public long size() {
			return this.bytes.length;
		}

		@Override
		public byte[] read(long offset, int most) {
			int from = (int) offset;
			return Arrays.copyOfRange(this.bytes, from, from + Math.min(most, this.bytes.length - from));
		}

	}

}
