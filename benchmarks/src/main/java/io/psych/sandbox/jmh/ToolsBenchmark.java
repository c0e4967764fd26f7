package io.psych.sandbox.jmh;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolDescription;
import io.psych.sandbox.wire.FrameWriter;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What is made of many tools: the description for the model, and the frame with a program
 * and their names; the floor is a copy of the same bytes.
 */
@State(Scope.Thread)
@NullUnmarked
public class ToolsBenchmark {

	/** How many tools. */
	@Param({ "10", "200", "2000" })
	public int size;

	private final FrameWriter writer = new FrameWriter(new Channels.Sink());

	private List<HostTool> tools;

	private List<String> names;

	private byte[] description;

	private byte[] frame;

	@Setup
	public void prepare() throws IOException {
		this.tools = Given.tools(this.size);
		this.names = this.tools.stream().map(HostTool::name).toList();
		this.description = describe().getBytes(StandardCharsets.UTF_8);
		Channels.Sink sink = new Channels.Sink();
		new FrameWriter(sink).run("print(1)", this.names, Limits.defaults());
		this.frame = new byte[(int) sink.bytes()];
	}

	@Benchmark
	public String describe() {
		return ToolDescription.of("3.11", List.of(), Limits.defaults(), this.tools);
	}

	@Benchmark
	public byte[] describeFloor() {
		return this.description.clone();
	}

	@Benchmark
	public void runFrame() throws IOException {
		this.writer.run("print(1)", this.names, Limits.defaults());
	}

	@Benchmark
	public byte[] runFrameFloor() {
		return this.frame.clone();
	}

}
