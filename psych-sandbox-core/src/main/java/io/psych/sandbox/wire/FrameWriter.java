package io.psych.sandbox.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Writes the host's frames. A write blocks while the child does not read; ending the
 * child ends the write.
 *
 * @since 0.1.0
 */
public final class FrameWriter {

	private final WritableByteChannel channel;

	/** Keeps frames whole. Held over a write, which the end of the child ends. */
	private final ReentrantLock whole = new ReentrantLock();

	/**
	 * Create a new writer.
	 * @param channel where the frames go
	 */
	public FrameWriter(WritableByteChannel channel) {
		this.channel = channel;
	}

	/**
	 * Send the program.
	 * @param program its text
	 * @param tools the names of the tools it may call
	 * @param limits the limits the child sets for itself
	 * @throws IOException if the child has gone
	 */
	public void run(String program, List<String> tools, Limits limits) throws IOException {
		Map<String, Object> numbers = new LinkedHashMap<>();
		numbers.put("cpu", limits.cpu().toSeconds());
		numbers.put("addressSpace", limits.addressSpace().bytes());
		numbers.put("fileSize", limits.fileSize().bytes());
		numbers.put("processes", limits.processes());
		numbers.put("value", limits.value().bytes());
		Map<String, Object> frame = new LinkedHashMap<>();
		frame.put("type", "run");
		frame.put("program", program);
		frame.put("tools", tools);
		frame.put("limits", numbers);
		write(frame);
	}

	/**
	 * Tell the child that it gets no program.
	 * @throws IOException if the child has gone
	 */
	public void abort() throws IOException {
		write(Map.of("type", "abort"));
	}

	/**
	 * Answer a call with a value.
	 * @param id the number of the call
	 * @param value the value
	 * @throws IOException if the child has gone
	 */
	public void reply(long id, JsonValue value) throws IOException {
		write(value.toUtf8("{\"type\":\"reply\",\"id\":" + id + ",\"value\":", "}\n"));
	}

	/**
	 * Answer a call with the handle of a result that is kept on the host.
	 * @param id the number of the call
	 * @param handle the name of the result
	 * @param bytes its bytes
	 * @param format {@code json} or {@code text}
	 * @throws IOException if the child has gone
	 */
	public void reply(long id, String handle, long bytes, String format) throws IOException {
		Map<String, Object> content = new LinkedHashMap<>();
		content.put("id", handle);
		content.put("bytes", bytes);
		content.put("format", format);
		reply(id, "handle", content);
	}

	/**
	 * Answer a call with a failure.
	 * @param id the number of the call
	 * @param kind the kind, for the program to branch on
	 * @param message what happened
	 * @throws IOException if the child has gone
	 */
	public void reply(long id, String kind, String message) throws IOException {
		Map<String, Object> failure = new LinkedHashMap<>();
		failure.put("kind", kind);
		failure.put("message", message);
		reply(id, "failure", failure);
	}

	private void reply(long id, String member, Object content) throws IOException {
		Map<String, @Nullable Object> frame = new LinkedHashMap<>();
		frame.put("type", "reply");
		frame.put("id", id);
		frame.put(member, content);
		write(frame);
	}

	private void write(Map<String, ? extends @Nullable Object> frame) throws IOException {
		write(JsonValue.of(frame).toUtf8("", "\n"));
	}

	private void write(byte[] frame) throws IOException {
		ByteBuffer line = ByteBuffer.wrap(frame);
		this.whole.lock();
		try {
			while (line.hasRemaining()) {
				this.channel.write(line);
			}
		}
		finally {
			this.whole.unlock();
		}
	}

}
