package io.psych.sandbox.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a reader tells of a channel, as words: a frame each, and how it ended.
 */
final class Events {

	static final int MOST_BYTES = 1 << 20;

	static final int MOST_VALUES = 1_000_000;

	private Events() {
	}

	static List<String> of(ChunkedChannel channel, int mostBytes) {
		return of(new FrameReader(channel, new FrameBounds(mostBytes, MOST_VALUES), 1_000, 1_000));
	}

	static List<String> of(FrameReader reader) {
		List<String> events = new ArrayList<>();
		try {
			for (Frame frame = reader.next(); frame != null; frame = reader.next()) {
				events.add(describe(frame));
			}
			events.add("end");
		}
		catch (ProtocolViolationException ex) {
			events.add("violation " + ex.getMessage());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return events;
	}

	private static String describe(Frame frame) {
		if (frame instanceof Frame.Ready) {
			return "ready";
		}
		if (frame instanceof Frame.Call call) {
			return "call " + call.id() + " " + call.name().replace("\0", "\\u0000") + " " + call.arguments();
		}
		Frame.Done done = (Frame.Done) frame;
		Frame.ProgramFailure failure = done.failure();
		String told = "done " + done.value();
		if (failure != null) {
			told += " " + failure.kind() + " " + failure.message() + " " + failure.exitStatus() + " " + failure.limit()
					+ " " + failure.traceback();
		}
		return told;
	}

}
