package io.psych.sandbox.jmh;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.wire.Frame;
import io.psych.sandbox.wire.FrameBounds;
import io.psych.sandbox.wire.FrameReader;
import io.psych.sandbox.wire.FrameWriter;
import io.psych.sandbox.wire.ProtocolViolationException;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A call as it is read and its reply as it is written; the floor is Jackson with the same
 * bytes.
 */
@State(Scope.Thread)
@NullUnmarked
public class FrameBenchmark {

	/** The bytes of the value, about. */
	@Param({ "1000", "100000" })
	public int size;

	private final ObjectMapper jackson = new ObjectMapper();

	private FrameReader reader;

	private final FrameWriter writer = new FrameWriter(new Channels.Sink());

	private byte[] line;

	private JsonValue value;

	private JsonNode reply;

	@Setup
	public void prepare() {
		this.value = Given.rows(this.size);
		this.line = (json("call", "arguments") + "\n").getBytes(StandardCharsets.UTF_8);
		this.reader = new FrameReader(new Channels.Endless(this.line), FrameBounds.of(Limits.defaults()),
				Long.MAX_VALUE, 0);
		this.reply = this.jackson.readTree(json("reply", "value"));
	}

	private String json(String type, String member) {
		Map<String, Object> frame = new LinkedHashMap<>();
		frame.put("type", type);
		frame.put("id", 1);
		frame.put("name", "echo");
		frame.put(member, this.value);
		return JsonValue.of(frame).toJson();
	}

	@Benchmark
	public Frame read() throws IOException, ProtocolViolationException {
		return this.reader.next();
	}

	@Benchmark
	public JsonNode readFloor() {
		return this.jackson.readTree(this.line);
	}

	@Benchmark
	public void write() throws IOException {
		this.writer.reply(1, this.value);
	}

	@Benchmark
	public byte[] writeFloor() {
		return this.jackson.writeValueAsBytes(this.reply);
	}

}
