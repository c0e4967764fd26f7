package io.psych.sandbox.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads a child's frames. Holds at most one line, and no longer one than a frame may be:
 * bytes are counted as they arrive, before anything is parsed.
 *
 * @since 0.1.0
 */
public final class FrameReader {

	private static final int FIRST_BUFFER = 8 * 1024;

	private static final Set<String> FAILURE_KINDS = Set.of("program_exception", "worker_exit", "invalid_output",
			"output_limit");

	private static final Set<String> LIMITS = Set.of("memory", "file_size", "workspace", "processes", "value");

	/** A tool's name is shown to people and kept in ledgers. */
	private static final int MOST_NAME = 256;

	private static final int MOST_TEXT = 64 * 1024;

	private static final int MOST_NOTES = 100;

	/** A note is a line or two. */
	private static final int MOST_IN_NOTES = 16 * 1024;

	private static final String LEFT_OUT = "%d of the notes were left out: there is room for " + MOST_NOTES + " of "
			+ MOST_IN_NOTES + " characters together.";

	/**
	 * That note is this long at most, as a frame has fewer bytes than ten digits count.
	 */
	private static final int LONGEST_LEFT_OUT = LEFT_OUT.length() + 10;

	private static final int MOST_STATUS = 255;

	private final ReadableByteChannel channel;

	private final long mostFrames;

	private final long mostBlankLines;

	private FrameBounds bounds;

	/** What was read and not yet consumed lies from start to end. */
	private byte[] buffer = new byte[FIRST_BUFFER];

	private int start;

	private int end;

	private long frames;

	private long blankLines;

	/**
	 * Create a new reader.
	 * @param channel where the frames come from
	 * @param bounds how much one frame may be
	 * @param mostFrames the most frames in all
	 * @param mostBlankLines the most empty lines in all
	 */
	public FrameReader(ReadableByteChannel channel, FrameBounds bounds, long mostFrames, long mostBlankLines) {
		this.channel = channel;
		this.bounds = bounds;
		this.mostFrames = mostFrames;
		this.mostBlankLines = mostBlankLines;
	}

	/**
	 * Take frames within other bounds from now on.
	 * @param bounds how much one frame may be
	 */
	public void within(FrameBounds bounds) {
		this.bounds = bounds;
	}

	/**
	 * Read the next frame, waiting for it.
	 * @return the frame, or {@code null} when the child has closed the channel; what it
	 * sent of an unfinished frame is dropped
	 * @throws IOException if the channel can't be read
	 * @throws ProtocolViolationException if what was sent is no frame
	 */
	public @Nullable Frame next() throws IOException, ProtocolViolationException {
		while (true) {
			int length = line();
			if (length < 0) {
				return null;
			}
			int begin = this.start;
			this.start = begin + length + 1;
			if (length == 0) {
				if (++this.blankLines > this.mostBlankLines) {
					throw new ProtocolViolationException("more than " + this.mostBlankLines + " empty lines");
				}
				continue;
			}
			if (++this.frames > this.mostFrames) {
				throw new ProtocolViolationException("more than " + this.mostFrames + " frames");
			}
			return frame(begin, length);
		}
	}

	/**
	 * Return whether the child has sent more, waiting for it or for its end where the
	 * channel blocks.
	 * @return whether there is at least one more byte
	 * @throws IOException if the channel can't be read
	 */
	public boolean hasMore() throws IOException {
		if (this.start < this.end) {
			return true;
		}
		this.start = 0;
		this.end = Math.max(0, this.channel.read(ByteBuffer.wrap(this.buffer)));
		return this.end > 0;
	}

	/** Return the length of the line that begins at the start, or -1 at the end. */
	private int line() throws IOException, ProtocolViolationException {
		int searched = this.start;
		while (true) {
			for (int i = searched; i < this.end; i++) {
				if (this.buffer[i] == '\n') {
					requireWithinBound(i - this.start);
					return i - this.start;
				}
			}
			searched = this.end;
			requireWithinBound(this.end - this.start);
			if (this.end == this.buffer.length) {
				searched -= this.start;
				makeRoom();
			}
			int count = this.channel.read(ByteBuffer.wrap(this.buffer, this.end, this.buffer.length - this.end));
			if (count < 0) {
				return -1;
			}
			this.end += count;
		}
	}

	private void requireWithinBound(int length) throws ProtocolViolationException {
		if (length > this.bounds.bytes()) {
			throw new ProtocolViolationException("a line of more than " + this.bounds.bytes() + " bytes");
		}
	}

	private void makeRoom() {
		int held = this.end - this.start;
		// Twice what is held, but a line that is too long is found out at one byte too
		// many.
		int size = (held > this.buffer.length / 2) ? (int) Math.min(2L * this.buffer.length, this.bounds.bytes() + 1L)
				: this.buffer.length;
		byte[] larger = new byte[Math.max(size, held + 1)];
		System.arraycopy(this.buffer, this.start, larger, 0, held);
		this.buffer = larger;
		this.start = 0;
		this.end = held;
	}

	private Frame frame(int begin, int length) throws ProtocolViolationException {
		JsonValue json;
		try {
			json = JsonValue.parse(this.buffer, begin, length, this.bounds.values());
		}
		catch (JsonFormatException ex) {
			throw new ProtocolViolationException("a line that is not JSON within the bounds");
		}
		String type = json.string("type");
		if (type == null) {
			throw new ProtocolViolationException("a frame without a type");
		}
		return switch (type) {
			case "ready" -> ready(json);
			case "call" -> call(json);
			case "done" -> done(json);
			default -> throw new ProtocolViolationException("a frame of an unknown type");
		};
	}

	private static Frame ready(JsonValue json) throws ProtocolViolationException {
		Long protocol = json.integer("protocol");
		JsonValue report = json.member("report");
		if (protocol == null || report == null || !report.isObject()) {
			throw new ProtocolViolationException("a ready frame without its protocol or report");
		}
		return new Frame.Ready(protocol, report);
	}

	private static Frame call(JsonValue json) throws ProtocolViolationException {
		Long id = json.integer("id");
		String name = json.string("name");
		JsonValue arguments = json.member("arguments");
		if (id == null || name == null || name.length() > MOST_NAME || arguments == null || !arguments.isObject()) {
			throw new ProtocolViolationException("a call frame without its id, name or arguments");
		}
		return new Frame.Call(id, name, arguments);
	}

	private static Frame done(JsonValue json) throws ProtocolViolationException {
		JsonValue value = json.member("value");
		JsonValue failure = json.member("failure");
		List<String> notes = json.strings("notes");
		if (value == null || failure == null || notes == null) {
			throw new ProtocolViolationException("a done frame without its value, failure or notes");
		}
		return new Frame.Done(value, failure.isNull() ? null : failure(failure), bounded(notes));
	}

	/**
	 * Keep as many notes as there is room for, and tell in one more how many there was
	 * none for.
	 */
	private static List<String> bounded(List<String> notes) {
		int length = notes.stream().mapToInt(String::length).sum();
		if (notes.size() <= MOST_NOTES && length <= MOST_IN_NOTES) {
			return List.copyOf(notes);
		}
		List<String> kept = new ArrayList<>();
		int room = MOST_IN_NOTES - LONGEST_LEFT_OUT;
		for (String note : notes) {
			if (kept.size() < MOST_NOTES - 1 && note.length() <= room) {
				kept.add(note);
				room -= note.length();
			}
		}
		kept.add(LEFT_OUT.formatted(notes.size() - kept.size()));
		return List.copyOf(kept);
	}

	private static Frame.ProgramFailure failure(JsonValue json) throws ProtocolViolationException {
		String kind = json.string("kind");
		String message = json.string("message");
		String traceback = json.string("traceback");
		String limit = json.string("limit");
		Long status = json.integer("exitStatus");
		if (kind == null || !FAILURE_KINDS.contains(kind) || message == null) {
			throw new ProtocolViolationException("a failure without its kind or message");
		}
		if (isAnother(json, "traceback", traceback) || isAnother(json, "limit", limit)
				|| isAnother(json, "exitStatus", status) || (limit != null && !LIMITS.contains(limit))
				|| (status != null && (status < 0 || status > MOST_STATUS))) {
			throw new ProtocolViolationException("a failure whose traceback, limit or exit status is none");
		}
		return new Frame.ProgramFailure(kind, clip(message), (traceback != null) ? clip(traceback) : null,
				(status != null) ? status.intValue() : null, limit);
	}

	/** Return whether a member that may be absent or null is something else instead. */
	private static boolean isAnother(JsonValue json, String name, @Nullable Object read) {
		JsonValue member = json.member(name);
		return read == null && member != null && !member.isNull();
	}

	private static String clip(String text) {
		if (text.length() <= MOST_TEXT) {
			return text;
		}
		// Not between the two halves of a character.
		return text.substring(0, MOST_TEXT - (Character.isHighSurrogate(text.charAt(MOST_TEXT - 1)) ? 1 : 0));
	}

}
