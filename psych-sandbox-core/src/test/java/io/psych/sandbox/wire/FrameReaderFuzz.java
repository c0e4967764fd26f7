package io.psych.sandbox.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of a reader whatever a child sends. The target of the fuzzer that
 * {@code .ci/fuzz} starts; {@link FrameReaderFuzzTests} tries it with all of the corpus.
 * Knows nothing of the fuzzer, which is on the class path only when it runs.
 */
public final class FrameReaderFuzz {

	/** More than a reader buffers at first, so that its buffer has to grow. */
	private static final FrameBounds BOUNDS = new FrameBounds(10_000, 500);

	private static final int FIRST_BUFFER = 8 * 1024;

	private static final int MOST_FRAMES = 50;

	private static final int MOST_BLANK_LINES = 20;

	/** All that a violation may say, whatever was sent. */
	private static final Pattern RULE = Pattern.compile(String.join("|", "a line of more than 10000 bytes",
			"more than (50 frames|20 empty lines)", "a line that is not JSON within the bounds",
			"a frame (without a|of an unknown) type", "a ready frame without its protocol or report",
			"a call frame without its id, name or arguments", "a done frame without its value, failure or notes",
			"a failure without its kind or message", "a failure whose traceback, limit or exit status is none"));

	private FrameReaderFuzz() {
	}

	/**
	 * Try one input.
	 * @param sent what the child sends
	 * @throws IOException never, as the channel is whole
	 */
	public static void fuzzerTestOneInput(byte[] sent) throws IOException {
		Reading whole = Reading.of(sent, () -> Integer.MAX_VALUE, BOUNDS);
		for (Frame frame : whole.frames()) {
			requireWithinBounds(frame);
			JsonValue json = ChildFrames.json(frame);
			require(values(json.toJava()) <= BOUNDS.values(), "a frame with too many values");
			byte[] written = (json.toJson() + "\n").getBytes(StandardCharsets.UTF_8);
			Reading again = Reading.of(written, () -> Integer.MAX_VALUE,
					new FrameBounds(written.length, BOUNDS.values()));
			require(again.equals(new Reading(List.of(frame), null)), "a frame is read back as another");
		}
		require(whole.violation() == null || RULE.matcher(whole.violation()).matches(),
				"a message that is not one of a rule");
		Random random = new Random(Arrays.hashCode(sent));
		int largest = 1 + random.nextInt(300);
		require(whole.equals(Reading.of(sent, () -> 1, BOUNDS)), "byte by byte it comes to something else");
		require(whole.equals(Reading.of(sent, () -> 1 + random.nextInt(largest), BOUNDS)),
				"in chunks it comes to something else");
	}

	private static void requireWithinBounds(Frame frame) {
		if (frame instanceof Frame.Ready ready) {
			require(ready.report().isObject(), "a report that is no object");
		}
		else if (frame instanceof Frame.Call call) {
			require(call.name().length() <= 256, "a name that is too long");
			require(call.arguments().isObject(), "arguments that are no object");
		}
		else {
			Frame.Done done = (Frame.Done) frame;
			require(done.notes().size() <= 100, "too many notes");
			require(done.notes().stream().mapToInt(String::length).sum() <= 16 * 1024, "notes that are too long");
			Frame.ProgramFailure failure = done.failure();
			require(failure == null || failure.exitStatus() == null
					|| (failure.exitStatus() >= 0 && failure.exitStatus() <= 255), "an exit status that is none");
		}
	}

	private static int values(@Nullable Object tree) {
		int values = 1;
		if (tree instanceof Map<?, ?> members) {
			for (Object member : members.values()) {
				values += values(member);
			}
		}
		else if (tree instanceof List<?> elements) {
			for (Object element : elements) {
				values += values(element);
			}
		}
		return values;
	}

	private static void require(boolean holds, String otherwise) {
		if (!holds) {
			throw new AssertionError(otherwise);
		}
	}

	/**
	 * What a reader made of some bytes.
	 *
	 * @param frames the frames
	 * @param violation the rule that was broken after them, or {@code null} when the
	 * bytes came to their end
	 */
	private record Reading(List<Frame> frames, @Nullable String violation) {

		static Reading of(byte[] sent, IntSupplier chunk, FrameBounds bounds) throws IOException {
			ChunkedChannel channel = new ChunkedChannel(sent, chunk);
			FrameReader reader = new FrameReader(channel, bounds, MOST_FRAMES, MOST_BLANK_LINES);
			List<Frame> frames = new ArrayList<>();
			String violation = null;
			try {
				for (Frame frame = reader.next(); frame != null; frame = reader.next()) {
					frames.add(frame);
				}
			}
			catch (ProtocolViolationException ex) {
				violation = ex.getMessage();
			}
			require(channel.largestBuffer() <= Math.max(FIRST_BUFFER, bounds.bytes() + 1), "it holds too much");
			require(frames.size() <= MOST_FRAMES, "it takes too many frames");
			return new Reading(frames, violation);
		}

	}

}
